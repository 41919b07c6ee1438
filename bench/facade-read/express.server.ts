// Ordinary: express 5 with the route in plain code.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { readSettings, sayReady } from '../support/server-side';
import { createPlainRoute } from './plain-route';

async function start(): Promise<void> {
  const route = await createPlainRoute(readSettings<{ mongoUri: string }>().mongoUri);
  const app = express();
  app.disable('x-powered-by');
  app.get('/virtual-accounts/:virtualAccountId', async (request, response) => {
    const { status, body } = await route(request.headers, request.params.virtualAccountId);
    response.status(status).json(body);
  });
  const server = app.listen(0, '127.0.0.1', () => sayReady((server.address() as AddressInfo).port));
  server.keepAliveTimeout = 600_000;
}

void start();
