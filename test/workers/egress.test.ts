// The egress against hostile receivers: every attempt comes back with a result, bounded in time and bytes.
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createEgress, type Egress, type EgressOptions } from '../../workers';
import { standStill } from '../support/stand-still';
import { type Receiver, startReceiver } from './receiver';

const closers: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A receiver that reads the head of a request and then does as it likes. */
const onRequest = (act: (socket: Socket) => void) => listen((socket) => void socket.once('data', () => act(socket)));

function egressWith(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ sandbox: true, totalTimeoutMs: 30_000, connectTimeoutMs: 10_000, ...options });
  closers.push(() => egress.close());
  return egress;
}

function post(egress: Egress, address: string, headers: string[] = [], body = '{"a":1}') {
  const target = egress.targetOf(address);
  if (!target) throw new Error(`${address} is refused`);
  return egress.send({ target, path: '/v1/x', headers, body });
}

/** Where nothing but the limit ends the attempt. */
const short = { totalTimeoutMs: 2_000 };

/** What it does, the doing, what the attempt must come to, and limits of its own. */
type Hostile = [string, (socket: Socket) => void, object, Partial<EgressOptions>?];
const hostile: Hostile[] = [
  ['never answers', () => undefined, { result: 'timeout', status: null }, short],
  ['resets at once', (socket) => socket.resetAndDestroy(), { result: 'connectionLost', status: null }],
  ['hangs up without a word', (socket) => socket.end(), { result: 'connectionLost', status: null }],
  ['answers no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), { result: 'invalidReply', status: null }],
  [
    'sends 10 000 header lines',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'X-Line: 0123456789\r\n'.repeat(10_000)}\r\n`),
    { result: 'invalidReply', status: null },
  ],
  [
    'sends a header without end',
    (socket) => endless(socket, 'HTTP/1.1 200 OK\r\nX-A: ', 'a'.repeat(1024)),
    { result: 'invalidReply' },
  ],
  [
    'sends header values that are not UTF-8',
    (socket) =>
      socket.end(Buffer.from('HTTP/1.1 500 \xff\xfe\r\nX-A: \xc3\x28\xff\r\nContent-Length: 0\r\n\r\n', 'latin1')),
    { result: 'httpError', status: 500 },
  ],
  [
    'sends a status and then 1 byte at a time',
    (socket) => drip(socket, 'HTTP/1.1 500 Oops\r\nContent-Length: 1000\r\n\r\n'),
    { result: 'httpError', status: 500 },
    // Long enough for the status to come on a slow machine.
    { totalTimeoutMs: 5_000 },
  ],
  ['sends 1 byte of the head at a time', (socket) => drip(socket, ''), { result: 'timeout', status: null }, short],
  [
    'succeeds with an endless body',
    (socket) => endless(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'b'.repeat(4096)),
    { result: 'delivered', status: 200, excerpt: null },
  ],
  [
    'fails with an endless body',
    (socket) => endless(socket, 'HTTP/1.1 503 No\r\nRetry-After: 7\r\n\r\n', 'c'.repeat(4096)),
    { result: 'httpError', status: 503, retryAfter: '7' },
  ],
  [
    'sends two contradicting lengths',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    { result: 'invalidReply' },
  ],
  [
    'sends 103 for ever',
    (socket) => endless(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n', 20),
    { result: 'timeout', status: null },
    short,
  ],
  [
    'switches protocols',
    (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    { status: null },
  ],
];

/** That an attempt ends at all; the limits themselves are longer than a machine may stand still. */
const boundMs = 60_000;

describe('hostile receivers', () => {
  test.each(hostile)('one that %s', async (...[, act, expected, limits]: Hostile) => {
    const started = performance.now();
    const reply = await post(egressWith(limits), await onRequest(act));
    expect(reply).toMatchObject(expected);
    expect(performance.now() - started).toBeLessThan(boundMs);
    expect(reply.excerpt?.length ?? 0).toBeLessThanOrEqual(1_200);
  });

  test('a 10 MB reply is read to 16 KiB and cut off', async () => {
    let sent = 0;
    const address = await onRequest((socket) => {
      const chunk = Buffer.alloc(64 * 1024, 'd');
      socket.write('HTTP/1.1 500 Oops\r\nContent-Length: 10485760\r\n\r\n');
      const more = () => {
        while (sent < 10_485_760 && !socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
      };
      more();
    });
    expect(await post(egressWith(), address)).toMatchObject({ result: 'httpError', status: 500 });
    expect(sent).toBeLessThan(10_485_760);
  });

  test('nobody listens', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await post(egressWith(), receiver.url)).toMatchObject({ result: 'connectFailed', status: null });
  });

  test('TLS that stalls is given up after the connect time', async () => {
    const address = await listen(() => undefined);
    const resolved = { resolveName: async () => ['127.0.0.1'], isAllowed: () => true };
    const egress = egressWith({ ...resolved, connectTimeoutMs: 600 });
    const started = performance.now();
    const reply = await post(egress, address.replace('http://127.0.0.1', 'https://stalls.example'));
    expect(reply.result).toBe('connectTimeout');
    expect(performance.now() - started).toBeLessThan(boundMs);
  });

  test('a connection that stood while the process did not run is none that took too long', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const sent = post(egressWith({ connectTimeoutMs: 100 }), receiver.url);
    // After the connect was begun, before its answer is read.
    await new Promise(setImmediate);
    standStill(400);
    expect(await sent).toMatchObject({ result: 'delivered' });
  });

  test('TLS to something that speaks none fails as such', async () => {
    const address = await onRequest((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const egress = egressWith({ resolveName: async () => ['127.0.0.1'], isAllowed: () => true });
    const reply = await post(egress, address.replace('http://127.0.0.1', 'https://plain.example'));
    expect(reply.result).toBe('tlsFailed');
  });

  test('a name that does not resolve', async () => {
    const egress = egressWith({ resolveName: async () => [] });
    expect(await post(egress, 'https://nowhere.example/')).toMatchObject({ result: 'nameNotResolved', status: null });
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%d is a failure and is not followed', async (status) => {
    const inside = await startReceiver();
    closers.push(inside.close);
    const receiver = await startReceiver();
    closers.push(receiver.close);
    receiver.answer(
      (_request, response) => void response.writeHead(status, { Location: `${inside.url}/secret` }).end(),
    );
    expect(await post(egressWith(), receiver.url)).toMatchObject({ result: 'redirect', status });
    expect(inside.received).toHaveLength(0);
  });
});

describe('what is sent', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    closers.push(receiver.close);
  });

  test('one POST with the headers in the given spelling and the very bytes of the body', async () => {
    const body = '{"name":"Åse 🙂","n":1}';
    const headers = ['Content-Type', 'application/json', 'X-Request-ID', 'abc', 'webhook-id', 'abc'];
    expect(await post(egressWith(), `${receiver.url}/base/`, headers, body)).toMatchObject({
      result: 'delivered',
      status: 204,
    });
    const call = receiver.received.at(-1);
    expect(call).toMatchObject({ path: '/base/v1/x', body });
    expect(call?.rawHeaders.join('\n')).toContain('X-Request-ID\nabc\nwebhook-id\nabc');
  });

  test.each([['a\r\nX-Injected: 1'], ['a\nb'], ['a\u0000b'], ['a\u0100b']])(
    'a header value %j is never split into two',
    async (value) => {
      const before = receiver.received.length;
      const reply = await post(egressWith(), receiver.url, ['Authorization', value]);
      expect(reply.result).toBe('invalidReply');
      expect(receiver.received).toHaveLength(before);
    },
  );

  test('localhost is connected on loopback', async () => {
    expect(await post(egressWith(), receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({
      result: 'delivered',
    });
  });

  test('a name is connected at the judged address, under its own name', async () => {
    const { postTo, hosts, port } = await byName(async () => ['127.0.0.1']);
    expect(await postTo('hooks.example')).toMatchObject({ result: 'delivered' });
    expect([...hosts.keys()]).toEqual([`hooks.example:${port}`]);
  });

  test('of more origins than are kept, one whose name is long in resolving is called, and one just used keeps its connection', async () => {
    let resolve = () => {};
    const asked = new Promise<void>((done) => {
      resolve = done;
    });
    const { postTo, hosts, port } = await byName(async (name) => {
      if (name === 'slow.example') await asked;
      return ['127.0.0.1'];
    });
    const slow = postTo('slow.example');
    const others = Array.from({ length: 512 }, (_one, index) => `${index}.example`);
    for (const name of ['used.example', ...others.slice(1), 'used.example', '0.example', 'used.example']) {
      expect(await postTo(name)).toMatchObject({ result: 'delivered' });
    }
    resolve();
    expect(await slow).toMatchObject({ result: 'delivered' });
    expect(hosts.get(`used.example:${port}`)?.size).toBe(1);
  });

  test('the reply shown is short, escaped and without card numbers', async () => {
    receiver.answer(
      (_request, response) => void response.writeHead(500).end('<b>\u0000"é" 4242424242424242</b>\n'.repeat(100)),
    );
    const { excerpt } = await post(egressWith(), receiver.url);
    expect(excerpt).toMatch(/^[\x20-\x7e]+$/);
    expect(excerpt).not.toContain('4242424242424242');
  });
});

/** A server that is reached under any name, and on which connections each name was called; an egress that resolves names as told. */
async function byName(resolveName: (name: string) => Promise<string[]>) {
  const hosts = new Map<string, Set<Socket>>();
  const server = createHttpServer(({ headers: { host = '' }, socket }, response) => {
    hosts.set(host, (hosts.get(host) ?? new Set()).add(socket));
    response.writeHead(204).end();
  });
  server.keepAliveTimeout = 600_000; // Longer than any test.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const egress = egressWith({ resolveName, isAllowed: (address) => address === '127.0.0.1' });
  const place = { basePath: '', fullPath: '/', place: 'world' as const };
  const postTo = (name: string) => {
    const target = { ...place, origin: `http://${name}:${port}`, name };
    return egress.send({ target, path: '/', headers: [], body: '{}' });
  };
  return { postTo, hosts, port };
}

function endless(socket: Socket, head: string, piece: string, everyMs = 0): void {
  socket.write(head, 'latin1');
  const more = () => {
    if (socket.destroyed) return;
    socket.write(piece);
    setTimeout(more, everyMs);
  };
  more();
}

function drip(socket: Socket, head: string): void {
  socket.write(head);
  const rest = 'x'.repeat(1_000);
  const text = head ? rest : `HTTP/1.1 200 OK\r\nX-A: ${rest}\r\n\r\n`;
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || sent >= text.length) return clearInterval(timer);
    socket.write(text[sent] ?? '');
    sent += 1;
  }, 100);
}
