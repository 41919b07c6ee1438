// Writes a reply as JSON, and the reply to a request whose body stays unread.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from '../subgraphs/shared/http/send-text';

export interface Reply {
  status: number;
  /** Printed as JSON; absent for a reply without a body. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** How long, and for how many bytes, a client that goes on sending after its refusal is listened to, so that it gets to read the refusal. */
const lingerMs = 1_000;
const lingerBytesMax = 1_048_576;

/** Sends the reply with `common` headers; the reply's own headers win. */
export function send(response: ServerResponse, reply: Reply, common: Record<string, string>): void {
  const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
  sendText(response, { status: reply.status, headers: headersOf(reply, common), text });
}

/** Answers at once, then drops what the client still sends and closes; closing earlier would reset the connection under the answer. */
export function closeAfterwards(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(reply.body);
  const length = Buffer.byteLength(text);
  response.writeHead(reply.status, { ...headersOf(reply, {}), 'content-length': length, connection: 'close' });
  response.write(text);
  let bytes = 0;
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > lingerBytesMax) end();
  });
  request.once('end', end);
  request.once('close', end);
  request.resume();
}

/** Written out twice: spreading constants first costs 4 µs of a reply. */
function headersOf({ body, headers }: Reply, common: Record<string, string>): Record<string, string> {
  if (body === undefined)
    return { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...common, ...headers };
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json',
    ...common,
    ...headers,
  };
}
