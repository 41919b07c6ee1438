// One subgraph as a process of its own: answers the gateway's signed calls and refuses everything else.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getOperationAST, parse } from 'graphql';
import type { Config } from '../../subgraphs/shared/config';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { createBoundedServer } from '../../subgraphs/shared/http/bounded-server';
import { ClientGone, readBody } from '../../subgraphs/shared/http/request-body';
import { sendText } from '../../subgraphs/shared/http/send-text';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { createLru } from '../plan/lru';
import { callerHeader, verifyCall } from './internal-call';
import { publicKeys } from './internal-keys';
import { localSubgraph } from './local-subgraph';
import { createSingleUse, type FirstUse } from './single-use';
import type { SubgraphOperation } from './subgraph-client';

const bodyBytesMax = 4 * 1024 * 1024;
/** What compiled operations may weigh together: bytes of their text, of which compiled code has about a hundred times as many. */
const operationsBytesMax = 512 * 1024;

/** An operation ready to run; one that is no read runs once for each signed call. */
interface Prepared {
  run: SubgraphOperation;
  isRead: boolean;
}

export interface SubgraphServerDeps {
  subgraph: Subgraph;
  config: Pick<Config, 'HOST' | 'SUBGRAPH_PORT' | 'INTERNAL_PUBLIC_KEYS'>;
  log: Log;
  /** Absent: nobody collects spans. */
  tracing?: Tracing | undefined;
  /** Remembers ids of mutations for all processes of this role. */
  firstUse?: FirstUse;
  /** Whether this process can serve now; asked by /readyz. */
  isReady?: () => boolean | Promise<boolean>;
  /** Ends the server without failing requests; plain close when absent. */
  drain?: (server: Server) => Promise<void>;
}

export interface RunningServer {
  server: Server;
  port: number;
  stop(): Promise<void>;
}

/** Listens on HOST:SUBGRAPH_PORT (0 picks a free port). */
export async function startSubgraphServer(deps: SubgraphServerDeps): Promise<RunningServer> {
  const { subgraph, config, log } = deps;
  const keys = publicKeys(config.INTERNAL_PUBLIC_KEYS);
  const takeId = createSingleUse(deps.firstUse);
  const client = localSubgraph(subgraph.name, subgraph.schema, log);
  const operations = createLru<Prepared>(operationsBytesMax, (_operation, query) => query.length);

  function operationOf(query: string, operationName: string | undefined): Prepared {
    const known = operations.get(query);
    if (known) return known;
    const isRead = getOperationAST(parse(query), operationName)?.operation === 'query';
    const prepared = { run: client.prepare(query, operationName), isRead };
    operations.set(query, prepared);
    return prepared;
  }

  async function answer(request: IncomingMessage): Promise<string> {
    const body = await readBody(request, { bytesMax: bodyBytesMax });
    const statement = request.headers[callerHeader];
    const call = { subgraph: subgraph.name, method: request.method ?? '', path: request.url ?? '', body };
    const { context, callId } = verifyCall(keys, call, typeof statement === 'string' ? statement : undefined);
    const { query, operationName, variables } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const { run, isRead } = operationOf(String(query), typeof operationName === 'string' ? operationName : undefined);
    if (!isRead) await takeId(callId);
    const serve = () => run((variables ?? {}) as Record<string, unknown>, context);
    const { traceparent } = request.headers;
    const result = await (deps.tracing ? deps.tracing.served(subgraph.name, textOf(traceparent), serve) : serve());
    const replayed = context.reply.idempotentReplayed;
    return JSON.stringify({ ...result, extensions: replayed ? { idempotentReplayed: true } : undefined });
  }

  const server = createBoundedServer({
    request(request, response) {
      if (request.url === '/healthz') return reply(response, 200, '{"status":"ok"}');
      if (request.url === '/readyz') {
        void Promise.resolve(deps.isReady?.() ?? true).then(
          (ready) => reply(response, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ok' : 'unavailable' })),
          () => reply(response, 503, '{"status":"unavailable"}'),
        );
        return;
      }
      if (request.method !== 'POST' || request.url !== '/graphql')
        return reply(response, 404, '{"errors":[{"message":"not found"}]}');
      answer(request).then(
        (text) => reply(response, 200, text),
        (error: unknown) => refuse(response, error),
      );
    },
  });

  function refuse(response: ServerResponse, error: unknown): void {
    if (error instanceof ClientGone) return;
    const refused = error instanceof DomainError ? error : new DomainError('internal');
    if (refused !== error) log.error({ subgraph: subgraph.name, error }, 'a signed call could not be run');
    const status = refused.code === 'unauthenticated' ? 401 : refused.code === 'payloadTooLarge' ? 413 : 500;
    const message = refused.code === 'unauthenticated' ? 'refused' : refused.message;
    reply(response, status, JSON.stringify({ errors: [{ message, extensions: { code: refused.code } }] }));
  }

  server.listen(config.SUBGRAPH_PORT, config.HOST);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.SUBGRAPH_PORT;
  return { server, port, stop: () => (deps.drain ? deps.drain(server) : closeServer(server)) };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

const headers = { 'content-type': 'application/json; charset=utf-8' };
const closing = { ...headers, connection: 'close' };

function reply(response: ServerResponse, status: number, text: string): void {
  sendText(response, { status, headers: status === 413 ? closing : headers, text });
}

/** Without a drain: requests that run are answered, then sockets go, at the latest after five seconds. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const sweeping = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), 5_000);
  await closed;
  clearInterval(sweeping);
  clearTimeout(deadline);
}
