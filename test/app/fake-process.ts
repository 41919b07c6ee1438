// Stands in for the application in the launcher's tests: serves its role name, drains as the real one does, and dies on request.
import { createServer } from 'node:http';
import { Counter, Gauge } from 'prom-client';
import { drainHttpServer } from '../../app/drain';
import { supervise } from '../../app/supervised';

if (process.env['ROLES'] === 'prepare') {
  if (process.env['NODE_FAKE_PREPARE'] === 'fail') {
    process.stdout.write(`${JSON.stringify({ level: 'error', msg: 'the fake could not prepare' })}\n`);
    process.exit(1);
  }
  process.exit(0);
}
if (process.env['NODE_FAKE_START'] === 'die') throw new TypeError('the fake never starts');

new Gauge({ name: 'fake_processes', help: 'Fake processes', aggregator: 'sum' }).set(1);
new Counter({
  name: 'fake_reads_total',
  help: 'How often the figures of a fake process were read',
  collect() {
    this.inc();
  },
});

const role = process.env['ROLE_NAME'] ?? '';
const server = createServer((request, response) => {
  if (request.url === '/crash') process.exit(3);
  if (request.url === '/say') process.stdout.write('said\n');
  const answer = () => response.end(JSON.stringify({ role, pid: process.pid, roles: process.env['ROLES'] }));
  if (request.url === '/slow') setTimeout(answer, 300);
  else answer();
});

const port = portOfRole(process.env['ROLES'] ?? '');
const hangs = process.env['NODE_FAKE_DRAIN'] === 'hang';
const supervised = supervise(
  () => (hangs ? new Promise(() => undefined) : drainHttpServer(server, { lingerMs: 300 })),
  Number(process.env['SHUTDOWN_TIMEOUT_MS'] ?? 10_000),
);
if (port === undefined) {
  setInterval(() => undefined, 1_000);
  supervised.ready();
} else {
  server.listen(Number(process.env[port]), process.env['HOST'], () => supervised.ready());
}

function portOfRole(roles: string): string | undefined {
  if (roles === 'all' || roles === 'rest-facade') return 'REST_PORT';
  if (roles === 'authorization') return 'AUTH_PORT';
  if (roles === 'gateway') return 'GRAPH_PORT';
  if (roles === 'pages') return 'PAY_PORT';
  return roles.startsWith('subgraph:') ? 'SUBGRAPH_PORT' : undefined;
}
