// Apollo Server for whatever was not seen before: parse, validation, limits, CSRF guard, protocol errors. What it admits is remembered for the short way.
// Loaded with the first such request, because REST and known operations do without it.
import type { IncomingMessage } from 'node:http';
import type { ApolloServerOptionsWithGateway, BaseContext } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import type { TextReply } from '../../subgraphs/shared/http/send-text';
import { refusal } from '../errors';
import type { Cancellation } from '../plan/cancellation';
import { noSuchOperation, withoutSuggestion } from '../plan/document-check';
import type { Graph } from '../plan/execute';
import { limits } from '../plan/limits';
import { noteErrors } from '../plan/operation-record';
import { type RunOptions, runOperation } from '../plan/run-operation';
import { httpOutcome } from './http-reply';
import type { MediaType } from './media-type';

/** What the front hands over with a request it could not answer itself. */
interface ApolloContext extends BaseContext {
  request: RequestContext;
  cancellation: Cancellation;
  /** The form of the answer, on which the status depends. */
  mediaType: MediaType;
  tellsCost: boolean;
}

export interface ApolloFront {
  /** Answers a request whose body was read (undefined: it is not JSON) and whose caller is known. */
  answer(request: IncomingMessage, body: unknown, context: ApolloContext): Promise<TextReply>;
  stop(): Promise<void>;
}

export async function startApollo(graph: Graph, options: RunOptions): Promise<ApolloFront> {
  const [{ ApolloServer, HeaderMap }, { ApolloServerPluginLandingPageDisabled }] = await Promise.all([
    import('@apollo/server'),
    import('@apollo/server/plugin/disabled'),
  ]);
  const server = new ApolloServer<ApolloContext>({
    gateway: gatewayOf(graph, options),
    introspection: true,
    persistedQueries: false,
    documentStore: null,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    allowBatchedHttpRequests: false,
    // Who calls is known by a header that no page sends to a foreign origin unasked: with it, a plain GET is nobody's forgery.
    csrfPrevention: { requestHeaders: ['authorization', 'x-requested-with'] },
    parseOptions: { maxTokens: limits.tokensMax },
    formatError: (formatted, error) => formatError(formatted, error, options),
    plugins: [ApolloServerPluginLandingPageDisabled(), replyPlugin],
    logger: {
      debug() {},
      info() {},
      warn: (message) => options.log.warn(String(message)),
      error: (message) => options.log.error(String(message)),
    },
  });
  await server.start();
  return {
    async answer({ method = '', headers, url = '' }, body, context) {
      const given = new HeaderMap();
      for (const [name, value] of Object.entries(headers)) given.set(name, String(value));
      const query = url.indexOf('?');
      const httpGraphQLRequest = { method, headers: given, search: query < 0 ? '' : url.slice(query), body };
      const answered = await server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
      // Only incremental delivery comes in parts, which the schema does not offer.
      if (answered.body.kind !== 'complete') throw new Error('the answer of Apollo Server came in parts');
      const { status = 200 } = answered;
      return { status, headers: Object.fromEntries(answered.headers), text: answered.body.string };
    },
    stop: () => server.stop(),
  };
}

/** Our graph in the place of a gateway: plans and runs what Apollo Server has validated. */
function gatewayOf(graph: Graph, options: RunOptions): ApolloServerOptionsWithGateway<ApolloContext>['gateway'] {
  return {
    onSchemaLoadOrUpdate(listener) {
      listener({ apiSchema: graph.apiSchema, coreSupergraphSdl: '' });
      return () => {};
    },
    async load() {
      return {
        async executor({ document, operation, source, request, context }) {
          // Apollo Server leaves this to the executor, its types notwithstanding.
          if (!operation) return { errors: [noSuchOperation()] };
          const { request: requestContext, cancellation, tellsCost } = context as ApolloContext;
          const prepared = await graph.prepareValidated(
            { query: source, operationName: request.operationName },
            document,
          );
          const variables = request.variables ?? {};
          const run = { variables, context: requestContext, cancellation, tellsCost };
          return runOperation(options, prepared, run) as never;
        },
      };
    },
    async stop() {},
  };
}

function formatError(formatted: GraphQLFormattedError, error: unknown, { log }: RunOptions): GraphQLFormattedError {
  const { code } = formatted.extensions ?? {};
  if (code === 'INTERNAL_SERVER_ERROR') {
    log.error({ error, code: 'internal' }, 'a new document could not be served');
    return refusal(new DomainError('internal')).toJSON();
  }
  return { ...formatted, message: withoutSuggestion(formatted.message) };
}

/** Status and headers by the same table as on the short way; the front adds what every answer has. */
const replyPlugin = {
  async requestDidStart() {
    return {
      async willSendResponse({ response, contextValue }: WillSend) {
        if (response.body.kind !== 'single') return;
        noteErrors(contextValue.request.trace, response.body.singleResult?.errors);
        // Apollo Server says 400 for everything that has no data; what else it says (405) stands.
        if (response.http.status && response.http.status !== 400) return;
        const { status, headers } = httpOutcome(response.body.singleResult ?? {}, contextValue.mediaType);
        response.http.status = status;
        for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      },
    };
  },
};

interface WillSend {
  response: {
    http: { status?: number; headers: Map<string, string> };
    body: { kind: string; singleResult?: { data?: unknown; errors?: readonly GraphQLFormattedError[] } };
  };
  contextValue: ApolloContext;
}
