// Every HTTP server of the project is made here, so that no port waits longer, reads more or holds more connections than another.
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerUnreadable } from './unreadable';

/** Bounds of one server. A request that has not arrived within ten seconds is closed, with half a second between two looks. */
export const serverLimits = {
  headersBytesMax: 16_384,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 9_000,
  timeoutCheckMs: 500,
  /** Longer than clients and proxies keep an idle connection: one that is closed while a request is on its way fails. */
  keepAliveTimeoutMs: 65_000,
  /** Of one process at one port, idle ones and WebSockets among them; a connection beyond it is closed at once. */
  connectionsMax: 16_384,
} as const;

export interface Listeners {
  request: RequestListener;
  /** For clients that ask before they send a body (`Expect: 100-continue`); absent: they are told to go on. */
  checkContinue?: RequestListener;
}

/** A server that does not listen yet. */
export function createBoundedServer({ request, checkContinue }: Listeners): Server {
  const server = createServer(
    {
      maxHeaderSize: serverLimits.headersBytesMax,
      headersTimeout: serverLimits.headersTimeoutMs,
      requestTimeout: serverLimits.requestTimeoutMs,
      keepAliveTimeout: serverLimits.keepAliveTimeoutMs,
      connectionsCheckingInterval: serverLimits.timeoutCheckMs,
    },
    request,
  );
  server.maxConnections = serverLimits.connectionsMax;
  if (checkContinue) server.on('checkContinue', checkContinue);
  answerUnreadable(server);
  return server;
}
