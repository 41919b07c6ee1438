// The payment service without a page: stored consents and card tokens of the tokenization interface are charged, and when they are worth nothing (payment service; 2.6 of the decision register).
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { dayMs, openServiceWorld, type ServiceWorld } from './payment-service-world';
import { serviceSteps } from './service-steps';

let world: ServiceWorld;
beforeAll(async () => {
  world = await openServiceWorld();
});
afterAll(() => world.close());

const { authorize, operationsOf, stateOf, codeOf, key } = serviceSteps(() => world);

describe('stored consents', () => {
  const withToken = (token: object, more: object = {}) => ({
    paymentMethodDetails: { type: 'PaymentWithToken', ...token, ...more },
  });
  const byMerchant = (token: object, kind?: string) => ({
    paymentMethodDetails: {
      type: 'MerchantInitiatedPaymentWithToken',
      ...token,
      ...withoutUndefined({ merchantInitiatedTransactionType: kind }),
    },
  });

  it.each<[string, (token: object) => object, string, string]>([
    [
      'the payer',
      (token) => withToken(token, { isRecurring: true, recurringType: 'Subscription' }),
      'AUTHORIZATION',
      'ECOMMERCE',
    ],
    ['the merchant', (token) => byMerchant(token), 'AUTHORIZATION', 'BACKOFFICE'],
    ['the merchant, unscheduled', (token) => byMerchant(token, 'UnscheduledCardOnFile'), 'AUTHORIZATION', 'BACKOFFICE'],
    ['the merchant, delayed', (token) => byMerchant(token, 'DelayedCharge'), 'DELAY_CHARGE', 'BACKOFFICE'],
    ['the merchant, no show', (token) => byMerchant(token, 'NoShow'), 'NOSHOW', 'BACKOFFICE'],
  ])('charged by %s', async (_, detailsOf, type, channel) => {
    const paymentId = await world.created(detailsOf(await world.consent()));
    expect(await stateOf(paymentId)).toBe('Created');
    expect(await codeOf(authorize(paymentId))).toBeNull();
    expect(await world.read(paymentId)).toMatchObject({
      state: 'Authorized',
      authorizedAmount: '5000',
      circuit: 'VISA',
    });
    const [operation] = await operationsOf(paymentId);
    expect(operation).toMatchObject({ type, channel, result: 'AUTHORIZED', contractId: expect.any(String) });
    expect(operation?.['additionalData'].threeDS).toBe('none');
  });

  it.each([
    ['the payer', withToken, 'authenticationRequired'],
    ['the merchant', byMerchant, null],
  ])('of a card whose issuer wanted the payer, charged by %s', async (_, detailsOf, code) => {
    const paymentId = await world.created(detailsOf(await world.consent('4000002500003155')));
    expect(await codeOf(authorize(paymentId))).toBe(code);
  });

  it.each([
    ['Verify', 'Verified', 'CARD_VERIFICATION'],
    ['Authorize', 'Authorized', 'AUTHORIZATION'],
    ['Sale', 'Captured', 'AUTHORIZATION,CAPTURE'],
  ])('with processing %s create charges by itself: %s', async (processing, state, types) => {
    const paymentId = await world.created({ ...byMerchant(await world.consent()), processing });
    expect(await stateOf(paymentId)).toBe(state);
    expect(
      (await operationsOf(paymentId))
        .map(({ type }) => type)
        .sort()
        .join(),
    ).toBe(types);
  });

  it('are charged once per key by create, and a refusal stays one', async () => {
    const input = { ...byMerchant(await world.consent()), amount: '5000', currencyCode: 'EUR', processing: 'Sale' };
    const idempotency = key('mit-1');
    const first = await world.run('createPayment', { input, idempotency });
    const again = await world.run('createPayment', { input, idempotency });
    expect([again.replayed, again.data]).toEqual([true, first.data]);
    expect(await operationsOf(first.data.payment.paymentId)).toHaveLength(2);
    const declining = await world.consent('4000000000000002');
    const refused = { input: { ...input, ...byMerchant(declining) }, idempotency: key('mit-2') };
    expect(await codeOf(world.run('createPayment', refused))).toBe('declined');
    expect(await world.run('createPayment', refused)).toMatchObject({ code: 'declined', replayed: true });
  });

  it('of a request whose process died are charged on the payment that it had opened, once', async () => {
    const input = { ...byMerchant(await world.consent()), amount: '5000', currencyCode: 'EUR', processing: 'Sale' };
    const idempotency = key('mit-3');
    const first = await world.run('createPayment', { input, idempotency });
    const { paymentId } = first.data.payment;
    const { connection } = world.stores;
    const payments = () => connection.collection('payments').countDocuments();
    const before = await payments();
    const died = { state: 'running', owner: 'dead', result: null, runningUntil: new Date(0) };
    await connection.collection('idempotency_keys').updateOne({ subject: paymentId }, { $set: died });
    const again = await world.run('createPayment', { input, idempotency });
    expect([again.replayed, again.data]).toEqual([false, first.data]);
    expect([await payments(), (await operationsOf(paymentId)).length]).toEqual([before, 2]);
  });

  it('are worth nothing with another secret, for another merchant, without a token, after their day', async () => {
    const good = await world.consent();
    const wrong = { ...good, tokenSecret: 'pms_wrong' };
    const nothing = [wrong, { token: 'pmt_unknown', tokenSecret: good.tokenSecret }, { token: good.token }, {}];
    for (const token of nothing) {
      expect([token, await codeOf(authorize(await world.created(withToken(token))))]).toEqual([
        token,
        'paymentMethodMissing',
      ]);
      const mit = authorize(await world.created(byMerchant(token)));
      expect([token, await codeOf(mit)]).toEqual([token, 'merchantInitiatedRefused']);
      const atOnce = { input: { ...byMerchant(token), amount: '1', processing: 'Sale' } };
      const before = await world.stores.connection.collection('payments').countDocuments();
      expect(await codeOf(world.run('createPayment', atOnce))).toBe('merchantInitiatedRefused');
      expect(await world.stores.connection.collection('payments').countDocuments()).toBe(before);
    }
    const foreign = await world.created(withToken(good), world.beta);
    expect(await codeOf(authorize(foreign, {}, { caller: world.beta }))).toBe('paymentMethodMissing');
    const today = world.clock.now().toISOString().slice(0, 10);
    const short = await world.consent(undefined, { expiryDate: today });
    expect(await codeOf(authorize(await world.created(withToken(short))))).toBeNull();
    world.clock.advance(dayMs);
    expect(await codeOf(authorize(await world.created(withToken(short))))).toBe('paymentMethodMissing');
  });

  it('with Force3ds wait for the payer', async () => {
    const details = { ...withToken(await world.consent()), scaExemption: 'Force3ds' };
    const paymentId = await world.created({ ...details, processing: 'Authorize' });
    expect(await stateOf(paymentId)).toBe('Created');
    expect(await codeOf(authorize(paymentId))).toBe('authenticationRequired');
  });
});

describe('card tokens of the tokenization interface', () => {
  const cryptogram = (text: string) => Buffer.from(text.padEnd(20, '.')).toString('base64');
  const known = (token: string, number = '4242424242424242', accountId = 'alpha') => {
    const card = { accountId, cryptogram: cryptogram(token), number, madeAt: world.clock.now() };
    world.tokens.set(token, card);
    return { type: 'PaymentWithToken', token, tokenSecret: card.cryptogram };
  };

  it('are charged with their cryptogram once, and show the card behind them', async () => {
    const paymentMethodDetails = known('4895370000000010');
    const paymentId = await world.created({ paymentMethodDetails });
    expect(await codeOf(authorize(paymentId))).toBeNull();
    expect(await world.read(paymentId)).toMatchObject({ state: 'Authorized', instrumentInfo: '424242******4242' });
    const second = await world.created({ paymentMethodDetails });
    expect(await codeOf(authorize(second))).toBe('paymentMethodMissing');
    expect(await stateOf(second)).toBe('Created');
  });

  it('are charged once under a key, by whoever repeats it within its day and by no request that uses it again after', async () => {
    const paid = { amount: '5000', currencyCode: 'EUR', processing: 'Sale' };
    const input = { paymentMethodDetails: known('4895370000000044'), ...paid };
    const idempotency = key('card-token-1');
    const first = await world.run('createPayment', { input, idempotency });
    expect(first.code).toBeNull();
    const { paymentId } = first.data.payment;
    const { connection } = world.stores;
    const payments = () => connection.collection('payments').countDocuments();
    const before = await payments();
    world.clock.advance(dayMs - 1);
    const died = { state: 'running', owner: 'dead', result: null, runningUntil: new Date(0) };
    await connection.collection('idempotency_keys').updateOne({ subject: paymentId }, { $set: died });
    const again = await world.run('createPayment', { input, idempotency });
    expect([again.replayed, again.data]).toEqual([false, first.data]);
    world.clock.advance(1);
    expect(await codeOf(world.run('createPayment', { input, idempotency }))).toBe('paymentMethodMissing');
    expect([await payments(), (await operationsOf(paymentId)).length]).toEqual([before, 2]);
  });

  it('of another tenant are no tokens', async () => {
    const paymentId = await world.created({ paymentMethodDetails: known('4895370000000028', undefined, 'beta') });
    expect(await codeOf(authorize(paymentId))).toBe('paymentMethodMissing');
  });

  it('of a card whose issuer wants the payer: authentication is required', async () => {
    const paymentId = await world.created({ paymentMethodDetails: known('4895370000000036', '4000002500003155') });
    expect(await codeOf(authorize(paymentId))).toBe('authenticationRequired');
    expect(await stateOf(paymentId)).toBe('Declined');
  });
});
