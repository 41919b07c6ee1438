// Every request to /graphql: who calls, which operation, the short way when it was prepared before, Apollo Server when it was not. Beside it the schema as text.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type RequestContext, requestContext } from '../../subgraphs/shared/callers/context';
import type { Blame } from '../../subgraphs/shared/callers/credential-failures';
import { DomainError } from '../../subgraphs/shared/errors';
import { ClientGone, readBody } from '../../subgraphs/shared/http/request-body';
import { sendText, type TextReply } from '../../subgraphs/shared/http/send-text';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import type { Log } from '../../subgraphs/shared/log/log';
import { contextRequestId, idempotencyOf, requireGraphScope } from '../context';
import { refusal } from '../errors';
import { Cancellation } from '../plan/cancellation';
import { readDocument } from '../plan/document-check';
import type { Graph } from '../plan/execute';
import { limits } from '../plan/limits';
import {
  createOperationRecorder,
  noteErrors,
  type OperationRecord,
  operationNameOf,
  type RecorderDeps,
  startRecord,
} from '../plan/operation-record';
import { type RunOptions, runOperation } from '../plan/run-operation';
import { harmlessBytes, requireModestValues } from '../plan/variable-size';
import type { Admit } from './admission';
import { type ApolloFront, startApollo } from './apollo';
import { httpOutcome, notAcceptable, printResult, refusalReply, withCommonHeaders } from './http-reply';
import { type MediaType, negotiate, sdlMediaType, usualMediaType } from './media-type';

export interface GraphHandlerDeps {
  graph: Graph;
  options: RunOptions;
  log: Log;
  /** The caller of an Authorization header; refuses with `unauthenticated`, or `unavailable` when it cannot tell. */
  authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Counts a wrong token of an address; what to throw. Absent: none is counted. */
  blame?: Blame | undefined;
  admit: Admit;
  metrics?: RecorderDeps['metrics'];
  audit?: RecorderDeps['audit'];
}

export interface GraphHandler {
  /** Answers an operation. */
  operation(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers with the schema in SDL, to whoever may use the graph; in production too. */
  schema(request: IncomingMessage, response: ServerResponse): Promise<void>;
  stop(): Promise<void>;
}

/** What is known of a request before it is looked at more closely. */
interface Asked {
  record: OperationRecord;
  caller: Caller;
  /** Null when Accept allows no form of an operation's result. */
  mediaType: MediaType | null;
}

/** A missing token is nobody's fault; a wrong one is counted. */
async function authenticate(
  { authenticate, blame }: GraphHandlerDeps,
  request: IncomingMessage,
  requestId: string,
): Promise<Caller> {
  const { authorization } = request.headers;
  try {
    return await authenticate(authorization);
  } catch (error) {
    throw authorization && blame ? await blame('graph', request, error, requestId) : error;
  }
}

/** A request that may take the short way. */
interface PlainRequest {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
}

export function createGraphHandler(deps: GraphHandlerDeps): GraphHandler {
  const { graph, options, log } = deps;
  const keep = createOperationRecorder(deps);
  let apollo: Promise<ApolloFront> | undefined;

  /** Who calls, at which rate, and what is kept about it; `answer` does the rest or throws a refusal. */
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (asked: Asked) => Promise<TextReply>,
  ): Promise<void> {
    const requestId = contextRequestId(request.headers);
    const mediaType = negotiate(request.headers.accept);
    const record = startRecord(requestId);
    record.address = deps.audit?.addressOf(request);
    const finish = (reply: TextReply) => {
      sendText(response, reply);
      record.status = reply.status;
      keep(record);
    };
    try {
      const caller = await authenticate(deps, request, requestId);
      record.caller = caller;
      requireGraphScope(caller);
      await deps.admit(caller);
      finish(await answer({ record, caller, mediaType }));
    } catch (error) {
      if (error instanceof ClientGone) return;
      const refused = refusalOf(error) ?? new DomainError('internal');
      if (refused.code === 'internal')
        log.error({ requestId, error, code: 'internal' }, 'a graph request failed unexpectedly');
      noteErrors(record.trace, [refusal(refused)]);
      finish(refusalReply(refused, requestId, mediaType ?? usualMediaType));
    }
  }

  async function answerOperation(
    request: IncomingMessage,
    response: ServerResponse,
    { record, caller, mediaType }: Asked,
  ): Promise<TextReply> {
    const { requestId, trace, address } = record;
    if (!mediaType) {
      noteErrors(trace, [{ extensions: { code: 'invalidInput', field: 'Accept' } }]);
      return notAcceptable(requestId);
    }
    const text = isJsonPost(request) ? await readBody(request, { bytesMax: limits.bodyBytesMax }) : undefined;
    const body = text && parseJson(text);
    const plain = request.method === 'GET' ? plainQueryOf(request.url) : plainBodyOf(body);
    if ((text ?? request.url ?? '').length > harmlessBytes) requireModestValues(plain?.variables ?? body);
    const idempotency =
      plain && isMutation(plain) ? idempotencyOf(request.headers['idempotency-key'], plain) : undefined;
    const cancellation = new Cancellation();
    const context = requestContext(caller, requestId, idempotency, { trace, cancellation, address });
    response.on('close', () => {
      if (!response.writableFinished) cancellation.cancel();
    });
    const reply = await run(request, { plain, body, mediaType, context, cancellation });
    return withCommonHeaders(reply, { requestId, mediaType, replayed: context.reply.idempotentReplayed });
  }

  async function run(request: IncomingMessage, call: Call): Promise<TextReply> {
    const { plain, body, mediaType, context, cancellation } = call;
    const prepared = plain && graph.prepared(plain);
    if (prepared && (request.method === 'POST' || prepared.kind === 'query')) {
      const result = await runOperation(options, prepared, { variables: plain.variables, context, cancellation });
      noteErrors(context.trace, result.errors);
      const { status, headers } = httpOutcome(result, mediaType);
      return { status, headers, text: printResult(result) };
    }
    const text = textOf(request, body);
    if (context.trace) context.trace.name = operationNameOf({ query: text, operationName: plain?.operationName });
    const refused = refusedUnread(text);
    noteErrors(context.trace, refused?.errors);
    if (refused) return { ...httpOutcome(refused, mediaType), text: printResult(refused) };
    apollo ??= startApollo(graph, options);
    return (await apollo).answer(request, body, { request: context, cancellation, mediaType });
  }

  return {
    operation: (request, response) => serve(request, response, (asked) => answerOperation(request, response, asked)),
    schema: (request, response) =>
      serve(request, response, async ({ record }) => {
        Object.assign(record.trace, { name: 'schema', kind: 'query' });
        const common = { requestId: record.requestId, mediaType: sdlMediaType };
        return withCommonHeaders({ status: 200, headers: {}, text: graph.sdl }, common);
      }),
    async stop() {
      await (await apollo)?.stop();
    },
  };
}

interface Call {
  plain: PlainRequest | undefined;
  body: unknown;
  mediaType: MediaType;
  context: RequestContext;
  cancellation: Cancellation;
}

function isJsonPost({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** The document of a request, wherever Apollo Server would read it. */
function textOf({ url = '' }: IncomingMessage, body: unknown): string | null {
  const search = url.indexOf('?');
  const inAddress = search < 0 ? null : new URLSearchParams(url.slice(search)).get('query');
  const sent = body === undefined ? inAddress : (body as Partial<PlainRequest> | null)?.query;
  return typeof sent === 'string' ? sent : null;
}

/** What would be too large to validate is refused before Apollo Server sees it; its own parser says what is no document at all. */
function refusedUnread(text: string | null): ExecutionResult | null {
  if (text === null) return null;
  const errors = readDocument(text);
  if ('definitions' in errors || errors[0]?.extensions['code'] === 'GRAPHQL_PARSE_FAILED') return null;
  return { errors };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new DomainError('invalidInput', 'the body is not JSON');
  }
}

/** The body when it is an ordinary GraphQL request; anything else is Apollo Server's to judge. */
function plainBodyOf(body: unknown): PlainRequest | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { query, operationName = null, variables = null, extensions = null } = body as Record<string, unknown>;
  if (typeof query !== 'string' || query === '' || asksByHash(extensions)) return undefined;
  if (operationName !== null && typeof operationName !== 'string') return undefined;
  if (typeof variables !== 'object' || Array.isArray(variables)) return undefined;
  return { query, operationName: operationName || undefined, variables: (variables ?? {}) as Record<string, unknown> };
}

/** The same of an address; a parameter that is there twice, or is not what it should be, is Apollo Server's to refuse. */
function plainQueryOf(url = ''): PlainRequest | undefined {
  const search = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if (new Set(search.keys()).size !== search.size || search.has('extensions')) return undefined;
  try {
    const variables: unknown = JSON.parse(search.get('variables') ?? '{}');
    return variables === null
      ? undefined
      : plainBodyOf({ query: search.get('query'), operationName: search.get('operationName'), variables });
  } catch {
    return undefined;
  }
}

/** Clients put their name into `extensions`; a document known by hash only is something else. */
function asksByHash(extensions: unknown): boolean {
  if (extensions === null) return false;
  return typeof extensions !== 'object' || Array.isArray(extensions) || 'persistedQuery' in (extensions as object);
}

/** A cheap look before anything is parsed: a key on a query would do no harm, but is not used. */
function isMutation({ query }: PlainRequest): boolean {
  return /\bmutation\b/.test(query);
}
