// Limit: bare node http with the route in plain code.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings, sayReady } from '../support/server-side';
import { createPlainRoute } from './plain-route';

const prefix = '/virtual-accounts/';

async function start(): Promise<void> {
  const route = await createPlainRoute(readSettings<{ mongoUri: string }>().mongoUri);
  const server = createServer(async (request, response) => {
    const { status, body } = await route(request.headers, request.url?.slice(prefix.length) ?? '');
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => sayReady((server.address() as AddressInfo).port));
}

void start();
