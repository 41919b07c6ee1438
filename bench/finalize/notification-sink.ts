// The merchant's receiver of the finalize benchmark: answers 204 and remembers when the first byte about each operation came.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NotificationSink {
  url: string;
  /** On performance.now(); undefined while nothing has come. */
  firstByteAt(operationId: string): number | undefined;
  /** Waits until each of these has been told of. */
  untilHas(operationIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const waitMsMax = 60_000;
const pollMs = 20;

export async function openNotificationSink(): Promise<NotificationSink> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const at = performance.now();
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { operationId } = (JSON.parse(text) as { operation: { operationId: string } }).operation;
      if (!arrivals.has(operationId)) arrivals.set(operationId, at);
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    firstByteAt: (operationId) => arrivals.get(operationId),
    async untilHas(operationIds) {
      const until = Date.now() + waitMsMax;
      while (!operationIds.every((id) => arrivals.has(id))) {
        if (Date.now() > until) {
          const missing = operationIds.filter((id) => !arrivals.has(id)).length;
          throw new Error(`${missing} of ${operationIds.length} notifications did not come within ${waitMsMax} ms`);
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
