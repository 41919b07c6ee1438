// graphql-transport-ws on the graph's port, served from the event log: the library keeps the protocol, groups of subscribers get
// ready frames. Rights are checked at connect, per subscription and per event.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Context, handleProtocols, makeServer } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { requireGraphScope } from '../context';
import type { Upgrades } from '../http/server';
import { limits } from '../plan/limits';
import { createEventStreams } from './event-streams';
import { createEventTail } from './event-tail';
import { createLiveCredentials } from './live-credentials';
import { createSocketBounds } from './socket-bounds';
import { createSubscriberGroups } from './subscriber-groups';
import { closeCodes, ProtocolSocket, SubscriptionConnection, type Upgraded } from './subscription-connection';
import type { SubscriptionsDeps } from './subscription-deps';
import { createMaySubscribe } from './subscription-owner';
import { createSubscriptionProtocol } from './subscription-protocol';

/** Both ways: the server pings, a peer that does not answer until the next ping is gone. */
const pingMs = 15_000;
/** How long sockets may take to close at a stop. */
const stopGraceMs = 2_000;

export function createSubscriptions(deps: SubscriptionsDeps): Upgrades {
  const { log, metrics, config, events } = deps;
  const connections = new Map<WebSocket, SubscriptionConnection>();
  const groups = createSubscriberGroups({
    log,
    events,
    bufferBytesMax: config.SOCKET_BUFFER_BYTES_MAX,
    onSent: (count) => metrics?.subscriptionEvents.inc(count),
    tracing: deps.tracing,
  });
  const tail = createEventTail({ log, metrics, events, wakeUps: deps.wakeUps, onEvents: groups.dispatch });
  const running = { ...deps, groups, tail, maySubscribe: createMaySubscribe(deps.graph) };
  const bounds = createSocketBounds(config);
  const live = createLiveCredentials(deps);
  const streams = createEventStreams({ ...running, bounds, live });
  const protocol = makeServer<Record<string, unknown>, SubscriptionConnection>({
    ...createSubscriptionProtocol(running),
    onConnect: (context) => admit(context),
    // The connection waits for itself: the library would keep its timer for as long as a socket lives.
    connectionInitWaitTimeout: 0,
  });
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.bodyBytesMax,
    handleProtocols,
  });
  // After what has arrived was read: a loop that stood still runs its timers first, and would miss pongs that are there.
  const pinging = setInterval(() => setImmediate(ping), pingMs);
  let isStopping = false;

  /** At connect: a good access token with a graph scope, or the cookie of a session, and a watch on it from then on. */
  async function admit(context: Context<Record<string, unknown>, SubscriptionConnection>): Promise<boolean> {
    const { connectionParams, extra: connection } = context;
    const authorization = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
    // Not kept as long as the socket lives.
    Object.assign(context, { connectionParams: undefined });
    connection.stopWaiting();
    try {
      const presented = typeof authorization === 'string' ? authorization : undefined;
      const caller = (await personOf(connection, presented)) ?? (await clientOf(connection, presented));
      connection.request = null;
      connection.caller = requireGraphScope(caller);
      connection.introduced?.();
      connection.introduced = null;
      const forget = bounds.admit(caller.accessTokenHash ?? caller.credentialId);
      if (!forget) {
        metrics?.socketsRefused.inc({ bound: 'token' });
        connection.close(closeCodes.tooMany);
        return false;
      }
      connection.take(forget);
      // From here on nothing that is committed can be missed by a subscription of this connection.
      await tail.hold();
    } catch (error) {
      noteForbidden(connection, error);
      connection.close(closeOf(error));
      return false;
    }
    connection.take(
      live.watch(connection.caller, (why) => connection.close(why)),
      tail.release,
    );
    return true;
  }

  /** Null with a token, and without a cookie. */
  async function personOf({ request }: SubscriptionConnection, presented: string | undefined): Promise<Caller | null> {
    if (presented !== undefined || !request) return null;
    return (await deps.persons?.callerOfSocket(request)) ?? null;
  }

  async function clientOf({ request }: SubscriptionConnection, presented: string | undefined): Promise<Caller> {
    try {
      return await deps.authenticate(presented);
    } catch (error) {
      throw presented && request ? await deps.blame('socket', request, error) : error;
    }
  }

  function noteForbidden({ caller = null, address }: SubscriptionConnection, error: unknown): void {
    if (!(error instanceof DomainError && error.code === 'forbidden')) return;
    deps.audit?.note({
      action: 'right.refused',
      requestId: newId(),
      address,
      caller,
      subjectType: 'surface',
      subjectId: 'socket',
    });
  }

  function closeOf(error: unknown) {
    const code = error instanceof DomainError ? error.code : null;
    if (code === 'unauthenticated') return closeCodes.unauthorized;
    if (code === 'forbidden') return closeCodes.forbidden;
    if (code === 'unavailable' || code === 'rateLimited') return closeCodes.tryAgain;
    log.error({ error, code: 'internal' }, 'a WebSocket could not be admitted');
    return closeCodes.internal;
  }

  function serve(ws: WebSocket, upgraded: Upgraded): void {
    const connection = new SubscriptionConnection(ws, upgraded);
    connections.set(ws, connection);
    connection.closed = protocol.opened(new ProtocolSocket(connection), connection) as typeof connection.closed;
    connection.wait(config.CONNECTION_INIT_TIMEOUT_MS);
    ws.on('message', onMessage).on('pong', onPong).on('error', ws.terminate).on('close', onClose);
  }

  function onMessage(this: WebSocket, data: RawData): void {
    const connection = connections.get(this);
    connection?.receive(parsed(data) as string).catch((error: unknown) => {
      log.error({ error, code: 'internal' }, 'a WebSocket message could not be served');
      connection.close(closeCodes.internal);
    });
  }

  function onPong(this: WebSocket): void {
    const connection = connections.get(this);
    if (connection) connection.isAlive = true;
  }

  function onClose(this: WebSocket, code: number, reason: Buffer): void {
    const connection = connections.get(this);
    if (!connection) return;
    connections.delete(this);
    connection.isClosing = true;
    connection.stopWaiting();
    connection.giveBack();
    void connection.closed(code, String(reason));
  }

  function ping(): void {
    for (const [ws, connection] of connections) {
      if (!connection.isAlive) ws.terminate();
      else {
        connection.isAlive = false;
        ws.ping();
      }
    }
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const address = deps.addressOf(request);
      const introduced = bounds.wait(address);
      if (typeof introduced === 'string') {
        metrics?.socketsRefused.inc({ bound: introduced });
        return refuseUpgrade(socket, introduced === 'address' ? '429 Too Many Requests' : '503 Service Unavailable');
      }
      const waits = () => {
        socket.removeListener('close', waits);
        introduced();
      };
      socket.on('close', waits);
      webSockets.handleUpgrade(request, socket, head, (ws) =>
        (isStopping ? turnAway : serve)(ws, { address, request, socket, introduced: waits }),
      );
    },
    stream: streams.serve,
    async stop() {
      isStopping = true;
      streams.stop();
      clearInterval(pinging);
      await closeAll([...connections.values()]);
      live.stop();
      await tail.stop();
    },
  };
}

/** Read here, since the library keeps what it is given, text or not, for as long as a subscription runs; it refuses what could not be read. */
function parsed(data: RawData): unknown {
  const text = String(data);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Came over a connection that stood before the stop; nobody waits for it, so it must not stay. */
function turnAway(ws: WebSocket, upgraded: Upgraded): void {
  ws.on('error', ws.terminate);
  new SubscriptionConnection(ws, upgraded).close(closeCodes.restart);
}

/** They may resume elsewhere; whoever does not close in time is cut. */
async function closeAll(open: readonly SubscriptionConnection[]): Promise<void> {
  const closed = open.map(({ ws }) => new Promise((resolve) => ws.once('close', resolve)));
  for (const connection of open) connection.close(closeCodes.restart);
  const grace = setTimeout(() => {
    for (const { ws } of open) ws.terminate();
  }, stopGraceMs);
  await Promise.all(closed);
  clearTimeout(grace);
}

/** Before there is a WebSocket: nothing is kept for whoever comes too often. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
