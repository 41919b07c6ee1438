// A client that never ends its headers, at every port of the running program: closed with 408, and the port serves on.
import { once } from 'node:events';
import { connect } from 'node:net';
import { sharedWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world?.stop());

/** Ports of the addresses that people use, and of each process that has one of its own; the databases speak no HTTP. */
function httpPorts(): number[] {
  const { urls } = world;
  const addresses = [urls.rest, urls.auth, urls.pay, urls.shop, urls.acs, urls.graph, urls.metrics];
  const own = world.processes().filter(({ role }) => role !== 'mongod' && role !== 'redis-server');
  const ports = [...addresses.map((url) => Number(new URL(url).port)), ...own.map(({ port }) => port ?? 0)];
  return [...new Set(ports)].filter((port) => port > 0);
}

it('closes headers that do not end, at every port', async () => {
  const ports = httpPorts();
  expect(ports.length).toBeGreaterThanOrEqual(7);
  const answers = await Promise.all(ports.map(async (port) => ({ port, answer: await answerTo(port) })));
  expect(answers).toEqual(ports.map((port) => ({ port, answer: 'HTTP/1.1 408 Request Timeout' })));
});

/** What a port says before it closes a connection on which half a header was sent. */
async function answerTo(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  await once(socket, 'close');
  return text.split('\r\n', 1)[0] ?? '';
}
