// Abuse below HTTP: each is answered or closed in time, a refusal for size at once, and the server goes on.
import { type AddressInfo, connect } from 'node:net';
import { type Facade, goodHeaders, startFacade, virtualAccountId } from './fixture';

interface Outcome {
  /** Status of the first answer; null when the connection was closed without one. */
  status: number | null;
  text: string;
}

describe('raw HTTP', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await startFacade();
  });
  afterAll(() => facade.stop());

  /** Writes the pieces and reads until the server closes or, for answers that keep the connection, until `until` was read. */
  function converse(pieces: (string | Buffer)[], until = ''): Promise<Outcome> {
    const socket = connect((facade.server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    return new Promise((resolve) => {
      const finish = () => {
        socket.destroy();
        const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
        resolve({ status: status ? Number(status) : null, text });
      };
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (until && text.includes(until)) finish();
      });
      socket.on('close', finish);
      socket.on('error', finish);
      for (const piece of pieces) socket.write(piece);
    });
  }

  const headerLines = Object.entries(goodHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const post = (extra: string) =>
    `POST /virtual-accounts/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headerLines}${extra}\r\n`;
  const get = (extra = '') =>
    `GET /virtual-accounts/${virtualAccountId} HTTP/1.1\r\nHost: x\r\n${headerLines}${extra}\r\n`;

  it.each<[string, (string | Buffer)[], (number | null)[]]>([
    ['not HTTP at all', ['hello\r\n\r\n'], [400]],
    ['a TLS greeting', [Buffer.from('1603010200010001fc0303', 'hex')], [400]],
    ['both length headers', [post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'), '0\r\n\r\n'], [400]],
    ['two lengths', [post('Content-Length: 4\r\nContent-Length: 5\r\n'), 'aaaaa'], [400]],
    ['a negative length', [post('Content-Length: -1\r\n')], [400]],
    ['a bad chunk size', [post('Transfer-Encoding: chunked\r\n'), 'zz\r\n{}\r\n'], [400]],
    ['an unknown transfer coding', [post('Transfer-Encoding: gzip\r\n'), 'x'], [400, 501, null]],
    ['a header of 1 MB', [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n`], [431, null]],
    ['10,000 headers', [`GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`], [431, null]],
    ['NUL in a header', [get('X-Nul: a\0b\r\n')], [400]],
    ['a header without a colon', [get('nonsense\r\n')], [400]],
    ['no Host', ['GET / HTTP/1.1\r\n\r\n'], [400]],
    ['a path of 20,000 characters', [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`], [431, null]],
    ['an unknown method', ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n'], [400]],
  ])('%s is refused and the connection closed', async (_name, pieces, statuses) => {
    const outcome = await converse(pieces);
    expect(statuses).toContain(outcome.status);
  });

  it.each([
    ['an announced length', post('Content-Length: 10485760\r\n'), 'x'.repeat(1_000)],
    ['an announced length with Expect', post('Content-Length: 10485760\r\nExpect: 100-continue\r\n'), ''],
    ['chunks without an end', post('Transfer-Encoding: chunked\r\n'), `5000\r\n${'x'.repeat(0x5000)}\r\n`],
  ])('over-long by %s is 413 at once, without reading the rest', async (_name, head, body) => {
    const outcome = await converse([head, body], '\r\n\r\n');
    expect(outcome.status).toBe(413);
    expect(outcome.text.toLowerCase()).toContain('connection: close');
  });

  it('lets a client that sends everything first read its 413', async () => {
    const outcome = await converse([post('Content-Length: 900000\r\n'), 'x'.repeat(900_000)]);
    expect(outcome.status).toBe(413);
    expect(outcome.text).toContain('longer than 16384 bytes');
  });

  it('asks for the body of a client that waits for 100 Continue', async () => {
    const outcome = await converse([post('Content-Length: 2\r\nExpect: 100-continue\r\n'), '{}'], 'MTS-1614');
    expect(outcome.text).toMatch(/^HTTP\/1\.1 100 Continue[\s\S]*HTTP\/1\.1 400/);
  });

  it('closes a connection whose headers never end', async () => {
    const outcome = await converse(['GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ']);
    expect([408, null]).toContain(outcome.status);
  });

  it('closes a connection whose body never ends', async () => {
    const outcome = await converse([post('Content-Length: 100\r\n'), '{']);
    expect([408, null]).toContain(outcome.status);
  });

  it('answers pipelined requests in order', async () => {
    const outcome = await converse([get() + get('Connection: close\r\n')]);
    expect(outcome.text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it('takes the absolute form of a target', async () => {
    const outcome = await converse([get('Connection: close\r\n').replace('GET /', 'GET http://x/')]);
    expect(outcome.status).toBe(200);
  });

  it('survives clients that hang up in the middle', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async (_unused, index) => {
        const socket = connect((facade.server.address() as AddressInfo).port, '127.0.0.1');
        await new Promise<void>((resolve) => {
          socket.on('connect', () =>
            socket.write(post('Content-Length: 100\r\n').slice(0, 20 + index * 10), () => resolve()),
          );
        });
        socket.destroy();
      }),
    );
    expect((await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`)).status).toBe(200);
    expect(facade.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
