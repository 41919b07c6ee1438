// Callback receivers of a proof: HTTP servers that write down every request and answer as they are told.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `hang`: no answer at all; `reset`: the connection is cut once the request was read. */
export type Behaviour = number | 'hang' | 'reset';

export interface Delivery {
  atMs: number;
  path: string;
  eventId: string;
  webhookId: string;
  body: string;
  behaviour: Behaviour;
}

export interface Receiver {
  url: string;
  deliveries: Delivery[];
  close(): Promise<void>;
}

/** `decide` is asked once per request with how often the same event came before. */
export async function openReceiver(
  decide: (delivery: Omit<Delivery, 'behaviour'>, repetition: number) => Behaviour = () => 204,
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const atMs = Date.now();
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = {
        atMs,
        path: request.url ?? '',
        eventId: String(request.headers['x-request-id'] ?? request.headers['webhook-id'] ?? ''),
        webhookId: String(request.headers['webhook-id'] ?? ''),
        body: Buffer.concat(chunks).toString('utf8'),
      };
      const repetition = seen.get(delivery.eventId) ?? 0;
      seen.set(delivery.eventId, repetition + 1);
      const behaviour = decide(delivery, repetition);
      deliveries.push({ ...delivery, behaviour });
      answer(response, behaviour);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, behaviour: Behaviour): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'reset') return void response.socket?.resetAndDestroy();
  response.writeHead(behaviour).end();
}

/** True when the receiver took it. */
export function isAccepted({ behaviour }: Delivery): boolean {
  return typeof behaviour === 'number' && behaviour >= 200 && behaviour < 300;
}
