// Every test card through the hosted checkout over the documented paths, by card fields and by the hosted page; answers, list, notifications and graph agree (hosted checkout and C).
import {
  cards,
  enterCard,
  newOrderId,
  openInbox,
  type Shop,
  sessionIdOf,
  settleChallenge,
  shopOf,
} from '../support/checkout';
import { typedExpiry } from '../support/expiry';
import { graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let shop: Shop;

beforeAll(async () => {
  world = await sharedWorld();
  shop = shopOf(world, 'alpha', 'implicit');
});
afterAll(() => world?.stop());

type Challenge = 'PASS' | 'FAIL' | 'CANCEL';
interface Row {
  card: keyof typeof cards;
  challenge?: Challenge;
  /** What finalize says; a result that is PENDING first ends as `later`. */
  result: string;
  later?: string;
  /** Whether money moved in the end: an implicit terminal captures it by an operation of its own. */
  isPaid: boolean;
}

const outcomes: Row[] = [
  { card: 'visa', result: 'AUTHORIZED', isPaid: true },
  { card: 'mastercard', result: 'AUTHORIZED', isPaid: true },
  { card: 'amex', result: 'AUTHORIZED', isPaid: true },
  { card: 'challenge', challenge: 'PASS', result: 'AUTHORIZED', isPaid: true },
  { card: 'challenge', challenge: 'FAIL', result: 'THREEDS_FAILED', isPaid: false },
  { card: 'challenge', challenge: 'CANCEL', result: 'CANCELED', isPaid: false },
  { card: 'challengeThenDeclined', challenge: 'PASS', result: 'DECLINED', isPaid: false },
  { card: 'challengeThenDeclined', challenge: 'FAIL', result: 'THREEDS_FAILED', isPaid: false },
  { card: 'challengeAlwaysFails', challenge: 'PASS', result: 'THREEDS_FAILED', isPaid: false },
  { card: 'declined', result: 'DECLINED', isPaid: false },
  { card: 'insufficientFunds', result: 'DECLINED', isPaid: false },
  { card: 'risk', result: 'DENIED_BY_RISK', isPaid: false },
  { card: 'technical', result: 'FAILED', isPaid: false },
  { card: 'pending', result: 'PENDING', later: 'AUTHORIZED', isPaid: true },
  { card: 'silent', result: 'PENDING', later: 'AUTHORIZED', isPaid: true },
];

interface Told {
  operationId: string;
  operationType: string;
  operationResult: string;
}

/** Waits for the merchant's notifications to say all that has to be said about the order, and holds them against the list. */
async function expectAgreement(
  row: Row,
  {
    orderId,
    inbox,
    securityToken,
    first,
  }: { orderId: string; inbox: ReturnType<typeof openInbox>; securityToken: string; first: Told },
): Promise<void> {
  const final = row.later ?? row.result;
  if (row.card === 'silent') await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
  const listed = await eventually(async () => {
    const { body } = await shop.operations({ orderId, sortIn: 'ASC' });
    const own = (body.operations as Told[]).find(({ operationId }) => operationId === first.operationId);
    return own?.operationResult === final && (body.operations as Told[]).length === (row.isPaid ? 2 : 1)
      ? (body.operations as Told[])
      : undefined;
  });
  const due = (row.later ? 1 : 0) + listed.length;
  const notified = await eventually(async () => {
    const all = await inbox.received();
    if (all.length < due)
      throw new Error(
        `${all.length} of ${due} notifications: ${JSON.stringify(all.map(({ body }) => body.operation))}`,
      );
    return all;
  });
  expect(notified).toHaveLength(due);
  for (const { body, headers } of notified) {
    expect(Object.keys(body).sort()).toEqual(['eventId', 'eventTime', 'operation', 'securityToken']);
    expect(body.securityToken).toBe(securityToken);
    expect(body.eventId).toBe(headers['webhook-id']);
    expect(body.eventTime).toMatch(/^\d{4}-\d{2}-\d{2}T.*\+01:00$/);
    expect(body.operation.orderId).toBe(orderId);
  }
  expect(new Set(notified.map(({ body }) => body.eventId)).size).toBe(due);
  const about = notified.filter(({ body }) => body.operation.operationId === first.operationId);
  expect(about.map(({ body }) => body.operation.operationResult)).toEqual(
    row.later ? [row.result, row.later] : [row.result],
  );
  if (row.isPaid)
    expect(listed.find(({ operationType }) => operationType === 'CAPTURE')).toMatchObject({
      operationResult: 'EXECUTED',
      operationAmount: '5000',
    });
}

describe.each(outcomes)('card $card $challenge', (row) => {
  it('by card fields', async () => {
    const [orderId, inbox] = [newOrderId(), openInbox(world)];
    const built = await shop.build({ order: { orderId }, paymentSession: { notificationUrl: inbox.url } });
    expect([built.status, built.body.state]).toEqual([200, 'CARD_DATA_COLLECTION']);
    expect(built.body.fields.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME']),
    );
    const { sessionId, securityToken } = built.body;
    expect((await shop.finalize(sessionId)).body.errors[0].code).toBe('GW0006');
    const filled = await enterCard(world, sessionId, cards[row.card]);
    expect([filled.status, filled.body.state]).toEqual([200, 'READY_FOR_PAYMENT']);
    expect((await shop.cardData(sessionId)).body).toMatchObject({
      bin: cards[row.card].slice(0, 6),
      lastFourDigits: cards[row.card].slice(-4),
      expiringDate: typedExpiry,
    });
    let finalized = await shop.finalize(sessionId);
    if (row.challenge) {
      expect(finalized.body.state).toBe('REDIRECTED_TO_EXTERNAL_DOMAIN');
      expect(finalized.body.url).toMatch(/^http/);
      expect((await shop.finalize(sessionId)).body).toEqual(finalized.body);
      await settleChallenge(world, sessionId, row.challenge);
      finalized = await shop.finalize(sessionId);
    }
    expect(finalized.body).toMatchObject({
      state: 'PAYMENT_COMPLETE',
      operation: {
        orderId,
        operationResult: row.result,
        operationAmount: '5000',
        operationCurrency: 'EUR',
        channel: 'ECOMMERCE',
      },
    });
    const again = await shop.finalize(sessionId);
    expect(again.body.operation.operationId).toBe(finalized.body.operation.operationId);
    expect((await shop.state(sessionId)).body.state).toBe('PAYMENT_COMPLETE');
    await expectAgreement(row, { orderId, inbox, securityToken, first: finalized.body.operation });
  });

  it('by the hosted page', async () => {
    const [orderId, inbox] = [newOrderId(), openInbox(world)];
    const created = await shop.hostedPage({ order: { orderId }, paymentSession: { notificationUrl: inbox.url } });
    expect(created.status).toBe(200);
    expect(created.body.securityToken).toMatch(/^[0-9a-f]{32}$/);
    const { hostedPage, securityToken } = created.body;
    expect(hostedPage).not.toContain(orderId);
    const sessionId = sessionIdOf(hostedPage);
    const paid = await enterCard(world, sessionId, cards[row.card]);
    if (row.challenge) {
      expect(paid.body.state).toBe('REDIRECTED_TO_EXTERNAL_DOMAIN');
      await settleChallenge(world, sessionId, row.challenge);
    }
    const { body } = await shop.state(sessionId);
    expect(body).toMatchObject({ state: 'PAYMENT_COMPLETE', operation: { orderId } });
    // Another test may move the shared clock, so that the outcome is known before it is read.
    expect([row.result, row.later ?? row.result]).toContain(body.operation.operationResult);
    await expectAgreement(row, { orderId, inbox, securityToken, first: body.operation });
  });
});

test('an order is one in the list of orders, its status and the graph', async () => {
  const orderId = newOrderId();
  const built = await shop.build({ order: { orderId } });
  await enterCard(world, built.body.sessionId, cards.visa);
  const { operation } = (await shop.finalize(built.body.sessionId)).body;
  const { body } = await shop.order(orderId);
  expect(body.orderStatus).toMatchObject({
    authorizedAmount: '5000',
    capturedAmount: '5000',
    lastOperationType: 'CAPTURE',
    order: { amount: '5000', currency: 'EUR', orderId },
  });
  expect(body.operations).toHaveLength(2);
  const { data, errors } = await graph(
    world,
    `query Order($orderId: ID!, $merchantId: ID!, $operationId: ID!) {
      order(orderId: $orderId, merchantId: $merchantId) { orderId }
      operation(operationId: $operationId) { operationId operationType operationResult operationAmount operationCurrency orderId paymentId merchantId merchant { merchantId } }
    }`,
    { orderId, merchantId: shop.merchantId, operationId: operation.operationId },
  );
  expect(errors).toBeUndefined();
  expect(data.order).toEqual({ orderId });
  expect(data.operation).toMatchObject({
    operationType: 'AUTHORIZATION',
    operationResult: 'AUTHORIZED',
    orderId,
    merchantId: shop.merchantId,
    merchant: { merchantId: shop.merchantId },
  });
});

describe('alternative methods', () => {
  it.each([
    ['PASS', 'AUTHORIZATION', 'EXECUTED'],
    ['FAIL', 'AUTHORIZATION', 'DECLINED'],
    ['CANCEL', 'CANCEL', 'CANCELED'],
  ] as const)('%s at the method ends as %s %s', async (outcome, type, result) => {
    const orderId = newOrderId();
    const built = await shop.build({ order: { orderId }, paymentSession: { paymentService: 'PAYPAL' } });
    expect(built.body).toMatchObject({ state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', fields: [] });
    expect(built.body.url).toMatch(/^http/);
    await settleChallenge(world, built.body.sessionId, outcome);
    const { body } = await shop.finalize(built.body.sessionId);
    expect(body).toMatchObject({
      state: 'PAYMENT_COMPLETE',
      operation: { operationType: type, operationResult: result, paymentMethod: 'APM', paymentCircuit: 'PAYPAL' },
    });
    // Who did not pay left no account to name.
    expect(body.operation.paymentInstrumentInfo).toBe(outcome === 'PASS' ? 'p***@example.com' : undefined);
    const { body: listed } = await shop.operations({ orderId });
    expect(listed.operations.map(({ operationType }: Told) => operationType)).toEqual([type]);
  });
});

describe('the older paths', () => {
  it('build and finalize the same sessions as the present ones', async () => {
    const { 'X-API-KEY': key = '', 'Correlation-Id': id = '' } = shop.headers();
    const body = {
      merchantUrl: world.urls.shop,
      order: { amount: '100', currency: 'EUR', orderId: newOrderId() },
      paymentSession: { actionType: 'PAY', amount: '100' },
    };
    const built = await shop.call('POST', '/api/orders/build', body, { 'X-API-KEY': key, 'Correlation-Id': id });
    expect(built.status).toBe(200);
    expect(built.body).toMatchObject({
      sessionId: expect.any(String),
      securityToken: expect.any(String),
      fields: expect.any(Array),
    });
    await enterCard(world, built.body.sessionId, cards.visa);
    const { body: finalized } = await shop.call('POST', '/api/build/finalize_payment', {
      sessionId: built.body.sessionId,
    });
    expect(finalized).toMatchObject({ state: 'PAYMENT_COMPLETE', operation: { operationResult: 'AUTHORIZED' } });
    expect((await shop.finalize(built.body.sessionId)).body.operation).toEqual(finalized.operation);
  });
});
