// The receiver of the callback benchmark where no Go is installed: answers 204, 500 under /failing, counts by first path segment, and takes 5 s under /slow.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sayReady } from '../support/server-side';

const slowMs = 5_000;
const counts: Record<string, number> = {};

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(counts));
  const name = request.url?.split('/')[1] ?? '';
  const answer = () => {
    counts[name] = (counts[name] ?? 0) + 1;
    response.writeHead(name === 'failing' ? 500 : 204).end();
  };
  request.resume();
  request.on('end', () => (name === 'slow' ? setTimeout(answer, slowMs) : answer()));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => sayReady((server.address() as AddressInfo).port));
