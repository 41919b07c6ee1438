// The examples of the OpenAPI files, sent to the running program in an order in which each of them is right: every operation answers with its documented
// success, and that answer has the members of the file's own example. Ids that must be new, or of something that exists, take the place of the example's.
import { join } from 'node:path';
import { type ApiFile, apiFamilies, readApiFile } from '../../rest-facade/checks/openapi';
import { newId } from '../../subgraphs/shared/ids';
import { administrationOf } from '../support/administration';
import { newOrderId, paymentServiceOf, sessionIdOf, shopOf } from '../support/checkout';
import { type Answer, rest } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { onboardingOf } from '../support/onboarding';
import { partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

// biome-ignore lint/suspicious/noExplicitAny: bodies as the files write them
type Body = any;

const files: ApiFile[] = apiFamilies.map((family) => readApiFile(join(__dirname, '../..'), family));
const operations = files.flatMap(({ document }) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  ),
);
/** What any caller of the receiver sends is theirs. */
const withoutExample = new Set(['POST /sandbox/receiver/{anything}']);
const answered = new Map<string, Answer>();

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

/** The example of a body, or the first of several. */
function exampleOf(content: Record<string, object> | undefined): Body {
  const [media] = Object.values(content ?? {}) as { example?: Body; examples?: Record<string, { value: Body }> }[];
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}

interface Filled {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Puts what must be fresh or must exist into the example's body. */
  body?(example: Body): void;
}

/** Sends the example of one operation with a caller's headers; resolves with the body of the answer, which is the documented success. */
async function example(name: string, headers: Record<string, string>, filled: Filled = {}): Promise<Body> {
  const { operation } = operations.find((each) => each.name === name) ?? {};
  if (!operation) throw new Error(`no file has ${name}`);
  const [method = '', template = ''] = name.split(' ');
  const body = structuredClone(exampleOf(operation.requestBody?.content));
  filled.body?.(body);
  const path = template.replace(/\{(\w+)\}/g, (_all, parameter) =>
    encodeURIComponent(filled.params?.[parameter] ?? 'x'),
  );
  const query = filled.query ? `?${new URLSearchParams(filled.query)}` : '';
  const answer = await eventually(async () => {
    const found = await rest(world.urls.rest).call(method, `${path}${query}`, { headers, body });
    return found.status === 503 ? null : found;
  });
  const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
  expect([name, String(answer.status), answer.status < 300 ? '' : answer.text]).toEqual([name, success, '']);
  answered.set(name, answer);
  return answer.body;
}

test('tokenization', async () => {
  const partner = await partnerOf(world, 'alpha');
  const { merchantId } = partner.credentials;
  const created = await example('POST /virtual-accounts/token', partner.headers(), {
    body: (body) => {
      body.merchantInfo.merchantId = merchantId;
      body.accountInfo.encryptedData = sealed;
    },
  });
  const params = { virtualAccountId: created.virtualAccountId };
  await example('GET /virtual-accounts/{virtualAccountId}', partner.headers(), { params });
  await example('POST /virtual-accounts/{virtualAccountId}/transaction', partner.headers(), {
    params,
    body: (body) => {
      body.merchantInfo.merchantId = merchantId;
      body.transactionInfo.transactionId = newId();
      body.transactionInfo.transactionDateTime = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    },
  });
  await example('POST /sandbox/virtual-accounts/{virtualAccountId}/events', sandbox, { params });
  await example('PUT /virtual-accounts/{virtualAccountId}/tokenState', partner.headers(), { params });
  await example('GET /.well-known/jwks.json', {});
});

let sealed = '';
let sandbox: Record<string, string> = {};
beforeAll(async () => {
  sandbox = { 'X-Sandbox-Key': world.credentials.sandboxKey };
  sealed = await (await partnerOf(world, 'alpha')).seal({ account: '4242424242424242', accountExpiry });
});

test('payments', async () => {
  const headers = (await paymentServiceOf(world, 'alpha')).headers();
  const made = async (path: string) =>
    example(`POST ${path}`, headers, { body: (body) => Object.assign(body, { paymentNumber: newId().slice(0, 8) }) });
  const step = (name: string, paymentId: string) =>
    example(`POST /api/v1/payments/{paymentId}/${name}`, headers, { params: { paymentId } });
  const { paymentId } = await made('/api/v1/payments');
  const params = { paymentId };
  await example('POST /sandbox/payments/{paymentId}/card', sandbox, { params });
  for (const name of ['Authorize', 'Capture', 'Refund']) await step(name, paymentId);
  await example('GET /api/v1/payments/{paymentId}', headers, { params });
  const other = await made('/api/v1/payments/');
  await example('POST /sandbox/payments/{paymentId}/card', sandbox, { params: { paymentId: other.paymentId } });
  await step('Authorize', other.paymentId);
  await step('Cancel', other.paymentId);
});

test('checkout', async () => {
  const shop = shopOf(world, 'alpha', 'explicit');
  const headers = () => ({ ...shop.headers(), 'Idempotency-Key': newId() });
  const opened = (name: string, changes: (body: Body) => void = () => undefined) =>
    example(name, headers(), {
      body: (body) => {
        body.order.orderId = newOrderId();
        changes(body);
      },
    });
  const ofShop = (body: Body) => Object.assign(body, { merchantUrl: world.urls.shop });
  const hosted = await opened('POST /api/v1/orders/hpp');
  const session = (sessionId: string) => ({ body: (body: Body) => Object.assign(body, { sessionId }) });
  await example('POST /sandbox/checkout/{sessionId}/card', sandbox, {
    params: { sessionId: sessionIdOf(hosted.hostedPage) },
  });
  const challenged = await opened('POST /api/v1/orders/hpp');
  const visit = { sessionId: sessionIdOf(challenged.hostedPage) };
  await example('POST /sandbox/checkout/{sessionId}/card', sandbox, {
    params: visit,
    body: (body) => Object.assign(body, { number: '4000002500003155' }),
  });
  await example('POST /sandbox/checkout/{sessionId}/challenge', sandbox, { params: visit });

  const older = await opened('POST /api/orders/build', ofShop);
  await example('POST /sandbox/checkout/{sessionId}/card', sandbox, { params: { sessionId: older.sessionId } });
  await example('POST /api/build/finalize_payment', headers(), session(older.sessionId));
  const { sessionId } = await opened('POST /api/v1/orders/build', ofShop);
  await example('POST /sandbox/checkout/{sessionId}/card', sandbox, { params: { sessionId } });
  await example('GET /api/v1/build/state', headers(), { query: { sessionId } });
  await example('GET /api/v1/build/cardData', headers(), { query: { sessionId } });
  const { operation } = await example('POST /api/v1/build/finalize_payment', headers(), session(sessionId));
  const params = { operationId: operation.operationId };
  await example('GET /api/v1/operations/{operationId}', headers(), { params });
  await example('GET /api/v1/operations/{operationId}/actions', headers(), { params });
  const captured = await example('POST /api/v1/operations/{operationId}/captures', headers(), { params });
  const capture = { operationId: captured.operationId };
  await example('POST /api/v1/operations/{operationId}/refunds', headers(), { params: capture });
  const another = await opened('POST /api/v1/orders/build', ofShop);
  await example('POST /sandbox/checkout/{sessionId}/card', sandbox, { params: { sessionId: another.sessionId } });
  const authorized = await example('POST /api/v1/build/finalize_payment', headers(), session(another.sessionId));
  const toCapture = { operationId: authorized.operation.operationId };
  const mistaken = await example('POST /api/v1/operations/{operationId}/captures', headers(), { params: toCapture });
  await example('POST /api/v1/operations/{operationId}/cancels', headers(), {
    params: { operationId: mistaken.operationId },
  });
  const given = await opened('POST /api/v1/orders/build', ofShop);
  await example('POST /api/v1/build/cancel', headers(), session(given.sessionId));
  await example('GET /api/v1/orders/{orderId}', headers(), { params: { orderId: operation.orderId } });
  await example('GET /api/v1/orders', headers());
  await example('GET /api/v1/operations', headers());
  await example('GET /api/v1/payment_methods', headers(), { query: { amount: '5000', currency: 'EUR' } });
  await example('POST /sandbox/capture-batch', sandbox);
});

test('administration', async () => {
  const headers = { Authorization: administrationOf(world, 'alpha').authorization };
  const merchantId = `m-${newId().slice(0, 13)}`;
  const own = (body: Body) => Object.assign(body, { merchantId });
  const path = '/ms/naa/admin/customer/v1/merchant';
  await example(`POST ${path}`, headers, { body: own });
  await example(`PUT ${path}/{merchantId}`, headers, { params: { merchantId }, body: own });
  await example(`DELETE ${path}/{merchantId}`, headers, { params: { merchantId }, query: { userId: 'back office' } });
});

test('partner', async () => {
  const headers = { Authorization: onboardingOf(world).key };
  const { id } = await example('POST /partner/v1/onboarding', headers);
  const params = { id: String(id) };
  await example('GET /partner/v1/onboarding/{id}', headers, { params });
  await example('POST /partner/v1/onboarding/{id}/resend-activation', headers, { params });
  await example('POST /partner/v1/onboarding/{id}', headers, { params });
  await example('POST /sandbox/onboarding/{id}/events', sandbox, { params });
  await example('GET /sandbox/mails', sandbox);
});

test('sandbox and reporting', async () => {
  await rest(world.urls.rest).call('POST', '/sandbox/receiver/shop', { body: { orderId: 'order-1001' } });
  await example('GET /sandbox/receiver/requests', sandbox);
  await example('GET /sandbox/clock', sandbox);
  await example('POST /sandbox/clock', sandbox);
  await example('GET /sandbox/cards', sandbox);
  await example('POST /sandbox/ledger', sandbox);
  await example('PUT /sandbox/tra', sandbox);
  await example('POST /sandbox/receiver/faults', sandbox);
  const { body } = await rest(world.urls.rest).call('GET', '/sandbox/clock', { headers: sandbox });
  const today = (body.now as string).slice(0, 10);
  await example('POST /sandbox/settlement', sandbox, { body: (written) => Object.assign(written, { date: today }) });
  const headers = { Authorization: world.credentials.tenants.alpha.reporting.merchantApiKey };
  const query = { fromDate: today, toDate: today };
  await example('GET /report/v1/balances', headers, { query });
  const { payouts } = await example('GET /report/v1/payouts', headers, { query });
  await example('GET /report/v1/payouts/{id}', headers, { params: { id: String(payouts[0].id) } });
});

test('every operation of the files was asked', () => {
  const asked = operations.filter(({ name }) => !withoutExample.has(name));
  expect([...answered.keys()].sort()).toEqual(asked.map(({ name }) => name).sort());
});

test('the example of an answer has the members of the answer', () => {
  const differing = [...answered].flatMap(([name, { status, body }]) => {
    const { content } = operations.find((each) => each.name === name)?.operation.responses[String(status)] ?? {};
    const [written, found] = [membersOf(exampleOf(content)), membersOf(body)];
    return written === found ? [] : [`${name}: ${found}; the example has ${written}`];
  });
  expect(differing).toEqual([]);
});

/** Of an object, or of the first of a list; nothing of an empty list, which says nothing. */
function membersOf(body: Body): string {
  const first = Array.isArray(body) ? body[0] : body;
  return Object.keys(first ?? {})
    .sort()
    .join();
}
