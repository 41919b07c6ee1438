// Metrics are for our own monitoring: they listen where METRICS_HOST says, not where the public ports do.
import type { Server } from 'node:http';
import { serveMetrics } from '../../app/metrics-endpoint';
import { readConfig } from '../../subgraphs/shared/config';

const source = { contentType: 'text/plain', read: async () => 'up 1\n' };
let server: Server;

afterEach(() => new Promise((done) => server.close(done)));

it.each([
  ['loopback alone, whatever HOST is', { HOST: '0.0.0.0' }, '127.0.0.1'],
  ['the address that it is given', { HOST: '127.0.0.1', METRICS_HOST: '127.0.0.2' }, '127.0.0.2'],
])('METRICS_HOST: %s', async (_name, env, expected) => {
  server = await serveMetrics(readConfig(env).METRICS_HOST, 0, source);
  expect(server.address()).toMatchObject({ address: expected });
});

it('answers metrics and liveness, and nothing else', async () => {
  server = await serveMetrics('127.0.0.1', 0, source);
  const { port } = server.address() as { port: number };
  const answers = await Promise.all(
    ['/metrics', '/metrics?x=1', '/healthz', '/', '/graphql'].map(async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return [answer.status, await answer.text()];
    }),
  );
  expect(answers).toEqual([
    [200, 'up 1\n'],
    [200, 'up 1\n'],
    [200, 'ok\n'],
    [404, ''],
    [404, ''],
  ]);
});

it('answers 503 while the processes do not', async () => {
  server = await serveMetrics('127.0.0.1', 0, { ...source, read: () => Promise.reject(new Error('away')) });
  const { port } = server.address() as { port: number };
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(503);
});
