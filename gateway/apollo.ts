// Apollo Server for whatever was not seen before: parse, validation, limits, CSRF guard, protocol errors. What it admits is remembered for the short way.
// Loaded with the first such request, because REST and known operations do without it.
import type { ApolloServerOptionsWithGateway, BaseContext } from '@apollo/server';
import type express from 'express';
import type { GraphQLFormattedError } from 'graphql';
import { type RequestContext } from '../subgraphs/shared/context';
import { DomainError } from '../subgraphs/shared/errors';
import type { Cancellation } from './cancellation';
import { refusal } from './errors';
import type { Graph } from './execute';
import { noSuchOperation, withoutSuggestion } from './execute';
import { commonHeaders, httpOutcome } from './http-reply';
import { documentLimits, limits } from './limits';
import { type RunOptions, runOperation } from './run-operation';

/** What the front hands over with a request it could not answer itself. */
export interface ApolloContext extends BaseContext {
  request: RequestContext;
  cancellation: Cancellation;
}

export interface ApolloFront {
  /** Answers a request whose `body` was read and whose caller is known. */
  handler: express.Express;
  stop(): Promise<void>;
}

/** `contextOf` gives the context that the front made for that request. */
export async function startApollo(
  graph: Graph,
  options: RunOptions,
  contextOf: (request: express.Request) => ApolloContext,
): Promise<ApolloFront> {
  const [
    { ApolloServer },
    { ApolloServerPluginLandingPageDisabled },
    { expressMiddleware },
    { default: createExpress },
  ] = await Promise.all([
    import('@apollo/server'),
    import('@apollo/server/plugin/disabled'),
    import('@as-integrations/express5'),
    import('express'),
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
    parseOptions: { maxTokens: limits.tokensMax },
    validationRules: [documentLimits],
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
  const handler = createExpress();
  handler.disable('x-powered-by');
  handler.set('etag', false);
  handler.use(expressMiddleware(server, { context: async ({ req }) => contextOf(req) }));
  return { handler, stop: () => server.stop() };
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
          const { request: requestContext, cancellation } = context as ApolloContext;
          const prepared = await graph.prepareValidated(
            { query: source, operationName: request.operationName },
            document,
          );
          const variables = request.variables ?? {};
          return runOperation(options, prepared, { variables, context: requestContext, cancellation }) as never;
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

/** Status and headers by the same table as on the short way. */
const replyPlugin = {
  async requestDidStart() {
    return {
      async willSendResponse({ response, contextValue }: WillSend) {
        const { requestId, reply } = contextValue.request;
        for (const [name, value] of Object.entries(commonHeaders(requestId, reply.idempotentReplayed))) {
          response.http.headers.set(name, value);
        }
        if (response.body.kind !== 'single') return;
        const { status, headers } = httpOutcome(response.body.singleResult as never);
        // Apollo Server says 400 for everything that has no data; what else it says (405, 415) stands.
        if (response.http.status && response.http.status !== 400) return;
        response.http.status = status;
        for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      },
    };
  },
};

interface WillSend {
  response: { http: { status?: number; headers: Map<string, string> }; body: { kind: string; singleResult?: unknown } };
  contextValue: ApolloContext;
}
