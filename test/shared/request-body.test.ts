// The one reader of request bodies, on real sockets: what it gives, where it stops, and what becomes of the rest.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { DomainError } from '../../subgraphs/shared/errors';
import { createBoundedServer } from '../../subgraphs/shared/http/bounded-server';
import { type BodyRules, ClientGone, readBody } from '../../subgraphs/shared/http/request-body';
import { sendText } from '../../subgraphs/shared/http/send-text';

const bytesMax = 8;
const outcomes: Promise<string>[] = [];
const heard = (outcome: Promise<Buffer>) =>
  outcome.then(
    (bytes) => `read ${bytes.toString()}`,
    (error: unknown) => (error instanceof DomainError ? error.code : (error as Error).name),
  );

async function serve(rules: Omit<BodyRules, 'bytesMax'>) {
  const server = createBoundedServer({
    request: (request, response) => {
      const outcome = heard(readBody(request, { ...rules, bytesMax }));
      outcomes.push(outcome);
      void outcome.then((text) => sendText(response, { status: 200, headers: { connection: 'close' }, text }));
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port };
}

/** What a client hears that sends `text` as it stands. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer.split('\r\n\r\n').at(-1) ?? '';
}

const post = (headers: string, body = '') => `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const chunked = (...parts: string[]) =>
  post('Transfer-Encoding: chunked\r\n', `${parts.map((part) => `${part.length}\r\n${part}\r\n`).join('')}0\r\n\r\n`);

describe.each([false, true])('a body, with what lies beyond the limit discarded: %s', (discardsExcess) => {
  let world: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    world = await serve({ discardsExcess });
  });
  afterAll(() => {
    world.server.closeAllConnections();
    world.server.close();
  });

  it.each([
    ['none', post(''), 'read '],
    ['an announced one', post('Content-Length: 5\r\n', 'hello'), 'read hello'],
    ['one at the limit', post('Content-Length: 8\r\n', '12345678'), 'read 12345678'],
    ['one in pieces', chunked('1234', '5678'), 'read 12345678'],
    ['one that announces more', post('Content-Length: 9\r\n', '123456789'), 'payloadTooLarge'],
    ['one in pieces that grows past it', chunked('1234', '5678', '9'), 'payloadTooLarge'],
  ])('%s', async (_name, request, expected) => {
    expect(await answerTo(world.port, request)).toContain(expected);
  });

  it('of a client that hangs up is nobody’s', async () => {
    const before = outcomes.length;
    const socket = connect(world.port, '127.0.0.1');
    socket.write(post('Content-Length: 5\r\n', 'he'));
    await once(world.server, 'request');
    socket.destroy();
    expect(await outcomes[before]).toBe(ClientGone.name);
  });
});

it('asks for a body before the first byte is awaited, and for none that is refused or absent', async () => {
  let asked = 0;
  const { server, port } = await serve({
    onContinue: () => {
      asked += 1;
    },
  });
  await answerTo(port, post('Content-Length: 9\r\n', '123456789'));
  await answerTo(port, post(''));
  expect(asked).toBe(0);
  await answerTo(port, post('Content-Length: 5\r\n', 'hello'));
  expect(asked).toBe(1);
  server.close();
});
