// Methods that a merchant of family A names in create: bank accounts and wallets are debited, wallets and bank redirects of the payer lead to the method's page (payment service, paymentMethodDetails).
import { type Answer, type CheckoutWorld, merchantClient, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const dayMs = 24 * 3_600_000;
const asMerchant = (name: string, variables: object): Promise<Answer> =>
  world.run(name, variables, { caller: merchantClient });
const iban = 'DE89370400440532013000';
/** Check digits of a German account whose number ends 0002. */
const returned = ibanOf('370400440532010002');
const sepa = { type: 'SepaDirectDepositTypeA', iban, customerEmail: 'ada@example.com' };
const wallet = { type: 'MobileWallet', paymentData: 'opaque-device-data' };

function ibanOf(account: string): string {
  const rest = BigInt(`${account}131400`) % 97n;
  return `DE${String(98n - rest).padStart(2, '0')}${account}`;
}

async function create(paymentMethodDetails: object, processing?: string) {
  const input = { amount: '5000', currencyCode: 'EUR', processing, paymentMethodDetails };
  const { data, code, message } = await asMerchant('CreatePayment', { input });
  if (!data) throw new Error(`${code} ${message}`);
  return { paymentId: data.payment.paymentId as string, sessionId: data.hostedPageUrl.split('/').at(-1) as string };
}
const details = async (paymentId: string) => (await asMerchant('GetPaymentServiceDetails', { paymentId })).data;
const stateOf = async (paymentId: string) => (await details(paymentId)).state;
const resultsOf = async (paymentId: string) =>
  (await world.documents('operations', { paymentId })).map(({ type, result }) => `${type} ${result}`).sort();
const authorize = (paymentId: string) => asMerchant('AuthorizePayment', { paymentId, input: {} });
const aDayLater = async () => {
  world.clock.advance(dayMs);
  await world.payments.settle();
};

describe('a bank account', () => {
  it.each([
    ['within a day is the same debit', dayMs - 60_000, true],
    ['after a day is another', dayMs, false],
  ])('is debited under an idempotency key; a repetition %s', async (_when, afterMs, isSame) => {
    const input = { amount: '5000', currencyCode: 'EUR', processing: 'Sale', paymentMethodDetails: sepa };
    const idempotency = { key: `debit-${isSame}`, scope: 'POST /api/v1/payments', fingerprint: 'same' };
    const ask = async () => {
      const { data } = await world.run('CreatePayment', { input }, { caller: merchantClient, idempotency });
      return data.payment.paymentId as string;
    };
    const first = await ask();
    world.clock.advance(afterMs);
    // Its outcome is asked for, so the call is kept for a year.
    await world.payments.settle();
    const again = await ask();
    expect(again === first).toBe(isSame);
    await aDayLater();
    for (const paymentId of [first, again]) expect(await resultsOf(paymentId)).toEqual(['AUTHORIZATION EXECUTED']);
  });

  it.each([
    ['SepaDirectDepositTypeA', sepa],
    ['SepaDirectDepositTypeC', { ...sepa, type: 'SepaDirectDepositTypeC', mandateUrl: 'https://shop.example/mandate' }],
  ])('%s is debited by Authorize: PENDING, and executed a day later under the same operation', async (_, method) => {
    const { paymentId } = await create(method);
    const { data, code } = await authorize(paymentId);
    expect([code, await stateOf(paymentId)]).toEqual([null, 'Unknown']);
    expect(await resultsOf(paymentId)).toEqual(['AUTHORIZATION PENDING']);
    expect((await authorize(paymentId)).code).toBe('invalidState');
    await world.payments.settle();
    expect(await stateOf(paymentId)).toBe('Unknown');
    await aDayLater();
    expect(await details(paymentId)).toMatchObject({
      state: 'Captured',
      capturedAmount: '5000',
      circuit: 'SEPA_DIRECT_DEBIT',
      instrumentInfo: 'DE89**************3000',
      transactions: [{ operationId: data.operation.operationId, result: 'EXECUTED' }],
    });
    expect((await asMerchant('CapturePayment', { paymentId, input: {} })).code).toBe('invalidState');
    expect((await asMerchant('RefundPayment', { paymentId, input: { amount: '2000' } })).code).toBeNull();
    expect(await stateOf(paymentId)).toBe('PartiallyRefunded');
    expect(await world.documents('events', { aggregateId: paymentId })).toHaveLength(3);
  });

  it('is debited by create itself where processing moves money', async () => {
    const { paymentId } = await create(sepa, 'Sale');
    expect(await resultsOf(paymentId)).toEqual(['AUTHORIZATION PENDING']);
    await aDayLater();
    expect(await resultsOf(paymentId)).toEqual(['AUTHORIZATION EXECUTED']);
  });

  it('whose bank returns the debit ends Declined', async () => {
    const { paymentId } = await create({ ...sepa, iban: returned }, 'Sale');
    await aDayLater();
    expect([await stateOf(paymentId), await resultsOf(paymentId)]).toEqual(['Declined', ['AUTHORIZATION DECLINED']]);
  });

  it('is charged once, however many ask at once', async () => {
    const { paymentId } = await create(sepa);
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await authorize(paymentId)).code));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(await resultsOf(paymentId)).toEqual(['AUTHORIZATION PENDING']);
    expect(await world.documents('sandbox_method_visits', { paymentId })).toHaveLength(1);
  });

  it('cannot be verified, and without its number there is nothing to debit', async () => {
    expect((await authorize((await create(sepa, 'Verify')).paymentId)).code).toBe('invalidState');
    const { paymentId } = await create({ type: 'SepaDirectDepositTypeA' });
    expect((await authorize(paymentId)).code).toBe('paymentMethodMissing');
  });

  it('lies nowhere in the clear', async () => {
    await create(sepa, 'Sale');
    for (const name of [
      'payments',
      'operations',
      'events',
      'acquirer_calls',
      'checkout_sessions',
      'sandbox_method_visits',
    ])
      expect(
        JSON.stringify(await world.documents(name), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toMatch(/370400440532013000|opaque-device-data/);
  });
});

describe('a wallet', () => {
  it.each([
    ['Sale', 'opaque-device-data', 'Captured'],
    ['Authorize', 'opaque-device-data', 'Captured'],
  ])('with its data is paid at once: %s', async (processing, paymentData, state) => {
    const { paymentId } = await create({ ...wallet, paymentData }, processing);
    expect([await stateOf(paymentId), await resultsOf(paymentId)]).toEqual([state, ['AUTHORIZATION EXECUTED']]);
  });

  it('that refuses is told as a refusal', async () => {
    const input = { amount: '5000', processing: 'Sale', paymentMethodDetails: { ...wallet, paymentData: 'data-0002' } };
    expect((await asMerchant('CreatePayment', { input })).code).toBe('declined');
  });
});

describe('the method’s own page', () => {
  it.each([
    ['AppWallet', 'WALLET'],
    ['BankRedirect', 'BANK_REDIRECT'],
    ['MobileWallet', 'WALLET'],
  ])('%s leads to %s, and paid there the payment is captured', async (type, method) => {
    const { paymentId, sessionId } = await create({ type }, 'Sale');
    const { data } = await world.run('OpenCheckoutPage', { sessionId });
    expect(data).toMatchObject({ state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', method });
    const visitId = data.redirectUrl.split('/').at(-1);
    await world.run('AnswerAlternativeMethod', { visitId, answer: 'PASS' });
    expect([await stateOf(paymentId), await resultsOf(paymentId)]).toEqual(['Captured', ['AUTHORIZATION EXECUTED']]);
  });

  it('with processing None only agrees; Authorize moves the money', async () => {
    const { paymentId, sessionId } = await create({ type: 'BankRedirect' });
    const visitId = (await world.run('OpenCheckoutPage', { sessionId })).data.redirectUrl.split('/').at(-1);
    await world.run('AnswerAlternativeMethod', { visitId, answer: 'PASS' });
    expect([await stateOf(paymentId), await resultsOf(paymentId)]).toEqual([
      'PendingCustomer',
      ['CARD_CHECK THREEDS_VALIDATED'],
    ]);
    expect((await authorize(paymentId)).code).toBeNull();
    expect(await stateOf(paymentId)).toBe('Captured');
    expect((await asMerchant('RefundPayment', { paymentId, input: {} })).code).toBeNull();
    expect(await stateOf(paymentId)).toBe('Refunded');
  });

  it.each(['FAIL', 'CANCEL'])('answered %s leaves nothing to authorize', async (answer) => {
    const { paymentId, sessionId } = await create({ type: 'BankRedirect' });
    const visitId = (await world.run('OpenCheckoutPage', { sessionId })).data.redirectUrl.split('/').at(-1);
    await world.run('AnswerAlternativeMethod', { visitId, answer });
    expect((await authorize(paymentId)).code).toBe('invalidState');
  });
});
