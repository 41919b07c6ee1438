// graphql-transport-ws on the graph's port, served from the event log: the library keeps the protocol, groups of subscribers get
// ready frames. Rights are checked at connect, per subscription and per event.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Context, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { DomainError } from '../subgraphs/shared/errors';
import { requireGraphScope } from './context';
import { createEventTail } from './event-tail';
import { limits } from './limits';
import { createLiveCredentials } from './live-credentials';
import type { Upgrades } from './server';
import { createSubscriberGroups } from './subscriber-groups';
import { type Connection, closeCodes, openConnection } from './subscription-connection';
import type { SubscriptionsDeps } from './subscription-deps';
import { createSubscriptionProtocol } from './subscription-protocol';

/** Both ways: the server pings, a peer that does not answer until the next ping is gone. */
const pingMs = 15_000;
/** How long sockets may take to close at a stop. */
const stopGraceMs = 2_000;

export function createSubscriptions(deps: SubscriptionsDeps): Upgrades {
  const { log, metrics, config } = deps;
  const connections = new Set<Connection>();
  const groups = createSubscriberGroups({
    log,
    bufferBytesMax: config.SOCKET_BUFFER_BYTES_MAX,
    onSent: (count) => metrics?.subscriptionEvents.inc(count),
  });
  const tail = createEventTail({ log, events: deps.events, doorbell: deps.doorbell, onEvents: groups.dispatch });
  const live = createLiveCredentials(deps.liveScopes, log);
  const protocol = makeServer<Record<string, unknown>, Connection>({
    ...createSubscriptionProtocol({ ...deps, groups, tail }),
    onConnect: (context) => admit(context),
  });
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.bodyBytesMax,
    handleProtocols,
  });
  const pinging = setInterval(ping, pingMs);
  let isStopping = false;

  /** At connect: a good access token with a graph scope, and a watch on it from then on. */
  async function admit({
    connectionParams,
    extra: connection,
  }: Context<Record<string, unknown>, Connection>): Promise<boolean> {
    const authorization = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
    try {
      const caller = await deps.authenticate(typeof authorization === 'string' ? authorization : undefined);
      connection.caller = requireGraphScope(caller);
      // From here on nothing that is committed can be missed by a subscription of this connection.
      await tail.hold();
    } catch (error) {
      connection.close(closeOf(error));
      return false;
    }
    const unwatch = live.watch(connection.caller, connection.close);
    const leave = () => {
      unwatch();
      tail.release();
    };
    if (connection.ws.readyState === connection.ws.CLOSED) leave();
    else connection.ws.once('close', leave);
    return true;
  }

  function closeOf(error: unknown) {
    const code = error instanceof DomainError ? error.code : null;
    if (code === 'unauthenticated') return closeCodes.unauthorized;
    if (code === 'forbidden') return closeCodes.forbidden;
    if (code === 'unavailable' || code === 'rateLimited') return closeCodes.tryAgain;
    log.error({ error, code: 'internal' }, 'a WebSocket could not be admitted');
    return closeCodes.internal;
  }

  function serve(ws: WebSocket, socket: Duplex): void {
    const connection = openConnection(ws, socket);
    connections.add(connection);
    let receive: (data: string) => Promise<void> = async () => {};
    const closed = protocol.opened(
      {
        protocol: ws.protocol,
        send: (data) =>
          new Promise((resolve) => {
            if (connection.isClosing) resolve();
            // A failed write shows as the close of the socket.
            else ws.send(data, () => resolve());
          }),
        close: (code, reason) => connection.close({ code, reason } as never),
        onMessage: (listener) => {
          receive = listener;
        },
      },
      connection,
    );
    ws.on('message', (data) => {
      receive(String(data)).catch((error: unknown) => {
        log.error({ error, code: 'internal' }, 'a WebSocket message could not be served');
        connection.close(closeCodes.internal);
      });
    });
    ws.on('pong', () => {
      connection.isAlive = true;
    });
    ws.on('error', () => ws.terminate());
    ws.once('close', (code, reason) => {
      connection.isClosing = true;
      connections.delete(connection);
      void closed(code, String(reason));
    });
  }

  /** Came over a connection that stood before the stop; nobody waits for it, so it must not stay. */
  function turnAway(ws: WebSocket, socket: Duplex): void {
    ws.on('error', () => ws.terminate());
    openConnection(ws, socket).close(closeCodes.restart);
  }

  function ping(): void {
    for (const connection of connections) {
      if (!connection.isAlive) connection.ws.terminate();
      else {
        connection.isAlive = false;
        connection.ws.ping();
      }
    }
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      webSockets.handleUpgrade(request, socket, head, (ws) => (isStopping ? turnAway : serve)(ws, socket));
    },
    async stop() {
      isStopping = true;
      clearInterval(pinging);
      const open = [...connections];
      const closed = open.map(({ ws }) => new Promise((resolve) => ws.once('close', resolve)));
      for (const connection of open) connection.close(closeCodes.restart);
      const grace = setTimeout(() => {
        for (const { ws } of open) ws.terminate();
      }, stopGraceMs);
      await Promise.all(closed);
      clearTimeout(grace);
      live.stop();
      await tail.stop();
    },
  };
}
