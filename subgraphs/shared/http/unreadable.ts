// What node:http could not read as a request, and whom it found too slow: answered in one line and closed, without a word about it in the logs.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../ids';

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** How long what has arrived may lie unread. */
const secondLookMs = 1_000;

/** Watches a server; call it once its handlers of `request` and `checkContinue` are there. */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  for (const event of ['request', 'checkContinue'])
    if (server.listenerCount(event) > 0)
      server.on(event, (request: IncomingMessage) => latest.set(request.socket, request));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') lookAgain(server, latest, { socket, afterMs: secondLookMs });
    else refuse(socket, error.code);
  });
}

/**
 * A process that stood still finds clients too slow whose bytes it has not read yet, so each is looked at twice. A connection on which nothing was
 * ever sent is closed without a status: a browser sends a request on its way there again.
 */
function lookAgain(
  server: Server,
  latest: WeakMap<Socket, IncomingMessage>,
  { socket, afterMs }: { socket: Socket; afterMs: number },
): void {
  const before = latest.get(socket);
  const isOpen = before !== undefined && !before.complete;
  setTimeout(() => {
    if (socket.destroyed) return;
    const now = latest.get(socket);
    const hasMoved = now !== before || (isOpen && now?.complete);
    if (!hasMoved && socket.bytesRead === 0) socket.destroy();
    else if (!hasMoved) refuse(socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    else if (!now?.complete) lookAgain(server, latest, { socket, afterMs: server.requestTimeout });
  }, afterMs).unref();
}

function refuse(socket: Socket, code = ''): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nX-Request-ID: ${newId()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
