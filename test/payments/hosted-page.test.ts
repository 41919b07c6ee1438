// Family B's hosted page from the link to the receipt, and the levers that play it (hosted checkout, hpp; docs/sandbox.md, sections 6 and 9).
import { acsUrl, type CheckoutWorld, card, minuteMs, openCheckoutWorld, payUrl, start } from './checkout-world';

const order = {
  description: 'Shoes',
  termsAndConditionsIds: ['t1'],
  transactionSummary: [
    { language: 'eng', summaryList: [{ label: 'Shoes', value: '50.00' }] },
    { language: 'dan', summaryList: [{ label: 'Sko', value: '50,00' }] },
  ],
};

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

describe('the hosted page', () => {
  it('goes from the link to the receipt', async () => {
    const { data } = await world.hosted(order, {});
    const { sessionId, hostedPage, securityToken } = data;
    expect([hostedPage, /^[0-9a-f]{32}$/.test(securityToken)]).toEqual([`${payUrl}/pay/${sessionId}`, true]);
    expect((await world.run('GetCheckoutPage', { sessionId })).data.state).toBe('PAYMENT_INITIALIZATION');
    const opened = (await world.run('OpenCheckoutPage', { sessionId })).data;
    expect(opened).toMatchObject({
      state: 'PAYMENT_METHOD_SELECTION',
      paymentState: 'PendingCustomer',
      kind: 'HOSTED',
      family: 'checkout',
      merchantName: 'A shop',
      merchantOrigin: null,
      amount: '5000',
      currency: 'EUR',
      isTest: true,
      language: null,
      countryLanguage: 'dan',
      summary: [{ label: 'Sko', value: '50,00' }],
      summaries: [
        { language: 'eng', lines: [{ label: 'Shoes', value: '50.00' }] },
        { language: 'dan', lines: [{ label: 'Sko', value: '50,00' }] },
      ],
      termsAndConditionsIds: ['t1'],
      cancelUrl: 'https://shop.example/back',
      idleUntil: new Date(start.getTime() + 30 * minuteMs).toISOString(),
    });
    expect(JSON.stringify(opened)).not.toContain(securityToken);
    expect(opened.methods.map(({ method }: { method: string }) => method)).toEqual(['CARDS', 'PAYPAL', 'MYBANK']);
    expect((await world.run('OpenCheckoutPage', { sessionId })).data).toEqual(opened);
    expect((await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' })).data.state).toBe(
      'CARD_DATA_COLLECTION',
    );
    const wrong = await world.run('EnterCard', { sessionId, card: { ...card(), cvv: '1', holder: '' } });
    expect(wrong.data).toEqual({
      state: 'CARD_DATA_COLLECTION',
      errors: [
        { field: 'SECURITY_CODE', code: 'incomplete' },
        { field: 'CARDHOLDER_NAME', code: 'required' },
      ],
    });
    const right = await world.run('EnterCard', { sessionId, card: card() });
    expect(right.data).toEqual({ state: 'READY_FOR_PAYMENT', errors: [] });
    const paid = await Promise.all([world.run('PayCheckout', { sessionId }), world.run('PayCheckout', { sessionId })]);
    expect(paid[0].data).toEqual(paid[1].data);
    expect(paid[0].data).toMatchObject({
      state: 'PAYMENT_COMPLETE',
      paymentState: 'Captured',
      cardEntered: expect.any(Array),
      operation: {
        operationType: 'AUTHORIZATION',
        operationResult: 'AUTHORIZED',
        paymentInstrumentInfo: '424242******4242',
      },
    });
  });

  it('is filled and paid by one lever, and opens at the method that was chosen', async () => {
    const { sessionId } = (await world.hosted()).data;
    const filled = await world.run('FillCheckoutCard', {
      sessionId,
      card: { number: '4242424242424242', expiry: '12/30', cvv: '123' },
    });
    expect(filled.data).toEqual({ state: 'PAYMENT_COMPLETE' });
    const cards = (await world.hosted({}, { paymentService: 'CARDS' })).data;
    expect((await world.run('OpenCheckoutPage', { sessionId: cards.sessionId })).data.state).toBe(
      'CARD_DATA_COLLECTION',
    );
    const bank = (await world.hosted({}, { paymentService: 'MYBANK' })).data;
    const opened = (await world.run('OpenCheckoutPage', { sessionId: bank.sessionId })).data;
    expect(opened).toMatchObject({
      state: 'REDIRECTED_TO_EXTERNAL_DOMAIN',
      redirectUrl: expect.stringContaining(`${acsUrl}/method/`),
    });
  });

  it('is opened by many at once, and chosen at once', async () => {
    const { sessionId } = (await world.hosted()).data;
    const opened = await Promise.all(Array.from({ length: 6 }, () => world.run('OpenCheckoutPage', { sessionId })));
    expect(opened.map(({ code, data }) => code ?? data.state)).toEqual(Array(6).fill('PAYMENT_METHOD_SELECTION'));
    const chosen = await Promise.all(
      Array.from({ length: 4 }, () => world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' })),
    );
    for (const { code, data } of chosen) expect([code, data.state]).toEqual([null, 'CARD_DATA_COLLECTION']);
  });

  it('refuses what is not offered', async () => {
    const { sessionId } = (await world.hosted()).data;
    await world.run('OpenCheckoutPage', { sessionId });
    for (const method of ['IDEAL', '', 'cards', 'constructor'])
      expect((await world.run('ChooseCheckoutMethod', { sessionId, method })).code).toBe('invalidData');
    expect((await world.run('OpenCheckoutPage', { sessionId: 'x' })).code).toBe('notFound');
    expect((await world.run('GetCheckoutPage', { sessionId: '0b81ee2f-2b0a-4b4e-9d46-2b8c7ac0a6a1' })).data).toBeNull();
  });

  it('refuses a lever whose card the fields would not take', async () => {
    const { sessionId } = (await world.hosted()).data;
    const filled = await world.run('FillCheckoutCard', { sessionId, card: { ...card(), number: '4242424242424241' } });
    expect([filled.code, filled.field]).toEqual(['invalidData', 'number']);
    expect((await world.run('SettleChallenge', { sessionId, outcome: 'MAYBE' })).code).toBe('invalidInput');
  });
});
