// Tenants apart over the paths of the payment interface: every one, tried by everybody who must not get through; foreign answers like absent, and nothing changes.
import { randomUUID } from 'node:crypto';
import { type PaymentService, paymentsPath, type Shop, shopOf } from '../support/checkout';
import { send } from '../support/client';
import { typedExpiry } from '../support/expiry';
import { accessTokenOf, graph, type Partner, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { type AlphaIds, twoTenants } from '../support/two-tenants';
import { startWorld, type World } from '../support/world';

let world: World;
let alpha: Partner;
let shops: Record<'alpha' | 'beta', Shop>;
let services: Record<'alpha' | 'beta', PaymentService>;
let adminToken: string;
let ids: AlphaIds;
let fingerprint: () => Promise<string>;

beforeAll(async () => {
  world = await startWorld();
  ({ alpha, shops, services, adminToken, ids, fingerprint } = await twoTenants(world));
});
afterAll(() => world?.stop());

type Target = Pick<AlphaIds, 'paymentId' | 'operationId' | 'orderId' | 'sessionId'>;

interface Route {
  name: string;
  method: string;
  path(ids: Target): string;
  body?(ids: Pick<AlphaIds, 'sessionId'>): object;
  /** The list routes name nothing of alpha's: there is nothing foreign to ask for. */
  namesNothing?: boolean;
}

const absent = (): Target => ({
  paymentId: randomUUID(),
  operationId: randomUUID(),
  orderId: 'nobody',
  sessionId: randomUUID(),
});

/** Requests of one attempt differ in these on purpose. */
const withoutIds = (text: string) => text.replace(/"(instance|requestId|timestamp)":"[^"]*"/g, '"$1":""');

async function revokedToken(): Promise<string> {
  const { clientId, clientSecret } = world.credentials.tenants.alpha.payments;
  const token = await accessTokenOf(world, { clientId, clientSecret });
  const headers = {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = new URLSearchParams({ token }).toString();
  await send(world.urls.auth, { method: 'POST', path: '/revoke', options: { headers, body } });
  return token;
}

describe('payment service', () => {
  const routes: Route[] = [
    { name: 'create', method: 'POST', path: () => paymentsPath, body: () => ({}), namesNothing: true },
    ...['Authorize', 'Capture', 'Cancel', 'Refund'].map((step) => ({
      name: step,
      method: 'POST',
      path: ({ paymentId }: { paymentId: string }) => `${paymentsPath}/${paymentId}/${step}`,
      body: () => ({}),
    })),
    { name: 'read', method: 'GET', path: ({ paymentId }) => `${paymentsPath}/${paymentId}` },
  ];

  test.each(routes)('$name: denied to everybody else, and nothing changes', async ({ method, path, body }) => {
    const before = await fingerprint();
    const strangers: [string, Record<string, string>, number][] = [
      ['nobody', { Authorization: '' }, 401],
      ['a malformed token', { Authorization: 'Bearer not-a-token' }, 401],
      ['another scheme', { Authorization: `Basic ${services.alpha.accessToken}` }, 401],
      ['an API key', { Authorization: `Bearer ${shops.alpha.apiKey}` }, 401],
      ['a graph client', { Authorization: `Bearer ${adminToken}` }, 403],
      ['a tokenization client', { Authorization: `Bearer ${alpha.accessToken}` }, 403],
    ];
    for (const [who, headers, status] of strangers) {
      const answer = await services.alpha.call(method, path(ids), body?.(ids), headers);
      expect({ who, status: answer.status }).toEqual({ who, status });
    }
    const headers = { Authorization: `Bearer ${await revokedToken()}` };
    await eventually(async () => (await services.alpha.call(method, path(ids), body?.(ids), headers)).status === 401, {
      timeoutMs: 1_500,
    });
    expect(await fingerprint()).toBe(before);
  });

  test.each(routes.filter(({ namesNothing }) => !namesNothing))(
    '$name: the payment of another tenant answers like an absent one',
    async ({ method, path, body }) => {
      const before = await fingerprint();
      const ask = (target: Target) => services.beta.call(method, path(target), body?.(target));
      const [foreign, none] = [await ask(ids), await ask(absent())];
      expect(foreign.status).toBe(404);
      expect(withoutIds(foreign.text)).toBe(withoutIds(none.text));
      expect(await fingerprint()).toBe(before);
    },
  );

  test('a client without the writing scope changes nothing', async () => {
    const before = await fingerprint();
    const reader = await accessTokenOf(world, world.credentials.tenants.alpha.payments, 'payments:read');
    for (const { method, path, body } of routes.filter((route) => route.method === 'POST')) {
      const answer = await services.alpha.call(method, path(ids), body?.(ids), { Authorization: `Bearer ${reader}` });
      expect(answer.status).toBe(403);
    }
    expect(await fingerprint()).toBe(before);
  });
});

describe('hosted checkout', () => {
  const key = () => ({ 'Idempotency-Key': randomUUID() });
  const bySession = (name: string, path: string): Route => ({
    name,
    method: 'POST',
    path: () => path,
    body: ({ sessionId }) => ({ sessionId }),
  });
  const routes: Route[] = [
    { name: 'build', method: 'POST', path: () => '/api/v1/orders/build', body: () => ({}), namesNothing: true },
    { name: 'older build', method: 'POST', path: () => '/api/orders/build', body: () => ({}), namesNothing: true },
    { name: 'hpp', method: 'POST', path: () => '/api/v1/orders/hpp', body: () => ({}), namesNothing: true },
    bySession('finalize', '/api/v1/build/finalize_payment'),
    bySession('older finalize', '/api/build/finalize_payment'),
    bySession('build/cancel', '/api/v1/build/cancel'),
    { name: 'state', method: 'GET', path: ({ sessionId }) => `/api/v1/build/state?sessionId=${sessionId}` },
    { name: 'card data', method: 'GET', path: ({ sessionId }) => `/api/v1/build/cardData?sessionId=${sessionId}` },
    { name: 'order', method: 'GET', path: ({ orderId }) => `/api/v1/orders/${orderId}` },
    { name: 'operation', method: 'GET', path: ({ operationId }) => `/api/v1/operations/${operationId}` },
    { name: 'actions', method: 'GET', path: ({ operationId }) => `/api/v1/operations/${operationId}/actions` },
    ...['captures', 'refunds', 'cancels'].map((what) => ({
      name: what,
      method: 'POST',
      path: ({ operationId }: { operationId: string }) => `/api/v1/operations/${operationId}/${what}`,
      body: () => ({}),
    })),
    { name: 'operations', method: 'GET', path: () => '/api/v1/operations', namesNothing: true },
    { name: 'orders', method: 'GET', path: () => '/api/v1/orders', namesNothing: true },
    { name: 'payment methods', method: 'GET', path: () => '/api/v1/payment_methods', namesNothing: true },
  ];

  test.each(routes)('$name: denied to everybody without a key, and nothing changes', async ({ method, path, body }) => {
    const before = await fingerprint();
    const strangers: [string, Record<string, string>][] = [
      ['nobody', { 'X-API-KEY': '' }],
      ['a malformed key', { 'X-API-KEY': 'nonsense' }],
      ['half a key', { 'X-API-KEY': shops.alpha.apiKey.slice(0, -1) }],
      ['an access token', { 'X-API-KEY': services.alpha.accessToken }],
      ['an access token where it belongs', { 'X-API-KEY': '', Authorization: `Bearer ${services.alpha.accessToken}` }],
      ['the sandbox key', { 'X-API-KEY': world.credentials.sandboxKey }],
    ];
    for (const [who, headers] of strangers) {
      const answer = await shops.alpha.call(method, path(ids), body?.(ids), { ...key(), ...headers });
      expect({ who, status: answer.status, code: answer.body.errors[0].code }).toEqual({
        who,
        status: 401,
        code: 'GW0401',
      });
    }
    expect(await fingerprint()).toBe(before);
  });

  test.each(routes.filter(({ namesNothing }) => !namesNothing))(
    '$name: what another tenant has answers like what is absent',
    async ({ method, path, body }) => {
      const before = await fingerprint();
      const ask = (target: Target) => shops.beta.call(method, path(target), body?.(target), key());
      const [foreign, none] = [await ask(ids), await ask(absent())];
      expect([foreign.status, foreign.body.errors[0].code]).toEqual([404, 'GW0404']);
      expect(withoutIds(foreign.text)).toBe(withoutIds(none.text));
      expect(await fingerprint()).toBe(before);
    },
  );

  test('lists show nothing of another tenant, by whatever they are asked', async () => {
    for (const query of [
      { orderId: ids.orderId },
      { operationId: ids.operationId },
      { terminalId: ids.terminalId },
    ] as Record<string, string>[])
      expect((await shops.beta.operations(query)).body.operations).toEqual([]);
    const listed = (await shops.beta.operations({ maxRecords: '500' })).text;
    for (const id of [ids.operationId, ids.orderId]) expect(listed).not.toContain(id);
  });

  test('a key that was revoked works no longer, and one of another terminal is its own', async () => {
    const made = await graph(
      world,
      'mutation($m: ID!, $t: ID!) { createApiKey(merchantId: $m, terminalId: $t, label: "spare") { keyId apiKey } }',
      { m: shops.alpha.merchantId, t: ids.terminalId },
    );
    expect(made.errors).toBeUndefined();
    const { keyId, apiKey } = made.data.createApiKey;
    const spare = { 'X-API-KEY': apiKey };
    const statusWithSpare = async () => (await shops.alpha.call('GET', '/api/v1/operations', undefined, spare)).status;
    await eventually(async () => (await statusWithSpare()) === 200);
    await graph(world, 'mutation($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', { id: keyId });
    const revokedMs = performance.now();
    await eventually(() => performance.now() - revokedMs >= 1_000);
    expect(await statusWithSpare()).toBe(401);
    const other = shopOf(world, 'alpha', 'implicit');
    expect((await other.operations({ orderId: ids.orderId })).body.operations).toHaveLength(1);
  });
});

describe('sandbox levers', () => {
  test.each([undefined, 'wrong-key'])('do nothing with the key %p', async (wrong) => {
    const before = await fingerprint();
    const card = { number: '4242424242424242', expiry: typedExpiry, cvv: '123' };
    for (const [path, body] of [
      [`/sandbox/checkout/${ids.sessionId}/card`, card],
      [`/sandbox/checkout/${ids.sessionId}/challenge`, { outcome: 'PASS' }],
      [`/sandbox/payments/${ids.paymentId}/card`, card],
      ['/sandbox/capture-batch', undefined],
    ] as const) {
      const headers: Record<string, string> = wrong ? { 'X-Sandbox-Key': wrong } : {};
      const answer = await send(world.urls.rest, { method: 'POST', path, options: { headers, body } });
      expect({ path, status: answer.status }).toEqual({ path, status: 401 });
    }
    expect(await fingerprint()).toBe(before);
  });

  test('an unknown session or payment is 404', async () => {
    const card = { number: '4242424242424242', expiry: typedExpiry, cvv: '123' };
    for (const path of [`/sandbox/checkout/${randomUUID()}/card`, `/sandbox/payments/${randomUUID()}/card`])
      expect((await sandboxCall(world, 'POST', path, card)).status).toBe(404);
  });
});
