// The requests of the floods proof: for each way in an ordinary request, and hostile ones that are made to cost more than they are long.
import { randomBytes } from 'node:crypto';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { bombs } from '../gateway/bombs';
import {
  buildBody,
  paymentBody,
  paymentServiceOf,
  paymentsPath,
  sessionIdOf,
  shopOf,
  typedCard,
} from '../support/checkout';
import { type CallOptions, send } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { accessTokenOf, freshCardNumber, partnerOf } from '../support/partner';
import type { World } from '../support/world';

/** Sends it once; resolves with the status. */
export type Shot = () => Promise<number>;

export interface Way {
  name: string;
  ordinary: Shot;
  hostile: readonly (readonly [name: string, shot: Shot])[];
}

/** Of the longest that a form or a header may be. */
const longest = 32_000;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));

/** Every way in; `close` ends the connection of one of them. */
export async function openWays(world: World): Promise<{ ways: Way[]; close(): void }> {
  const { close, ...overSocket } = await documentsOverSocket(world);
  const calls = [await payersForm(world), await jsonBodies(world), await headersOfRest(world), await envelopes(world)];
  return { ways: [...calls, await documents(world), overSocket], close };
}

const shooter =
  (url: string, method: string) =>
  (path: string, options: CallOptions): Shot =>
  async () =>
    (await send(url, { method, path, options })).status;

async function payersForm(world: World): Promise<Way> {
  const shop = shopOf(world, 'alpha');
  const session = async () => sessionIdOf((await shop.hostedPage()).body.hostedPage);
  const post = shooter(world.urls.pay, 'POST');
  const path = `/pay/${await session()}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const typed = { method: 'CARDS', step: 'pay', ...typedCard('4242424242424241') };
  const form = (changes: Record<string, string>) =>
    post(path, { headers, body: new URLSearchParams({ ...typed, ...changes }).toString().slice(0, longest) });
  return {
    name: "payer's form",
    ordinary: form({}),
    hostile: [
      ['an expiry of signs', form({ expiry: `1${'+'.repeat(longest)}-` })],
      ['an expiry of spaces', form({ expiry: `1${' '.repeat(longest)}x` })],
      ['a long address', form({ email: `${'a.'.repeat(8_000)}@${'b.'.repeat(7_000)}` })],
      ['a long name', form({ holder: ' '.repeat(16_000) + 'é'.repeat(2_000) })],
      ['a long number', form({ number: '4'.repeat(longest) })],
      ['thousands of fields', post(path, { headers, body: many(3_000, (at) => `f${at}=1`).join('&') })],
      ['one field thousands of times', post(path, { headers, body: many(4_000, () => 'cvv=1').join('&') })],
    ],
  };
}

async function jsonBodies(world: World): Promise<Way> {
  const service = await paymentServiceOf(world, 'alpha');
  const shop = shopOf(world, 'alpha');
  const payments = shooter(world.urls.rest, 'POST');
  const raw = (body: string) => {
    const headers = () => ({ ...service.headers(), 'content-type': 'application/json' });
    return async () => payments(paymentsPath, { headers: headers(), body })();
  };
  const payment = (changes: object) => raw(JSON.stringify(paymentBody(changes)));
  const order = (changes: object) => async () =>
    shooter(world.urls.rest, 'POST')('/api/v1/orders/build', {
      headers: shop.headers(),
      body: buildBody(world.urls.shop, { order: changes }),
    })();
  return {
    name: 'JSON bodies',
    ordinary: async () => payments(paymentsPath, { headers: service.headers(), body: paymentBody() })(),
    hostile: [
      ['nested arrays', raw(nested(15_000))],
      ['nested objects', raw(`${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}`)],
      ['a long list', raw(JSON.stringify({ basket: many(5_000, () => 'x') }))],
      ['a long number', raw(`{"amount":${'9'.repeat(longest)}}`)],
      ['many members', raw(`{${many(4_000, (at) => `"m${at}":1`).join()}}`)],
      ['one member again and again', raw(`{${many(6_000, () => '"a":1').join()}}`)],
      ['names of prototypes', raw(`{${many(1_000, () => '"__proto__":{"constructor":{}}').join()}}`)],
      ['escapes', raw(`"${'\\u0000'.repeat(5_000)}"`)],
      ['a long description', payment({ description: 'a'.repeat(longest) })],
      ['a description of card numbers', payment({ description: '4242 4242 4242 4242 '.repeat(50) })],
      ['a long order', order({ description: `${' '.repeat(longest)}x` })],
    ],
  };
}

async function headersOfRest(world: World): Promise<Way> {
  const shop = shopOf(world, 'alpha');
  const get = shooter(world.urls.rest, 'GET');
  const path = '/api/v1/payment_methods?amount=100&currency=EUR';
  const read = (more: Record<string, string>) => async () => get(path, { headers: { ...shop.headers(), ...more } })();
  const long = 14_000;
  return {
    name: 'headers',
    ordinary: read({}),
    hostile: [
      ['Content-Type', read({ 'content-type': `application/json${' ;'.repeat(long / 2)}` })],
      ['Accept', read({ accept: many(1_500, (at) => `a/b;q=0.${at}`).join() })],
      ['Accept-Language', read({ 'accept-language': many(1_500, (at) => `x${at};q=0.1`).join() })],
      ['Correlation-Id', read({ 'Correlation-Id': `${'-'.repeat(long)}x` })],
      ['Idempotency-Key', read({ 'Idempotency-Key': 'a'.repeat(long) })],
      ['X-Forwarded-For', read({ 'X-Forwarded-For': many(3_000, () => '::1').join() })],
      ['hundreds of headers', read(Object.fromEntries(many(400, (at) => `x-h-${at}`).map((name) => [name, '1'])))],
      ['Cookie', read({ cookie: many(2_000, (at) => `c${at}=1`).join(';') })],
    ],
  };
}

async function envelopes(world: World): Promise<Way> {
  const partner = await partnerOf(world, 'alpha');
  const good = await partner.seal({ account: freshCardNumber(), accountExpiry });
  const parts = good.split('.');
  const [, key = '', iv = '', , tag = ''] = parts;
  const create = (encryptedData: string) => async () =>
    (
      await send(world.urls.rest, {
        method: 'POST',
        path: '/virtual-accounts/token',
        options: {
          headers: partner.headers(),
          body: { merchantInfo: { merchantId: partner.credentials.merchantId }, accountInfo: { encryptedData } },
        },
      })
    ).status;
  const header = (content: object | string) =>
    Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url');
  const own = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString()) as object;
  const withHeader = (content: object | string) => [header(content), ...parts.slice(1)].join('.');
  return {
    name: 'envelopes',
    ordinary: create(good),
    hostile: [
      ['a header of 15 kB', create(withHeader({ ...own, x: 'a'.repeat(15_000) }))],
      ['a header nested deep', create(withHeader(nested(6_000)))],
      ['a header of signs', create(['-'.repeat(15_000), ...parts.slice(1)].join('.'))],
      ['many segments', create('.'.repeat(15_000))],
      ['a long key', create([parts[0], 'A'.repeat(15_000), iv, parts[3], tag].join('.'))],
      ['a long text', create([parts[0], key, iv, 'A'.repeat(15_000), tag].join('.'))],
      ['a long tag', create([parts[0], key, iv, parts[3], 'A'.repeat(15_000)].join('.'))],
      [
        'a key of its own each time',
        async () => create([parts[0], randomBytes(256).toString('base64url'), iv, parts[3], tag].join('.'))(),
      ],
      [
        'thousands of rounds',
        create(withHeader({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_000_000_000, p2s: 'AAAA' })),
      ],
      ['a compressed text', create(withHeader({ ...own, zip: 'DEF' }))],
    ],
  };
}

/** The bombs of the gateway's tests, said of the product's own graph. */
function ofOurGraph(document: string): string {
  return document
    .replaceAll('product(upc: "1")', 'merchant(merchantId: "merchant-alpha-1")')
    .replaceAll('product(upc: ', 'merchant(merchantId: ')
    .replaceAll(' on Product', ' on Merchant')
    .replaceAll(/\bupc\b/g, 'name')
    .replaceAll(/\btwin\b/g, 'terminals');
}

async function documents(world: World): Promise<Way> {
  const token = await accessTokenOf(world, world.credentials.graph.viewer);
  const post = shooter(world.urls.graph, 'POST');
  const query = (text: string) =>
    post('/graphql', { headers: { authorization: `Bearer ${token}` }, body: { query: text } });
  return documentsOf('documents of the graph', query);
}

/** The same over one WebSocket, which none of them may end: 400 stands for a refusal of the document, 500 for the end of the connection. */
async function documentsOverSocket(world: World): Promise<Way & { close(): void }> {
  const token = await accessTokenOf(world, world.credentials.graph.viewer);
  const url = `ws://${new URL(world.urls.graph).host}/graphql`;
  const connectionParams = { authorization: `Bearer ${token}` };
  const client = createClient({ url, webSocketImpl: WebSocket, connectionParams, lazy: false, retryAttempts: 0 });
  const ask = (text: string): Shot => {
    return () =>
      new Promise((resolve) => {
        let isRefused = false;
        client.subscribe(
          { query: text },
          {
            next: ({ errors }) => {
              isRefused ||= errors !== undefined;
            },
            error: (error) => resolve(Array.isArray(error) ? 400 : 500),
            complete: () => resolve(isRefused ? 400 : 200),
          },
        );
      });
  };
  return { ...documentsOf('documents over WebSocket', ask), close: () => void client.dispose() };
}

function documentsOf(name: string, ask: (text: string) => Shot): Way {
  let asked = 0;
  /** Nobody has asked for it before, so it is planned and compiled. */
  const fresh = (text: (name: string) => string): Shot => {
    return () => ask(text(`q${++asked}x${process.pid}`))();
  };
  const merchant = 'merchant(merchantId: "merchant-alpha-1")';
  const part = (at: number) => `a${at}: ${merchant} { name status terminals { label status } }`;
  return {
    name,
    ordinary: fresh((own) => `query ${own} { ${merchant} { name status terminals { label } account { accountId } } }`),
    hostile: [
      ...bombs.map(([what, text]) => [what, ask(ofOurGraph(text))] as const),
      ['a large one, new each time', fresh((own) => `query ${own} { ${many(10, part).join(' ')} }`)],
    ],
  };
}
