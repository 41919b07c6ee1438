// A callback receiver on loopback that keeps what it got and answers as told.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  at: number;
  path: string;
  /** Names in the spelling received, values in turn. */
  rawHeaders: string[];
  headers: IncomingMessage['headers'];
  body: string;
  eventId: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** How many requests are being answered now. */
  open(): number;
  /** Replaces the way it answers; by default 204. */
  answer(respond: (request: Received, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let respond = (_request: Received, response: ServerResponse): void => void response.writeHead(204).end();
  let openCount = 0;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    openCount += 1;
    response.on('close', () => {
      openCount -= 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        at: Date.now(),
        path: request.url ?? '',
        rawHeaders: request.rawHeaders,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        eventId: String(request.headers['webhook-id']),
      };
      received.push(one);
      respond(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open: () => openCount,
    answer: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
