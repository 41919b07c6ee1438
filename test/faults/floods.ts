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
import { type Answer, type CallOptions, send } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { accessTokenOf, freshCardNumber, partnerOf } from '../support/partner';
import type { World } from '../support/world';

/** Sends it once; resolves with the answer. */
type Shot = () => Promise<Pick<Answer, 'status' | 'text'>>;

/** What is sent, what it is answered with, and words of that answer where the status does not say which bound was met. */
export type Kind = readonly [name: string, shot: Shot, status: number, words?: RegExp];

export interface Way {
  name: string;
  ordinary: Kind;
  hostile: readonly Kind[];
}

/** Just within what is read at all: a form of 32 kB, a JSON body of 16 kB, headers of 16 kB in all, an envelope of 8 kB. */
const longest = { form: 32_000, json: 16_000, headers: 12_000, jwe: 8_000 };
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
  () =>
    send(url, { method, path, options });

/** Its own error, not a measurement, when a body is longer than what is read: then it would be refused unread. */
function within(limit: number, body: string): string {
  if (body.length > limit) throw new Error(`a body of ${body.length} characters where ${limit} are read`);
  return body;
}

async function payersForm(world: World): Promise<Way> {
  const shop = shopOf(world, 'alpha');
  const session = async () => sessionIdOf((await shop.hostedPage()).body.hostedPage);
  const post = shooter(world.urls.pay, 'POST');
  const path = `/pay/${await session()}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const typed = { method: 'CARDS', step: 'pay', ...typedCard('4242424242424241') };
  const posted = (body: string): Shot => post(path, { headers, body: within(longest.form, body) });
  const form = (changes: Record<string, string>) => posted(new URLSearchParams({ ...typed, ...changes }).toString());
  return {
    name: "payer's form",
    // A mistyped number: the page is drawn again.
    ordinary: ['a mistyped number', form({}), 422],
    hostile: [
      ['an expiry of signs', form({ expiry: `1${'+'.repeat(10_500)}-` }), 422],
      ['an expiry of spaces', form({ expiry: `1${' '.repeat(31_000)}x` }), 422],
      ['a long address', form({ email: `${'a.'.repeat(8_000)}@${'b.'.repeat(7_000)}` }), 422],
      ['a long name', form({ holder: ' '.repeat(16_000) + 'é'.repeat(2_000) }), 422],
      ['a long number', form({ number: '4'.repeat(31_000) }), 422],
      ['thousands of fields', posted(many(3_000, (at) => `f${at}=1`).join('&')), 422],
      ['one field thousands of times', posted(many(4_000, () => 'cvv=1').join('&')), 422],
    ],
  };
}

async function jsonBodies(world: World): Promise<Way> {
  const service = await paymentServiceOf(world, 'alpha');
  const partner = await partnerOf(world, 'alpha');
  const shop = shopOf(world, 'alpha');
  const post = shooter(world.urls.rest, 'POST');
  const as = (path: string, headers: () => Record<string, string>) => (body: string) => {
    const options = () => ({ headers: { ...headers(), 'content-type': 'application/json' }, body });
    within(longest.json, body);
    return () => post(path, options())();
  };
  const payment = as(paymentsPath, service.headers);
  const order = as('/api/v1/orders/build', shop.headers);
  const token = as('/virtual-accounts/token', partner.headers);
  const half = longest.json / 2;
  return {
    name: 'JSON bodies',
    ordinary: ['a payment', () => payment(JSON.stringify(paymentBody()))(), 201],
    hostile: [
      ['nested arrays', payment(nested(half)), 400],
      ['nested objects', payment(`${'{"a":'.repeat(2_600)}1${'}'.repeat(2_600)}`), 400],
      ['nested objects, for a token', token(`${'{"accountInfo":'.repeat(900)}1${'}'.repeat(900)}`), 400],
      ['a long list', payment(JSON.stringify({ basket: many(3_900, () => 'x') })), 400],
      ['a long number', payment(`{"amount":${'9'.repeat(15_900)}}`), 400],
      ['many members', payment(`{${many(1_400, (at) => `"m${at}":1`).join()}}`), 201],
      ['one member again and again', payment(`{${many(2_600, () => '"a":1').join()}}`), 400],
      ['names of prototypes', payment(`{${many(480, () => '"__proto__":{"constructor":{}}').join()}}`), 400],
      ['escapes', payment(`"${'\\u0000'.repeat(2_600)}"`), 400],
      ['a long description', payment(JSON.stringify(paymentBody({ description: 'a'.repeat(15_000) }))), 400],
      [
        'card numbers',
        () => payment(JSON.stringify(paymentBody({ description: '4242 4242 4242 4242 '.repeat(50) })))(),
        201,
      ],
      [
        'a long order',
        () => order(JSON.stringify(buildBody(world.urls.shop, { order: { description: `${' '.repeat(15_000)}x` } })))(),
        400,
      ],
    ],
  };
}

async function headersOfRest(world: World): Promise<Way> {
  const shop = shopOf(world, 'alpha');
  const get = shooter(world.urls.rest, 'GET');
  const path = '/api/v1/payment_methods?amount=100&currency=EUR';
  const read = (more: Record<string, string>) => async () => get(path, { headers: { ...shop.headers(), ...more } })();
  const long = longest.headers;
  return {
    name: 'headers',
    ordinary: ['none of them', read({}), 200],
    hostile: [
      ['Content-Type', read({ 'content-type': `application/json${' ;'.repeat(long / 2)}` }), 200],
      ['Accept', read({ accept: many(1_000, (at) => `a/b;q=0.${at}`).join() }), 200],
      ['Accept-Language', read({ 'accept-language': many(900, (at) => `x${at};q=0.1`).join() }), 200],
      ['Correlation-Id', read({ 'Correlation-Id': `${'-'.repeat(long)}x` }), 400],
      ['Idempotency-Key', read({ 'Idempotency-Key': 'a'.repeat(long) }), 200],
      ['X-API-KEY', read({ 'X-API-KEY': `checkout_sandbox_test_${'.'.repeat(long)}` }), 401],
      ['Authorization', read({ authorization: `Bearer ${' '.repeat(long)}x` }), 200],
      ['X-Forwarded-For', read({ 'X-Forwarded-For': many(2_500, () => '::1').join() }), 200],
      ['hundreds of headers', read(Object.fromEntries(many(400, (at) => `x-h-${at}`).map((name) => [name, '1']))), 200],
      ['Cookie', read({ cookie: many(1_500, (at) => `c${at}=1`).join(';') }), 200],
    ],
  };
}

async function envelopes(world: World): Promise<Way> {
  const partner = await partnerOf(world, 'alpha');
  const good = await partner.seal({ account: freshCardNumber(), accountExpiry });
  const parts = good.split('.');
  const [, key = '', iv = '', , tag = ''] = parts;
  const create = (encryptedData: string): Shot => {
    return () =>
      send(world.urls.rest, {
        method: 'POST',
        path: '/virtual-accounts/token',
        options: {
          headers: partner.headers(),
          body: { merchantInfo: { merchantId: partner.credentials.merchantId }, accountInfo: { encryptedData } },
        },
      });
  };
  const header = (content: object | string) =>
    Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url');
  const own = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString()) as object;
  const withHeader = (content: object | string) => [header(content), ...parts.slice(1)].join('.');
  return {
    name: 'envelopes',
    ordinary: ['a good one', create(good), 201],
    hostile: [
      ['one that is too long', create('.'.repeat(15_000)), 413],
      ['a long header', create(withHeader({ ...own, x: 'a'.repeat(5_000) })), 400],
      ['a header nested deep', create(withHeader(nested(2_400))), 400],
      ['a header of signs', create(['-'.repeat(7_000), ...parts.slice(1)].join('.')), 400],
      ['many segments', create('.'.repeat(longest.jwe)), 400],
      ['a long key', create([parts[0], 'A'.repeat(7_000), iv, parts[3], tag].join('.')), 400],
      ['a long text', create([parts[0], key, iv, 'A'.repeat(7_000), tag].join('.')), 400],
      ['a long tag', create([parts[0], key, iv, parts[3], 'A'.repeat(7_000)].join('.')), 400],
      [
        'a key of its own each time',
        () => create([parts[0], randomBytes(256).toString('base64url'), iv, parts[3], tag].join('.'))(),
        400,
      ],
      [
        'thousands of rounds',
        create(withHeader({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_000_000_000, p2s: 'AAAA' })),
        400,
      ],
      ['a compressed text', create(withHeader({ ...own, zip: 'DEF' })), 400],
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
        let told = '';
        const end = (status: number) => resolve({ status, text: told });
        client.subscribe(
          { query: text },
          {
            next: ({ errors }) => {
              told += errors ? JSON.stringify(errors) : '';
            },
            error: (error) => {
              told += JSON.stringify(error);
              end(Array.isArray(error) ? 400 : 500);
            },
            complete: () => end(told === '' ? 200 : 400),
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
  const usual = `${merchant} { name status terminals { label } account { accountId } }`;
  return {
    name,
    // An uncached one: the measure of what may be asked ad hoc.
    ordinary: ['an uncached one', fresh((own) => `query ${own} { ${usual} }`), 200],
    hostile: [
      ...bombs.map(([what, text, words]): Kind => [what, ask(ofOurGraph(text)), 400, words]),
      ['a large one, new each time', fresh((own) => `query ${own} { ${many(10, part).join(' ')} }`), 200],
    ],
  };
}
