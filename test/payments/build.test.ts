// New orders: what build answers, what it keeps, what it refuses, and whose an orderId is (hosted checkout, build; 2.2-B of the decision register).
import { cardFieldIds } from '../../subgraphs/payments/sessions/checkout-session';
import { type CheckoutWorld, card, newOrderId, openCheckoutWorld, payUrl, sriHash } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

describe('build', () => {
  it('with CARDS lists the card fields', async () => {
    const { data } = await world.build();
    expect(data).toMatchObject({ state: 'CARD_DATA_COLLECTION', sriHash, url: null, warnings: [] });
    expect(data.securityToken).toMatch(/^[0-9a-f]{32}$/);
    expect(data.fields).toEqual(
      cardFieldIds.map((id) => ({
        class: 'CARD_FIELD',
        id,
        src: `${payUrl}/frames/${data.sessionId}/${id}`,
        type: 'TEXT',
      })),
    );
    const state = await world.run('GetCheckoutState', { sessionId: data.sessionId });
    expect(state.data).toEqual({ fieldSet: data, state: data.state, operation: null, url: null });
  });

  it('without a method lists the methods', async () => {
    const { data } = await world.build({}, { paymentService: null, resultUrl: null });
    expect(data.state).toBe('PAYMENT_METHOD_SELECTION');
    expect(
      data.fields.map((field: { class: string; id: string; type: string }) => [field.class, field.id, field.type]),
    ).toEqual([
      ['CARD', 'CARDS', 'ACTION'],
      ['APM', 'PAYPAL', 'ACTION'],
      ['APM', 'MYBANK', 'ACTION'],
    ]);
    expect(data.warnings).toEqual([{ code: 'TRA002', description: expect.any(String) }]);
  });

  it('with nothing at all is an order of its own, in the currency of the terminal', async () => {
    const { data } = await world.run('BuildCheckout', { input: {} });
    const [payment] = await world.documents('payments', { sessionId: data.sessionId });
    expect(payment).toMatchObject({ state: 'Created', amountMinor: null, currency: 'EUR' });
    expect(payment.orderId).toMatch(/^[0-9a-f]{24}$/);
  });

  it('keeps what the order says, seals the token, and never shows it twice alike', async () => {
    const order = {
      customField: 'note',
      description: 'Shoes',
      plan: { InstallmentQty: 3 },
      customerInfo: { cardHolderName: 'Ada' },
    };
    const { data } = await world.build(order, { notificationUrl: 'https://shop.example/n', actionType: 'PREAUTH' });
    const [payment] = await world.documents('payments', { sessionId: data.sessionId });
    expect(payment).toMatchObject({ isIncremental: true, notification: { url: 'https://shop.example/n' } });
    expect(payment.operationDefaults).toMatchObject({
      customField: 'note',
      installmentQty: 3,
      customerInfo: { cardHolderName: 'Ada' },
    });
    expect(payment.details.order).toMatchObject({ ...order, amount: '5000' });
    const [session] = await world.documents('checkout_sessions', { _id: data.sessionId });
    expect(JSON.stringify([payment, session])).not.toContain(data.securityToken);
    expect((await world.build()).data.securityToken).not.toBe(data.securityToken);
  });

  it('frees an orderId after a failure only', async () => {
    const orderId = newOrderId();
    const first = (await world.build({ orderId })).data;
    expect(await world.build({ orderId })).toMatchObject({ code: 'orderIdTaken', field: 'order.orderId' });
    expect((await world.build({ orderId }, {}, { caller: world.foreign })).code).toBeNull();
    await world.run('CancelCheckout', { sessionId: first.sessionId });
    const second = (await world.build({ orderId })).data;
    await world.run('FillCheckoutCard', { sessionId: second.sessionId, card: card() });
    await world.run('FinalizeCheckout', { sessionId: second.sessionId });
    expect((await world.build({ orderId })).code).toBe('orderIdTaken');
  });

  it('lets one of many take an orderId', async () => {
    const orderId = newOrderId();
    const codes = (await Promise.all(Array.from({ length: 16 }, () => world.build({ orderId })))).map(
      ({ code }) => code,
    );
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'orderIdTaken')).toHaveLength(15);
  });

  it('repeated under one idempotency key is one order, refused under another body', async () => {
    const idempotency = { key: 'k1', scope: 'POST /orders/build', fingerprint: 'a' };
    const first = await world.build({}, {}, { idempotency });
    const again = await world.build({}, {}, { idempotency });
    expect([again.replayed, again.data]).toEqual([true, first.data]);
    expect((await world.build({}, {}, { idempotency: { ...idempotency, fingerprint: 'b' } })).code).toBe(
      'idempotencyMismatch',
    );
  });

  it.each([
    ['version 2', { more: { version: '2' } }, 'invalidData', 'version'],
    [
      'an unknown merchantUrl',
      { more: { merchantUrl: 'https://other.example' } },
      'originNotRegistered',
      'merchantUrl',
    ],
    [
      'a method that the terminal has not',
      { session: { paymentService: 'IDEAL' } },
      'invalidData',
      'paymentSession.paymentService',
    ],
    [
      'explicit capture on an implicit terminal',
      { session: { captureType: 'EXPLICIT' } },
      'invalidData',
      'paymentSession.captureType',
    ],
    ['a currency that is not enabled', { order: { currency: 'DKK' } }, 'currencyInvalid', 'order.currency'],
    [
      'a notification to a forbidden address',
      { session: { notificationUrl: 'https://169.254.169.254/' } },
      'invalidData',
      'paymentSession.notificationUrl',
    ],
    [
      'a contract with a method that is no card',
      { session: { paymentService: 'PAYPAL', recurrence: { action: 'CONTRACT_CREATION' } } },
      'invalidData',
      'paymentSession.recurrence',
    ],
  ])(
    'refuses %s and keeps nothing',
    async (_, {
      order = {},
      session = {},
      more = {},
    }: { order?: object; session?: object; more?: object }, code, field) => {
      const before = await world.stores.connection.collection('checkout_sessions').countDocuments();
      expect(await world.build(order, session, { more })).toMatchObject({ code, field, data: null });
      expect(await world.stores.connection.collection('checkout_sessions').countDocuments()).toBe(before);
    },
  );

  it('refuses a key whose terminal is gone', async () => {
    expect((await world.build({}, {}, { caller: { ...world.implicit, terminalId: 'gone' } })).code).toBe(
      'terminalNotFound',
    );
  });
});
