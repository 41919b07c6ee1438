// The payment service: what create keeps, what authorize needs and answers, with every outcome and key (payment service; 2.2-A and 2.6 of the decision register).
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { openServiceWorld, type ServiceWorld } from './payment-service-world';
import { serviceSteps } from './service-steps';

let world: ServiceWorld;
beforeAll(async () => {
  world = await openServiceWorld();
});
afterAll(() => world.close());

const { authorize, capture, documentsOf, operationsOf, stateOf, codeOf, key } = serviceSteps(() => world);

describe('create', () => {
  it('answers the payment and its page, and the read repeats what was said', async () => {
    const input = { amount: '1234', currencyCode: 'EUR', paymentNumber: 'A1001', reconciliationReference: 'ref 1' };
    const { data } = await world.run('createPayment', { input: { ...input, processing: 'Sale' } });
    expect(data).toEqual({
      hostedPageUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8082\/pay\/[0-9a-f-]{36}$/),
      payment: { paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'Created' },
    });
    expect(await world.read(data.payment.paymentId)).toMatchObject({
      state: 'Created',
      amount: '1234',
      currency: 'EUR',
      paymentNumber: 'A1001',
      processing: 'Sale',
      transactions: [],
      reconciliationReference: 'ref 1',
      hostedPageUrl: data.hostedPageUrl,
      circuit: null,
      token: null,
      authorizedAmount: '0',
      capturedAmount: '0',
      refundedAmount: '0',
    });
  });

  it("takes nothing at all: the merchant's currency, no amount, None", async () => {
    const { data } = await world.run('createPayment', { input: {} });
    expect(await world.read(data.payment.paymentId)).toMatchObject({
      amount: null,
      currency: 'DKK',
      processing: 'None',
    });
  });

  it.each([
    ['None', 'COLLECT'],
    ['Verify', 'VERIFY'],
    ['Authorize', 'AUTHORIZE'],
    ['Sale', 'SALE'],
  ])('opens a visit of the page: %s is %s', async (processing, aim) => {
    const paymentId = await world.created({
      processing,
      scaExemption: 'Force3ds',
      checkoutText: 'Tea',
      redirectUrls: { returnUrl: 'https://shop.example/x' },
      payPageConfiguration: {
        language: 'DK',
        paymentMethodActionInfoList: [{ paymentMethod: 'VISA', action: 'Allow' }],
      },
    });
    const [session] = await documentsOf('checkout_sessions', { paymentId });
    expect(session).toMatchObject({
      aim,
      family: 'paymentService',
      kind: 'HOSTED',
      state: 'PAYMENT_INITIALIZATION',
      language: 'DK',
      exemption: 'CHALLENGE_FORCED',
      description: 'Tea',
      resultUrl: 'https://shop.example/x',
      merchantName: 'A shop',
    });
    expect(session?.['methods']).toEqual([{ method: 'CARDS', circuits: ['VISA'] }]);
  });

  it('keeps no token, secret, wallet data or account number in the clear', async () => {
    const secrets = {
      token: 'pmt_in-the-clear',
      tokenSecret: 'pms_in-the-clear',
      paymentData: 'wallet-in-the-clear',
      iban: 'DK5000400440116243',
    };
    for (const type of ['PaymentWithToken', 'MobileWallet', 'SepaDirectDepositTypeA'])
      await world.created({ paymentMethodDetails: { type, ...secrets } });
    const stored = JSON.stringify(await documentsOf('payments', {})) + JSON.stringify(await documentsOf('events', {}));
    expect(Object.values(secrets).filter((secret) => stored.includes(secret))).toEqual([]);
  });

  it('is for active merchants, and for clients that may write', async () => {
    const asleep = { ...world.alpha, merchantId: 'merchant-asleep', accountId: 'asleep' };
    expect(await codeOf(world.run('createPayment', { caller: asleep }))).toBe('invalidState');
    expect(await codeOf(world.run('createPayment', { caller: world.reader }))).toBe('forbidden');
    expect(await codeOf(world.run('createPayment', { caller: world.staff }))).toBe('forbidden');
    const { merchantId: _none, ...homeless } = world.alpha;
    expect(await codeOf(world.run('createPayment', { caller: homeless }))).toBe('forbidden');
  });

  it('happens once per key', async () => {
    const input = { amount: '100' };
    const first = await world.run('createPayment', { input, idempotency: key('create-1') });
    const again = await world.run('createPayment', { input, idempotency: key('create-1') });
    expect([again.replayed, again.data]).toEqual([true, first.data]);
    expect(await codeOf(world.run('createPayment', { input, idempotency: key('create-1', 'other') }))).toBe(
      'idempotencyMismatch',
    );
  });
});

describe('authorize', () => {
  it('needs a method, then reserves, then is over', async () => {
    const paymentId = await world.created();
    expect(await codeOf(authorize(paymentId))).toBe('paymentMethodMissing');
    await world.giveCard(paymentId);
    expect(await stateOf(paymentId)).toBe('PendingCustomer');
    const { data } = await authorize(paymentId, { description: 'Two teas' });
    expect(data).toMatchObject({
      payment: { paymentId, state: 'Authorized' },
      operation: { operationId: expect.any(String) },
    });
    expect(await world.read(paymentId)).toMatchObject({
      authorizedAmount: '5000',
      circuit: 'VISA',
      instrumentInfo: expect.stringMatching(/^424242\*+4242$/),
    });
    expect(await documentsOf('operations', { _id: data.operation.operationId })).toMatchObject([
      {
        type: 'AUTHORIZATION',
        result: 'AUTHORIZED',
        channel: 'ECOMMERCE',
        description: 'Two teas',
        family: 'paymentService',
      },
    ]);
    expect(await codeOf(authorize(paymentId))).toBe('invalidState');
  });

  it.each<[amount: string | undefined, authorizes: string | undefined, code: string | null, sum: string]>([
    ['5000', undefined, null, '5000'],
    ['5000', '3000', null, '3000'],
    ['5000', '5000', null, '5000'],
    ['5000', '5001', 'amountAboveAuthorized', '0'],
    [undefined, undefined, 'invalidState', '0'],
    [undefined, '700', null, '700'],
    ['5000', '0', 'invalidInput', '0'],
    ['5000', '2147483648', 'invalidInput', '0'],
  ])('amount %s authorized over %s: %s', async (amount, asked, code, sum) => {
    const { data } = await world.run('createPayment', {
      input: { ...withoutUndefined({ amount }), currencyCode: 'EUR' },
    });
    const { paymentId } = data.payment;
    await world.giveCard(paymentId);
    const input = asked === undefined ? {} : { amount: asked };
    expect(await codeOf(authorize(paymentId, input))).toBe(code);
    expect((await world.read(paymentId)).authorizedAmount).toBe(sum);
  });

  it.each([
    ['4000000000000002', 'declined', 'Declined'],
    ['4000000000009995', 'declined', 'Declined'],
    ['4100000000000019', 'declined', 'Declined'],
    ['4000000000000119', 'declined', 'Failed'],
    ['4000000000000077', 'outcomeUnknown', 'Unknown'],
    ['4000000000000259', 'outcomeUnknown', 'Unknown'],
  ])('card %s is answered with %s and leaves the payment %s', async (number, code, state) => {
    const paymentId = await world.created();
    await world.giveCard(paymentId, number);
    expect(await codeOf(authorize(paymentId))).toBe(code);
    expect(await stateOf(paymentId)).toBe(state);
    expect(await codeOf(authorize(paymentId))).toBe('invalidState');
  });

  it('an unknown outcome is asked for with the same key until it is known, and nothing is charged twice', async () => {
    const paymentId = await world.created();
    await world.giveCard(paymentId, '4000000000000077');
    const idempotency = key('pending-1');
    expect(await codeOf(authorize(paymentId, {}, { idempotency }))).toBe('outcomeUnknown');
    expect(await codeOf(authorize(paymentId, {}, { idempotency }))).toBe('outcomeUnknown');
    world.clock.advance(4_000);
    await world.payments.settle();
    const known = await authorize(paymentId, {}, { idempotency });
    expect([known.code, known.replayed, known.data.payment.state]).toEqual([null, true, 'Authorized']);
    const charges = (await operationsOf(paymentId)).filter(({ type }) => type === 'AUTHORIZATION');
    expect(charges.map(({ _id }) => _id)).toEqual([known.data.operation.operationId]);
  });

  it("the issuer's no is the same no under the same key", async () => {
    const paymentId = await world.created();
    await world.giveCard(paymentId, '4000000000000002');
    const idempotency = key('declined-1');
    expect(await codeOf(authorize(paymentId, {}, { idempotency }))).toBe('declined');
    expect(await authorize(paymentId, {}, { idempotency })).toMatchObject({ code: 'declined', replayed: true });
    expect((await operationsOf(paymentId)).filter(({ type }) => type === 'AUTHORIZATION')).toHaveLength(1);
  });

  it('a refusal by state is the same under its key even when the state would allow it by now', async () => {
    const paymentId = await world.created();
    const idempotency = key('too-early-1');
    expect(await codeOf(authorize(paymentId, {}, { idempotency }))).toBe('paymentMethodMissing');
    await world.giveCard(paymentId);
    const again = await authorize(paymentId, {}, { idempotency });
    expect(again).toMatchObject({ code: 'paymentMethodMissing', replayed: true });
    expect(await codeOf(authorize(paymentId, {}, { idempotency: key('too-early-2') }))).toBeNull();
  });

  it('of many at once one succeeds', async () => {
    const paymentId = await world.created();
    await world.giveCard(paymentId);
    const codes = await Promise.all(Array.from({ length: 16 }, () => codeOf(authorize(paymentId))));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([null, 'invalidState']));
  });
});

describe('invoice payments', () => {
  const invoice = {
    payPageConfiguration: { paymentMethodActionInfoList: [{ paymentMethod: 'INVOICE', action: 'Allow' }] },
  };
  const basket = [{ itemNumber: '1', title: 'Tea', quantity: 1, unitPrice: 5000 }];

  it('move no money without a basket', async () => {
    const paymentId = await world.created(invoice);
    await world.giveCard(paymentId);
    expect(await authorize(paymentId)).toMatchObject({ code: 'invalidState', field: 'basket' });
    const withBasket = await world.created({ ...invoice, basket });
    await world.giveCard(withBasket);
    expect(await codeOf(authorize(withBasket))).toBeNull();
    expect(await codeOf(capture(withBasket))).toBeNull();
  });

  it.each([
    [
      [
        { paymentMethod: 'INVOICE', action: 'Allow' },
        { paymentMethod: 'VISA', action: 'Allow' },
      ],
    ],
    [[{ paymentMethod: 'INVOICE', action: 'Reject' }]],
    [[]],
  ])('are those that allow nothing else: %j is none', async (paymentMethodActionInfoList) => {
    const paymentId = await world.created({ payPageConfiguration: { paymentMethodActionInfoList } });
    await world.giveCard(paymentId);
    expect(await codeOf(authorize(paymentId))).toBeNull();
  });
});
