// Every test card through the payment service, each way of processing, the order of its calls, and stored consents, over the documented paths (payment service).
import { randomUUID } from 'node:crypto';
import { cards, type PaymentService, paymentServiceOf, paymentsPath, payOnPage, shopOf } from '../support/checkout';
import { judged } from '../support/client';
import { accountExpiry, lastDay } from '../support/expiry';
import { freshCardNumber, partnerOf, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let payments: PaymentService;

beforeAll(async () => {
  world = await sharedWorld();
  payments = await paymentServiceOf(world, 'alpha');
});
afterAll(() => world?.stop());

async function created(changes: object = {}): Promise<string> {
  const answer = await payments.create(changes);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.paymentId;
}
const stateOf = async (paymentId: string) => (await payments.read(paymentId)).body.state as string;
const untilState = (paymentId: string, state: string) => eventually(async () => (await stateOf(paymentId)) === state);

test('create answers with the payment, its page and its place; the page needs nothing else', async () => {
  const { status, body, headers } = await payments.create();
  expect(status).toBe(201);
  expect(Object.keys(body).sort()).toEqual(['hostedPaymentPageUrl', 'paymentId']);
  expect(body.paymentId).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.location).toMatch(new RegExp(`${paymentsPath}/${body.paymentId}$`));
  expect(new URL(body.hostedPaymentPageUrl).origin).toBe(world.urls.pay);
  expect((await fetch(body.hostedPaymentPageUrl)).status).toBe(200);
});

describe.each<[keyof typeof cards, 'PASS' | 'FAIL' | 'CANCEL' | undefined, string, string?]>([
  ['visa', undefined, 'Authorized'],
  ['mastercard', undefined, 'Authorized'],
  ['amex', undefined, 'Authorized'],
  ['challenge', 'PASS', 'Authorized'],
  ['challenge', 'FAIL', 'Failed'],
  ['challenge', 'CANCEL', 'Cancelled'],
  ['challenge', undefined, 'PendingAuthentication'],
  ['challengeThenDeclined', 'PASS', 'Declined'],
  ['challengeAlwaysFails', 'PASS', 'Failed'],
  ['declined', undefined, 'Declined'],
  ['insufficientFunds', undefined, 'Declined'],
  ['risk', undefined, 'Declined'],
  ['technical', undefined, 'Failed'],
  ['pending', undefined, 'Unknown', 'Authorized'],
  ['silent', undefined, 'Unknown', 'Authorized'],
])('card %s %s', (card, challenge, state, later) => {
  it(`with processing Authorize is ${state}${later ? `, then ${later}` : ''}`, async () => {
    const paymentId = await created({ processing: 'Authorize' });
    const paid = await payOnPage(world, paymentId, cards[card], challenge);
    // Another test may move the shared clock, so that the outcome is known before it is read.
    expect(paid.status).toBe(200);
    expect([{ state }, { state: later ?? state }]).toContainEqual(paid.body);
    if (card === 'silent') await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
    await untilState(paymentId, later ?? state);
    const { body } = await payments.read(paymentId);
    const isAuthorized = (later ?? state) === 'Authorized';
    expect(body).toMatchObject({
      paymentId,
      amount: 5_000,
      currencyCode: 'EUR',
      authorizedAmount: isAuthorized ? 5_000 : 0,
      capturedAmount: 0,
      refundedAmount: 0,
    });
  });
});

describe('processing', () => {
  it.each([
    ['None', { amount: 5_000 }, 'PendingCustomer', 0, 0],
    ['Verify', { amount: 0 }, 'Verified', 0, 0],
    ['Authorize', { amount: 5_000 }, 'Authorized', 5_000, 0],
    ['Sale', { amount: 5_000 }, 'Captured', 5_000, 5_000],
  ])('%s ends in its state', async (processing, changes, state, authorizedAmount, capturedAmount) => {
    const paymentId = await created({ processing, ...changes });
    expect((await payOnPage(world, paymentId, cards.visa)).body).toEqual({ state });
    expect((await payments.read(paymentId)).body).toMatchObject({ state, authorizedAmount, capturedAmount });
  });

  it('None waits for Authorize, which every outcome of the card answers', async () => {
    for (const [card, status, slug, states] of [
      ['visa', 200, undefined, ['Authorized']],
      ['declined', 422, 'declined', ['Declined']],
      ['technical', 422, undefined, ['Failed']],
      // Known a minute later, to which another test may move the shared clock.
      ['silent', 503, 'outcome-unknown', ['Unknown', 'Authorized']],
    ] as const) {
      const paymentId = await created();
      await payOnPage(world, paymentId, cards[card]);
      const answer = await payments.authorize(paymentId);
      expect({ card, status: answer.status }).toEqual({ card, status });
      if (slug) expect(answer.body.type).toBe(`/problems/${slug}`);
      if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(states).toContain(await stateOf(paymentId));
    }
  });
});

const refused = async (answer: Promise<{ status: number; body: { type: string } }>) => {
  const { status, body } = await answer;
  return [status, body.type.replace('/problems/', '')];
};

describe('the order of calls', () => {
  const authorized = async (changes: object = {}) => {
    const paymentId = await created({ processing: 'Authorize', ...changes });
    await payOnPage(world, paymentId, cards.visa);
    return paymentId;
  };
  it('authorize comes first, with a method collected', async () => {
    const paymentId = await created();
    expect(await refused(payments.capture(paymentId))).toEqual([422, 'invalid-state']);
    expect(await refused(payments.cancel(paymentId))).toEqual([422, 'invalid-state']);
    expect(await refused(payments.authorize(paymentId))).toEqual([422, 'payment-method-missing']);
  });

  it('captures add up to the authorized amount, refunds to the captured one', async () => {
    const paymentId = await authorized();
    expect(await refused(payments.authorize(paymentId))).toEqual([422, 'invalid-state']);
    const first = await payments.capture(paymentId, { amount: 2_000 });
    expect([first.status, Object.keys(first.body).sort()]).toEqual([200, ['paymentId', 'transactionRef']]);
    expect(await stateOf(paymentId)).toBe('PartiallyCaptured');
    expect(await refused(payments.capture(paymentId, { amount: 3_001 }))).toEqual([422, 'amount-exceeds-authorized']);
    expect(await refused(payments.cancel(paymentId))).toEqual([422, 'already-captured-use-refund']);
    expect((await payments.capture(paymentId, { amount: 3_000 })).status).toBe(200);
    expect(await stateOf(paymentId)).toBe('Captured');
    expect((await payments.capture(paymentId, { amount: 1 })).status).toBe(422);
    expect(await refused(payments.refund(paymentId, { amount: 5_001 }))).toEqual([422, 'amount-exceeds-captured']);
    expect((await payments.refund(paymentId, { amount: 1_000 })).status).toBe(200);
    expect(await stateOf(paymentId)).toBe('PartiallyRefunded');
    expect((await payments.refund(paymentId)).status).toBe(200);
    expect((await payments.read(paymentId)).body).toMatchObject({
      state: 'Refunded',
      capturedAmount: 5_000,
      refundedAmount: 5_000,
    });
    expect((await payments.refund(paymentId, { amount: 1 })).status).toBe(422);
  });

  it('cancel ends an authorization that was not captured', async () => {
    const paymentId = await authorized();
    expect((await payments.cancel(paymentId)).status).toBe(200);
    expect(await stateOf(paymentId)).toBe('Cancelled');
    expect(await refused(payments.cancel(paymentId))).toEqual([422, 'invalid-state']);
    expect((await payments.capture(paymentId)).status).toBe(422);
  });

  it('a transactionRef is an operation of the list, and the notification address that nobody gave gets nothing', async () => {
    const paymentId = await authorized();
    const { transactionRef } = (await payments.capture(paymentId)).body;
    const { body } = await shopOf(world, 'alpha').operations({ operationId: transactionRef });
    expect(body.operations).toEqual([
      expect.objectContaining({
        operationId: transactionRef,
        operationType: 'CAPTURE',
        operationResult: 'EXECUTED',
        channel: 'BACKOFFICE',
      }),
    ]);
    expect((await payments.read(paymentId)).body.transactions).toEqual(
      expect.arrayContaining([expect.objectContaining({ transactionRef })]),
    );
  });

  it('the same key captures once, another body under it is refused', async () => {
    const paymentId = await authorized();
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, again] = [
      await payments.capture(paymentId, { amount: 100 }, key),
      await payments.capture(paymentId, { amount: 100 }, key),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await refused(payments.capture(paymentId, { amount: 101 }, key))).toEqual([422, 'idempotency-mismatch']);
    expect((await payments.read(paymentId)).body.capturedAmount).toBe(100);
  });

  it('of 24 captures of everything at once one succeeds', async () => {
    const paymentId = await authorized();
    const captures = Array.from({ length: 24 }, () => payments.capture(paymentId, { amount: 5_000 }));
    const answers = judged(await Promise.all(captures));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect({ won: count(200), lost: count(422) }).toEqual({ won: 1, lost: answers.length - 1 });
    expect((await payments.read(paymentId)).body).toMatchObject({ capturedAmount: 5_000, state: 'Captured' });
  });
});

describe('stored consent', () => {
  it('is kept at the first payment and charged by later ones', async () => {
    const first = await created({
      processing: 'Authorize',
      paymentMethodDetails: {
        type: 'InitialPaymentMethodTokenizationDetails',
        expiryDate: lastDay,
        intervalDays: 30,
      },
    });
    await payOnPage(world, first, cards.visa);
    const { paymentMethodToken } = (await payments.read(first)).body;
    expect(paymentMethodToken).toEqual({ token: expect.any(String), tokenSecret: expect.any(String) });
    for (const details of [
      { type: 'PaymentWithToken', ...paymentMethodToken, isRecurring: true, recurringType: 'Subscription' },
      {
        type: 'MerchantInitiatedPaymentWithToken',
        ...paymentMethodToken,
        merchantInitiatedTransactionType: 'UnscheduledCardOnFile',
      },
    ]) {
      const paymentId = await created({ paymentMethodDetails: details });
      expect((await payments.authorize(paymentId)).status).toBe(200);
      expect(await stateOf(paymentId)).toBe('Authorized');
    }
    const wrong = await payments.create({
      paymentMethodDetails: { type: 'MerchantInitiatedPaymentWithToken', ...paymentMethodToken, tokenSecret: 'wrong' },
    });
    const { status } = wrong.status === 201 ? await payments.authorize(wrong.body.paymentId) : wrong;
    expect(status).toBe(422);
  });

  it('may be a token of the tokenization interface with its cryptogram, for the payment that it was made for, once', async () => {
    const partner = await partnerOf(world, 'alpha');
    const token = await partner.createToken({ account: freshCardNumber(), accountExpiry });
    const opened = await partner.open(
      (await partner.createTransaction(token.body.virtualAccountId, { amount: '5000' })).body.encryptedData,
    );
    const details = { type: 'PaymentWithToken', token: opened['token'], tokenSecret: opened['cryptogram'] };
    for (const other of [{ amount: 5_001 }, { amount: 999_999 }, { currencyCode: 'SEK' }]) {
      const dearer = await created({ paymentMethodDetails: details, ...other });
      expect(await refused(payments.authorize(dearer))).toEqual([422, 'payment-method-missing']);
    }
    const paymentId = await created({ paymentMethodDetails: details });
    expect((await payments.authorize(paymentId)).status).toBe(200);
    const second = await payments.create({ paymentMethodDetails: details });
    const { status } = second.status === 201 ? await payments.authorize(second.body.paymentId) : second;
    expect(status).toBe(422);
  });
});
