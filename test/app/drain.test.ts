// Stopping an HTTP server without failing a request, on real sockets.
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { drainHttpServer } from '../../app/drain';

let server: Server;
let held: ServerResponse[];
let port: number;

beforeEach(async () => {
  held = [];
  server = createServer((incoming, response) => {
    if (incoming.url === '/held') held.push(response);
    else response.end('answer');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as { port: number }).port;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function get(path: string, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response));
    })
      .once('error', reject)
      .end();
  });
}

test('a request under way is answered, its client may come by once more, and draining waits for both', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const asked = get('/held', agent);
  while (held.length === 0) await new Promise(setImmediate);
  const drained = drainHttpServer(server, { lingerMs: 5_000 });
  held[0]?.end('late');
  expect((await asked).statusCode).toBe(200);
  expect((await get('/', agent)).headers.connection).toBe('close');
  await drained;
});

test('the connection of a request that outlasts the linger is ended in order when it stays idle', async () => {
  const asked = get('/held', new Agent({ keepAlive: true }));
  while (held.length === 0) await new Promise(setImmediate);
  const idle = await openIdle();
  const idleEnded = new Promise((done) => idle.resume().once('close', done));
  const drained = drainHttpServer(server, { lingerMs: 50 });
  // The linger is over when the one that was idle has been closed.
  await idleEnded;
  held[0]?.end('late');
  expect((await asked).statusCode).toBe(200);
  await drained;
});

test('a keep-alive client that comes by while draining is answered and told to close', async () => {
  const agent = new Agent({ keepAlive: true });
  await get('/', agent);
  const drained = drainHttpServer(server, { lingerMs: 5_000 });
  const answer = await get('/', agent);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers.connection).toBe('close');
  await drained;
});

test('an idle socket is ended in order, not reset, once it had time to come by', async () => {
  const socket = await openIdle();
  const events: string[] = [];
  for (const name of ['end', 'error', 'close']) socket.on(name, () => events.push(name));
  socket.resume();
  await drainHttpServer(server, { lingerMs: 50 });
  if (!socket.closed) await new Promise((done) => socket.once('close', done));
  expect(events).toEqual(['end', 'close']);
});

test('new connections are refused from the first moment', async () => {
  const drained = drainHttpServer(server, { lingerMs: 10 });
  const refused = new Promise((done) => connect(port, '127.0.0.1').once('error', done));
  expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  await drained;
});

test('what hangs is cut when time is up', async () => {
  const asked = get('/held').catch((error: NodeJS.ErrnoException) => error.code);
  while (held.length === 0) await new Promise(setImmediate);
  await drainHttpServer(server, { lingerMs: 10, timeoutMs: 100 });
  expect(await asked).toBe('ECONNRESET');
});

test('a server that does not listen has nothing to drain', async () => {
  await drainHttpServer(createServer());
});

/** A keep-alive connection that has had one answer. */
async function openIdle(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await new Promise((done) => socket.once('data', done));
  return socket;
}
