// The address guard over its corpus, at registration and at every send: no connection leaves for a forbidden target.
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import {
  callbackUrlRules,
  checkCallbackUrl,
  isGloballyRoutable,
  judgeCallbackUrl,
} from '../../subgraphs/notifications';
import { createEgress, type Egress } from '../../workers';
import fc from '../support/properties';
import { forbiddenIpv4, forbiddenIpv6, forbiddenUrls, routableAddresses } from './forbidden-addresses';
import { type Receiver, startReceiver } from './receiver';

let sink: Server;
let port: number;
let connections = 0;
const egresses: Egress[] = [];

beforeAll(async () => {
  sink = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => sink.listen(0, '::', resolve));
  port = (sink.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(egresses.map((egress) => egress.close()));
  await new Promise((resolve) => sink.close(resolve));
});

function egressResolving(resolveName: (name: string) => Promise<string[]>, sandbox = true): Egress {
  const egress = createEgress({ sandbox, resolveName });
  egresses.push(egress);
  return egress;
}

describe('the corpus', () => {
  test('has at least 300 addresses', () => expect(new Set(forbiddenUrls(1)).size).toBeGreaterThanOrEqual(300));

  test.each([true, false])('is refused at registration and at send (sandbox: %s)', (sandbox) => {
    const egress = egressResolving(async () => ['127.0.0.1'], sandbox);
    const accepted = forbiddenUrls(port).filter(
      (url) => judgeCallbackUrl(url, { sandbox }).url !== null || egress.targetOf(url) !== null,
    );
    expect(accepted).toEqual([]);
  });

  test('every refusal says what is wrong on the named field', () => {
    for (const url of forbiddenUrls(port)) {
      expect(() => checkCallbackUrl(url, { sandbox: true }, 'notifyBaseUrl')).toThrow(
        expect.objectContaining({ code: 'invalidInput', details: { field: 'notifyBaseUrl' } }),
      );
    }
  });

  test('names that resolve to any of its addresses are refused at the send, and nothing connects', async () => {
    const before = connections;
    const answers = [...forbiddenIpv4, ...forbiddenIpv6].flatMap((address) => [
      [address],
      ['8.8.8.8', address],
      [address, '2606:4700::1'],
    ]);
    for (const [index, addresses] of answers.entries()) {
      const egress = egressResolving(async () => addresses);
      const target = egress.targetOf(`https://host-${index}.example:${port}/`);
      if (!target) throw new Error('a name is judged at the send only');
      expect(await egress.send({ target, path: '/x', headers: [], body: '{}' })).toMatchObject({
        result: 'blockedTarget',
        status: null,
        excerpt: null,
      });
    }
    expect(connections).toBe(before);
  });
});

test.each(routableAddresses)('%s is globally routable', (address) => expect(isGloballyRoutable(address)).toBe(true));

test.each([
  ['https://example.com'],
  ['https://example.com:8443/hooks?x=1'],
  ['https://Example.COM/'],
  ['https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]:8443/'],
  ['https://xn--exmple-cua.com/'],
])('%s may be registered, in production too', (url) => {
  expect(judgeCallbackUrl(url, { sandbox: false }).fault).toBeNull();
});

test.each([
  ['http://127.0.0.1:9999', true, null],
  ['http://localhost:9999/a', true, null],
  ['http://127.0.0.1:9999', false, 'target not allowed'],
  ['http://localhost:9999', false, 'target not allowed'],
  ['http://127.0.0.2:9999', true, 'target not allowed'],
  ['https://localhost:9999', true, 'target not allowed'],
  ['http://example.com', true, 'must be https'],
])('%s in the sandbox (%s): %s', (url, sandbox, fault) => {
  expect(judgeCallbackUrl(url, { sandbox }).fault).toBe(fault);
});

test.each([
  ['http://rest-facade:8080/sandbox/receiver/order-1', null],
  ['http://REST-FACADE:8080/', null],
  ['http://rest-facade:8081/', 'must be https'],
  ['http://rest-facade/', 'must be https'],
  ['http://rest-facade.example:8080/', 'must be https'],
  ['http://rest-facade:8080@10.0.0.1/', 'carries credentials'],
  ['http://10.0.0.1:8080/', 'target not allowed'],
])('beside the receiver at http://rest-facade:8080, %s: %s', (url, fault) => {
  const rules = callbackUrlRules({ isSandbox: true, REST_URL: 'http://rest-facade:8080' });
  expect(judgeCallbackUrl(url, rules).fault).toBe(fault);
});

test('production has no receiver of its own', () => {
  const rules = callbackUrlRules({ isSandbox: false, REST_URL: 'http://rest-facade:8080' });
  expect(judgeCallbackUrl('http://rest-facade:8080/x', rules).fault).toBe('must be https');
});

test.each([
  [`https://example.com/${'a'.repeat(2048 - 20)}`, null],
  [`https://example.com/${'a'.repeat(2048 - 19)}`, 'too long'],
])('the length ends at 2048 characters', (url, fault) =>
  expect(judgeCallbackUrl(url, { sandbox: false }).fault).toBe(fault),
);

test('a resolver that alternates between public and private answers never leads inside', async () => {
  const before = connections;
  let asked = 0;
  const egress = createEgress({
    sandbox: true,
    resolveName: async () => {
      asked += 1;
      return asked % 2 === 1 ? ['8.8.8.8'] : ['127.0.0.1'];
    },
    connectTimeoutMs: 50,
    totalTimeoutMs: 100,
  });
  egresses.push(egress);
  for (let send = 0; send < 100; send += 1) {
    const target = egress.targetOf(`https://rebind-${send}.example:${port}/`);
    if (!target) throw new Error('a name is judged at the send only');
    const reply = await egress.send({ target, path: '/', headers: [], body: '{}' });
    // Judged public, then resolved private at the connect: the connect refuses.
    expect(reply.result).toBe('blockedTarget');
  }
  expect(asked).toBeGreaterThanOrEqual(200);
  expect(connections).toBe(before);
});

test('an egress that is closed while a name is resolved connects nowhere', async () => {
  const before = connections;
  let resolve: (addresses: string[]) => void = () => {};
  const resolved = new Promise<string[]>((done) => {
    resolve = done;
  });
  const egress = createEgress({ sandbox: true, resolveName: () => resolved, isAllowed: () => true });
  const target = egress.targetOf(`https://slow.example:${port}/`);
  if (!target) throw new Error('a name is judged at the send only');
  const sent = egress.send({ target, path: '/', headers: [], body: '{}' });
  await egress.close();
  resolve(['127.0.0.1']);
  expect(await sent).toMatchObject({ result: 'connectionLost', status: null });
  expect(connections).toBe(before);
});

describe("the sandbox's own receiver, inside a private network", () => {
  const restPort = 8080;
  let receiver: Receiver;
  let own: string;
  let egress: Egress;
  const pathsOfReceiver = () => receiver.received.map(({ path }) => path);
  const sendTo = (address: string) => {
    const target = egress.targetOf(address);
    if (!target) throw new Error(`${address} is refused`);
    return egress.send({ target, path: '', headers: [], body: '{}' });
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    own = receiver.url.replace('127.0.0.1', 'rest-facade');
    egress = createEgress({
      sandbox: true,
      receiverOrigin: own,
      restPort,
      resolveName: async () => ['10.0.0.1'],
      resolveBySystem: async (name) => (name === 'rest-facade' ? ['127.0.0.1'] : []),
    });
    egresses.push(egress);
  });
  afterAll(() => receiver.close());

  test.each([
    ['at its origin', () => `${own}/sandbox/receiver/1?x=1`, '/sandbox/receiver/1?x=1'],
    ['as who looks from outside reaches it', () => `http://127.0.0.1:${restPort}//sandbox/2`, '//sandbox/2'],
    ['under the name of the loopback', () => `http://localhost:${restPort}/sandbox/3`, '/sandbox/3'],
  ])('is called %s', async (_where, address, path) => {
    expect(await sendTo(address())).toMatchObject({ result: 'delivered' });
    expect(pathsOfReceiver().at(-1)).toBe(path);
  });

  test('nothing else of that network is', async () => {
    const before = pathsOfReceiver().length;
    for (const other of ['http://subgraph-payments:4100/', `${own.replace(/\d+$/, '1')}/`, 'http://10.0.0.1:8080/']) {
      expect(egress.targetOf(other)).toBeNull();
    }
    const overTls = own.replace('http:', 'https:');
    expect(await sendTo(overTls)).toMatchObject({ result: 'blockedTarget' });
    expect(pathsOfReceiver()).toHaveLength(before);
  });

  test('another port of the loopback stays what it is', async () => {
    const sent = await sendTo(`${receiver.url}/4`);
    expect(sent).toMatchObject({ result: 'delivered' });
    expect(receiver.received.at(-1)?.headers.host).toBe(receiver.url.replace('http://', ''));
  });
});

test('whatever is accepted has a host that is a name or a routable literal, https, and no credentials', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      'example.com',
      '8.8.8.8',
      '@',
      ':',
      '/',
      '\\',
      '#',
      '?',
      '%2e',
      '.',
      '[',
      ']',
      '2130706433',
    ),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('https://', 'http://', 'https:', ''),
      fc.array(piece, { maxLength: 8 }),
      (scheme, pieces) => {
        const { url } = judgeCallbackUrl(scheme + pieces.join(''), { sandbox: false });
        if (!url) return true;
        const host = url.hostname.replace(/^\[|\]$/g, '');
        const isLiteral = /^[\d.]+$/.test(host) || host.includes(':');
        return (
          url.protocol === 'https:' &&
          url.username === '' &&
          url.password === '' &&
          (!isLiteral || isGloballyRoutable(host))
        );
      },
    ),
    { numRuns: 20_000 },
  );
});
