// Every request to /graphql: who calls, which operation, the short way when it was prepared before, Apollo Server when it was not.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../subgraphs/shared/caller';
import { requestContext } from '../subgraphs/shared/context';
import { DomainError } from '../subgraphs/shared/errors';
import { refusalOf } from '../subgraphs/shared/faults';
import type { Log } from '../subgraphs/shared/log';
import type { Admit } from './admission';
import { type ApolloContext, type ApolloFront, startApollo } from './apollo';
import { Cancellation } from './cancellation';
import { idempotencyOf, requestIdOf, requireGraphScope } from './context';
import type { Graph } from './execute';
import { commonHeaders, httpOutcome, printResult, refusalReply, send } from './http-reply';
import { limits } from './limits';
import type { PreparedOperation } from './prepared-operation';
import { readBody } from './request-body';
import { type RunOptions, runOperation } from './run-operation';

export interface GraphHandlerDeps {
  graph: Graph;
  options: RunOptions;
  log: Log;
  /** The caller of an Authorization header; refuses with `unauthenticated`, or `unavailable` when it cannot tell. */
  authenticate: (authorization: string | undefined) => Promise<Caller>;
  admit: Admit;
}

export interface GraphHandler {
  (request: IncomingMessage, response: ServerResponse): Promise<void>;
  stop(): Promise<void>;
}

/** A body that may take the short way. */
interface PlainBody {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
}

export function createGraphHandler(deps: GraphHandlerDeps): GraphHandler {
  const { graph, options, log } = deps;
  const contexts = new WeakMap<object, ApolloContext>();
  let apollo: Promise<ApolloFront> | undefined;

  async function apolloFront(): Promise<ApolloFront> {
    apollo ??= startApollo(graph, options, (request: Request) => {
      const context = contexts.get(request);
      if (!context) throw new Error('the front made no context for this request');
      return context;
    });
    return apollo;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdOf(request.headers);
    try {
      const caller = requireGraphScope(await deps.authenticate(request.headers.authorization));
      await deps.admit(caller);
      const body = isJsonPost(request) ? parseJson(await readBody(request, limits.bodyBytesMax)) : undefined;
      const plain = plainBodyOf(body);
      const idempotency =
        plain && isMutation(plain) ? idempotencyOf(request.headers['idempotency-key'], plain) : undefined;
      const context = requestContext(caller, requestId, idempotency);
      const cancellation = new Cancellation();
      context.cancellation = cancellation;
      response.on('close', () => {
        if (!response.writableFinished) cancellation.cancel();
      });
      const prepared = plain && acceptsJson(request) ? graph.prepared(plain) : undefined;
      if (plain && prepared) return await answer(response, prepared, { plain, context, cancellation });
      const { handler } = await apolloFront();
      contexts.set(request, { request: context, cancellation });
      Object.assign(request, { body });
      handler(request as Request, response as never);
    } catch (error) {
      const refused = refusalOf(error);
      if (!refused) log.error({ requestId, error, code: 'internal' }, 'a graph request failed unexpectedly');
      send(response, refusalReply(refused ?? new DomainError('internal'), requestId));
    }
  }

  async function answer(response: ServerResponse, prepared: PreparedOperation, call: Call): Promise<void> {
    const { context, cancellation, plain } = call;
    const result = await runOperation(options, prepared, { variables: plain.variables, context, cancellation });
    const { status, headers } = httpOutcome(result);
    const common = commonHeaders(context.requestId, context.reply.idempotentReplayed);
    send(response, { status, headers: { ...common, ...headers }, text: printResult(result) });
  }

  return Object.assign(handle, {
    async stop() {
      await (await apollo)?.stop();
    },
  });
}

interface Call {
  plain: PlainBody;
  context: ApolloContext['request'];
  cancellation: Cancellation;
}

function isJsonPost({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function acceptsJson({ headers: { accept } }: IncomingMessage): boolean {
  return accept === undefined || accept.includes('*/*') || accept.includes('application/json');
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new DomainError('invalidInput', 'the body is not JSON');
  }
}

/** The body when it is an ordinary GraphQL request; anything else is Apollo Server's to judge. */
function plainBodyOf(body: unknown): PlainBody | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { query, operationName = null, variables = null, extensions = null } = body as Record<string, unknown>;
  if (typeof query !== 'string' || query === '' || asksByHash(extensions)) return undefined;
  if (operationName !== null && typeof operationName !== 'string') return undefined;
  if (typeof variables !== 'object' || Array.isArray(variables)) return undefined;
  return { query, operationName: operationName || undefined, variables: (variables ?? {}) as Record<string, unknown> };
}

/** Clients put their name into `extensions`; a document known by hash only is something else. */
function asksByHash(extensions: unknown): boolean {
  if (extensions === null) return false;
  return typeof extensions !== 'object' || Array.isArray(extensions) || 'persistedQuery' in (extensions as object);
}

/** A cheap look before anything is parsed: a key on a query would do no harm, but is not used. */
function isMutation({ query }: PlainBody): boolean {
  return /\bmutation\b/.test(query);
}
