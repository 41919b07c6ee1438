// Serves Prometheus text on METRICS_PORT: merged by the launcher over its processes, or of one process alone in a container.
import type { RequestListener, Server } from 'node:http';
import { register } from 'prom-client';
import { createBoundedServer } from '../subgraphs/shared/http/bounded-server';
import { listen } from './listen';

export interface MetricsSource {
  contentType: string;
  read(): Promise<string>;
}

/** For a process without a launcher: its own metrics, and its liveness for roles that have no other port. */
export async function serveOwnMetrics(host: string, port: number): Promise<{ stop(): Promise<void> }> {
  const server = await serveMetrics(host, port, { contentType: register.contentType, read: () => register.metrics() });
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Listens and answers `/metrics`, and `/healthz` for a container's liveness probe. */
export async function serveMetrics(host: string, port: number, source: MetricsSource): Promise<Server> {
  const serve: RequestListener = (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
    if (path !== '/metrics') return void response.writeHead(404).end();
    source.read().then(
      (text) => response.writeHead(200, { 'content-type': source.contentType }).end(text),
      // A process that does not answer in time; Prometheus asks again.
      () => response.writeHead(503, { 'retry-after': '5' }).end(),
    );
  };
  const server = createBoundedServer({ request: serve });
  await listen(server, port, host);
  return server;
}
