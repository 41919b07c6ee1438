// Stops an HTTP server so that no request fails: keep-alive sockets are asked to leave with their next answer before idle ones are closed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { startDeadline } from '../subgraphs/shared/deadline';

export interface DrainOptions {
  /** How long busy keep-alive clients have to come by once more and be told to close. */
  lingerMs?: number;
  /** When whatever is still open is cut. */
  timeoutMs?: number;
}

/**
 * Stops accepting, answers what comes over open sockets with `Connection: close`, closes sockets that stay idle, and resolves when none is left.
 * Sockets that were upgraded are the WebSocket server's to close, with a code, meanwhile: it waits for them too.
 */
export async function drainHttpServer(server: Server, options: DrainOptions = {}): Promise<void> {
  const { lingerMs = 1_500, timeoutMs = 10_000 } = options;
  if (!server.listening) return;
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  // A request that is under way was told to keep its connection; from its answer on it has as long to come by as everyone else.
  server.keepAliveTimeout = lingerMs;
  // `close` of http.Server would cut idle sockets at once, and with them a request that is on its way; net.Server's only stops accepting.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => undefined;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const stopLinger = startDeadline(lingerMs, closeIdle);
  const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  stopLinger();
  clearTimeout(deadline);
}
