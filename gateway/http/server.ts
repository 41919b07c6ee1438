// The graph's port: /graphql over HTTP and WebSocket, its schema as text, the browser IDE, people's sign-in and their dashboard, liveness and readiness.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AuditDoor, RecordExport } from '../../subgraphs/shared/callers/audit';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { Blame } from '../../subgraphs/shared/callers/credential-failures';
import type { Config } from '../../subgraphs/shared/config';
import { createBoundedServer } from '../../subgraphs/shared/http/bounded-server';
import { sendText } from '../../subgraphs/shared/http/send-text';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { contextRequestId } from '../context';
import type { Graph } from '../plan/execute';
import type { Usage } from '../plan/usage';
import { noSignIn } from '../sign-in/no-sign-in';
import type { SignIn } from '../sign-in/sign-in';
import { closeServer, type RunningServer } from '../subgraphs/subgraph-server';
import type { Admit, ChargeCost } from './admission';
import { createAllowOrigin } from './cors';
import { dashboardFiles } from './dashboard-files';
import { createGraphHandler } from './graph-handler';
import { ideFiles, sendPage } from './ide-files';
import { landingPage } from './landing-page';
import { usualMediaType } from './media-type';

/** WebSocket side of the port: subscriptions.ts. */
export interface Upgrades {
  upgrade(request: IncomingMessage, socket: import('node:stream').Duplex, head: Buffer): void;
  /** The same events over a plain request, at /graphql/events. */
  stream(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Closes every socket with a code that says why, and stops reading the event log. */
  stop(): Promise<void>;
}

interface GraphReadiness {
  ready: boolean;
  dependencies: Record<string, 'up' | 'down'>;
}

interface Mounted {
  /** Without a slash at its end. */
  path: string;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export interface GraphServerDeps {
  graph: Graph;
  config: Pick<Config, 'HOST' | 'GRAPH_PORT' | 'REQUEST_TIMEOUT_MS' | 'isSandbox'> &
    Partial<Pick<Config, 'GRAPH_ORIGINS'>>;
  log: Log;
  metrics?: Pick<Metrics, 'requests' | 'graphOperations'>;
  /** The caller of an Authorization value: header, or connection parameter. */
  authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** How people sign in; absent: nobody does. */
  signIn?: SignIn | undefined;
  /** Served below a path of this port: what only a sandbox has. */
  mounted?: Mounted | undefined;
  /** Folder with the built dashboard (dist/dashboard); where it is missing `/` names what is served. */
  dashboardDir?: string;
  /** Counts a wrong token of an address; what to throw. Absent: none is counted. */
  blame?: Blame;
  /** Hears of what was refused for want of a right. */
  audit?: AuditDoor;
  /** Absent: nobody collects spans. */
  tracing?: Tracing | undefined;
  /** Counts who uses what; absent: nobody does. */
  usage?: Usage;
  /** Keeps who exported which list; absent: nothing is exported here. */
  recordExport?: RecordExport;
  admit: Admit;
  /** Absent: what an operation could return costs nothing. */
  charge?: ChargeCost;
  /** Whether this port is of use, and what it needs by name; asked by /readyz. */
  readiness?: () => Promise<GraphReadiness>;
  /** Absent: no subscriptions here. */
  upgrades?: Upgrades;
  /** Folder with the built browser IDE (dist/graphiql); absent: /graphql shows no page. */
  graphiqlDir?: string;
  /** Ends the server without failing requests; plain close when absent. */
  drain?: (server: Server) => Promise<void>;
}

/** Listens on HOST:GRAPH_PORT (0 picks a free port). */
export async function startGraphServer(deps: GraphServerDeps): Promise<RunningServer> {
  const { config, upgrades } = deps;
  const route = createRoutes(deps);
  const server = createBoundedServer({
    request(request, response) {
      observe(deps, request, response);
      void route.handle(request, response);
    },
  });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (upgrades && pathOf(request) === '/graphql') return upgrades.upgrade(request, socket, head);
    const id = contextRequestId(request.headers);
    socket.end(`HTTP/1.1 404 Not Found\r\nX-Request-ID: ${id}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  server.listen(config.GRAPH_PORT, config.HOST);
  await once(server, 'listening');
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address ? address.port : config.GRAPH_PORT,
    async stop() {
      route.leave();
      // Listening ends first: a subscriber that is told to come back must find another process.
      const drained = deps.drain ? deps.drain(server) : closeServer(server);
      await Promise.all([upgrades?.stop(), drained]);
      await route.stop();
    },
  };
}

function createRoutes(deps: GraphServerDeps) {
  const { graph, config, log, authenticate, blame, admit, audit, metrics, signIn, mounted, upgrades } = deps;
  const persons = signIn?.persons;
  const { isSandbox, REQUEST_TIMEOUT_MS: timeoutMs } = config;
  const options = { isSandbox, timeoutMs, log, ...withoutUndefined({ charge: deps.charge, tracing: deps.tracing }) };
  const shared = {
    graph,
    log,
    authenticate,
    blame,
    admit,
    metrics,
    audit,
    usage: deps.usage,
    recordExport: deps.recordExport,
  };
  const graphql = createGraphHandler({ ...shared, options, persons });
  const allowOrigin = createAllowOrigin(config.GRAPH_ORIGINS ?? '');
  const files = deps.graphiqlDir ? ideFiles(deps.graphiqlDir) : null;
  const page = landingPage(files !== null);
  const dashboard = signIn && deps.dashboardDir ? dashboardFiles(deps.dashboardDir) : null;
  let isLeaving = false;

  async function readiness(response: ServerResponse): Promise<void> {
    const { ready, dependencies } = await (deps.readiness ?? alwaysReady)().catch(() => notReady);
    const isReady = ready && !isLeaving;
    const isWhole = Object.values(dependencies).every((state) => state === 'up');
    const status = isReady ? (isWhole ? 'ok' : 'degraded') : 'unavailable';
    sendText(response, { status: isReady ? 200 : 503, headers: json, text: JSON.stringify({ status, dependencies }) });
  }

  return {
    leave() {
      isLeaving = true;
    },
    stop: () => graphql.stop(),
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = pathOf(request);
      if (isGraph(path) && allowOrigin(request, response)) return;
      if (path === '/graphql') {
        if (files && wantsIde(request) && (await files(request, response, 'index.html'))) return;
        return graphql.operation(request, response);
      }
      if (path === '/graphql/export' && isGetOrPost(request)) return graphql.exportList(request, response);
      if (path === '/graphql/events' && upgrades) return upgrades.stream(request, response);
      if (path === '/graphql/schema.graphql' && request.method === 'GET') return graphql.schema(request, response);
      if (path === '/healthz') return sendText(response, { status: 200, headers: json, text: '{"status":"ok"}' });
      if (path === '/readyz') return readiness(response);
      if (/^\/sign-(in|out)(\/|$)/.test(path)) return (signIn ?? noSignIn).handle(request, response, path);
      if (mounted && (path === mounted.path || path.startsWith(`${mounted.path}/`)))
        return mounted.handle(request, response);
      if (await dashboard?.(request, response, path)) return;
      if (path === '/') return sendPage(response, page);
      if (path.startsWith('/graphql/') && files && (await files(request, response, path.slice('/graphql/'.length))))
        return;
      sendText(response, {
        status: 404,
        headers: { ...json, 'x-request-id': contextRequestId(request.headers) },
        text: '{"errors":[{"message":"nothing is served here","extensions":{"code":"notFound"}}]}',
      });
    },
  };
}

const json = { 'content-type': usualMediaType.contentType };
const notReady: GraphReadiness = { ready: false, dependencies: {} };
const alwaysReady = async (): Promise<GraphReadiness> => ({ ready: true, dependencies: {} });

function isGetOrPost({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'POST';
}

function isGraph(path: string): boolean {
  return path === '/graphql' || path.startsWith('/graphql/');
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** A browser that comes to look gets the IDE; a query in the address is a request like any other. */
function wantsIde({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || /[?&](query|documentId|extensions)=/.test(url)) return false;
  return headers.accept?.includes('text/html') ?? false;
}

function observe({ metrics }: GraphServerDeps, request: IncomingMessage, response: ServerResponse): void {
  if (!metrics) return;
  const startedAt = performance.now();
  const route = pathOf(request) === '/graphql' ? '/graphql' : 'other';
  response.on('finish', () => {
    metrics.requests.observe(
      { surface: 'graph', route, status: response.statusCode },
      (performance.now() - startedAt) / 1_000,
    );
  });
}
