// Family A's hosted page played by the payer: every processing with every kind of card, the page's rules, consents, and a page that nobody opens (payment service; 2.2-A and 2.6 of the decision register).
import { decidePageMethods, isCardAllowed, type PageRule } from '../../subgraphs/payments/sessions/page-rules';
import { type Answer, type CheckoutWorld, card, merchantClient, minuteMs, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const create = async (input: object = {}): Promise<{ paymentId: string; sessionId: string }> => {
  const { data, code, message } = await world.run(
    'CreatePayment',
    { input: { amount: '5000', currencyCode: 'EUR', ...input } },
    { caller: merchantClient },
  );
  if (!data) throw new Error(`${code} ${message}`);
  return { paymentId: data.payment.paymentId, sessionId: data.hostedPageUrl.split('/').at(-1) };
};
const fill = (paymentId: string, number?: string, challenge?: string): Promise<Answer> =>
  world.run('FillPaymentCard', { paymentId, card: card(number), challenge });
const details = async (paymentId: string) =>
  (await world.run('GetPaymentServiceDetails', { paymentId }, { caller: merchantClient })).data;

describe('what the page leaves behind', () => {
  it.each([
    [undefined, undefined, undefined, 'PendingCustomer'],
    ['None', '4242424242424242', undefined, 'PendingCustomer'],
    ['Verify', '4242424242424242', undefined, 'Verified'],
    ['Authorize', '4242424242424242', undefined, 'Authorized'],
    ['Sale', '4242424242424242', undefined, 'Captured'],
    ['Authorize', '4000002500003155', undefined, 'PendingAuthentication'],
    ['None', '4000002500003155', 'PASS', 'PendingCustomer'],
    ['Verify', '4000002500003155', 'PASS', 'Verified'],
    ['Authorize', '4000002500003155', 'PASS', 'Authorized'],
    ['Sale', '4000002500003155', 'PASS', 'Captured'],
    ['Authorize', '4000002500003155', 'FAIL', 'Failed'],
    ['None', '4000000000003220', 'PASS', 'Failed'],
    ['Authorize', '4000002500003155', 'CANCEL', 'Cancelled'],
    ['Authorize', '4000008400001629', 'PASS', 'Declined'],
    ['Authorize', '4000000000000002', undefined, 'Declined'],
    ['Sale', '4000000000009995', undefined, 'Declined'],
    ['Authorize', '4100000000000019', undefined, 'Declined'],
    ['Authorize', '4000000000000119', undefined, 'Failed'],
    ['Authorize', '4000000000000077', undefined, 'Unknown'],
    ['Authorize', '4000000000000259', undefined, 'Unknown'],
  ])('processing %s, card %s, challenge %s: %s', async (processing, number, challenge, state) => {
    const { paymentId } = await create({ processing });
    const { data, code } = await fill(paymentId, number, challenge);
    expect([code, data?.state]).toEqual([null, state]);
    expect((await details(paymentId)).state).toBe(state);
  });

  it('a card that was collected is authorized by the merchant', async () => {
    const { paymentId } = await create({ processing: 'None' });
    await fill(paymentId, '4000002500003155', 'PASS');
    const authorized = await world.run('AuthorizePayment', { paymentId, input: {} }, { caller: merchantClient });
    expect(authorized.code).toBeNull();
    expect((await details(paymentId)).state).toBe('Authorized');
  });

  it('Force3ds challenges a card that would pass without', async () => {
    const { paymentId } = await create({ processing: 'Sale', scaExemption: 'Force3ds' });
    expect((await fill(paymentId)).data.state).toBe('PendingAuthentication');
  });
});

describe('a stored card whose payer must be challenged', () => {
  const consent = async (number?: string) => {
    const { paymentId } = await create({ paymentMethodDetails: { type: 'InitialPaymentMethodTokenizationDetails' } });
    await fill(paymentId, number);
    return (await details(paymentId)).token;
  };
  const forced = async (processing: string, token: object) =>
    create({ processing, scaExemption: 'Force3ds', paymentMethodDetails: { type: 'PaymentWithToken', ...token } });

  it.each([
    ['Authorize', 'PASS', 'Authorized'],
    ['Sale', 'PASS', 'Captured'],
    ['Verify', 'PASS', 'Verified'],
    ['Authorize', 'FAIL', 'Failed'],
    ['Authorize', 'CANCEL', 'Cancelled'],
  ])('%s: the page asks for no card, the challenge ends as %s: %s', async (processing, answer, state) => {
    const { paymentId, sessionId } = await forced(processing, await consent());
    const page = (await world.run('OpenCheckoutPage', { sessionId })).data;
    expect([page.state, page.fields]).toEqual(['READY_FOR_PAYMENT', []]);
    const typed = await world.run('EnterCard', { sessionId, card: card('5555555555554444') });
    expect(typed.code).toBe('flowStateInvalid');
    expect((await world.run('PayCheckout', { sessionId })).data.state).toBe('REDIRECTED_TO_EXTERNAL_DOMAIN');
    await world.run('SettleChallenge', { sessionId, outcome: answer });
    expect((await details(paymentId)).state).toBe(state);
    if (answer !== 'PASS') return;
    const [operation] = await world.documents('operations', { paymentId });
    expect([operation.contractId, operation.additionalData.threeDS]).toEqual([expect.any(String), 'challenge']);
    expect(operation.instrumentInfo).toBe('424242******4242');
  });

  it('None: Authorize waits for the payer, and then charges the stored card', async () => {
    const { paymentId } = await forced('None', await consent());
    const authorize = () => world.run('AuthorizePayment', { paymentId, input: {} }, { caller: merchantClient });
    expect((await authorize()).code).toBe('authenticationRequired');
    await fill(paymentId, '5555555555554444', 'PASS');
    expect((await authorize()).code).toBeNull();
    expect(await details(paymentId)).toMatchObject({ state: 'Authorized', instrumentInfo: '424242******4242' });
  });

  it('a token that is worth nothing is refused by create, and nothing is stored', async () => {
    const before = (await world.documents('payments')).length;
    const { token } = await consent();
    await expect(forced('Authorize', { token, tokenSecret: 'pms_wrong' })).rejects.toThrow('paymentMethodMissing');
    expect(await world.documents('payments')).toHaveLength(before + 1);
  });
});

describe('consents', () => {
  it.each(['None', 'Verify', 'Authorize', 'Sale'])('are shown after a page with processing %s', async (processing) => {
    const input = { processing, paymentMethodDetails: { type: 'InitialPaymentMethodTokenizationDetails' } };
    const { paymentId } = await create(input);
    expect((await details(paymentId)).token).toBeNull();
    await fill(paymentId);
    const { token } = await details(paymentId);
    expect(token).toEqual({ token: expect.stringMatching(/^pmt_/), tokenSecret: expect.stringMatching(/^pms_/) });
    const stored = JSON.stringify(await world.documents('contracts', { originPaymentId: paymentId }));
    expect([stored.includes(token.token), stored.includes(token.tokenSecret)]).toEqual([false, false]);
  });

  it('are not made by a payment that failed', async () => {
    const { paymentId } = await create({
      processing: 'Sale',
      paymentMethodDetails: { type: 'InitialPaymentMethodTokenizationDetails' },
    });
    await fill(paymentId, '4000000000000002');
    expect((await details(paymentId)).token).toBeNull();
  });
});

describe('the page', () => {
  it('waits for its payer as long as nobody opens it, and no longer than half an hour after that', async () => {
    const { paymentId, sessionId } = await create({ processing: 'Sale' });
    world.clock.advance(120 * minuteMs);
    await world.payments.expireSessions();
    expect((await details(paymentId)).state).toBe('Created');
    expect((await world.run('OpenCheckoutPage', { sessionId })).data.state).toBe('PAYMENT_METHOD_SELECTION');
    world.clock.advance(30 * minuteMs);
    await world.payments.expireSessions();
    expect((await details(paymentId)).state).toBe('Cancelled');
  });

  it('cannot pay what has no amount', async () => {
    const { paymentId, sessionId } = await create({ amount: null });
    expect((await fill(paymentId)).code).toBe('flowStateInvalid');
    expect((await world.run('GetCheckoutPage', { sessionId })).data.amount).toBeNull();
  });

  it('shows what was configured', async () => {
    const payPageConfiguration = {
      language: 'DK',
      pageType: 'Singlepage',
      templateName: 'plain',
      paymentMethodActionInfoList: [
        { paymentMethod: 'VISA', fee: 100, action: 'Allow' },
        { paymentMethod: 'INVOICE', fee: 50 },
      ],
    };
    const { sessionId } = await create({
      payPageConfiguration,
      redirectUrls: { returnUrl: 'https://shop.example/thanks' },
      checkoutText: 'Hello',
    });
    expect((await world.run('OpenCheckoutPage', { sessionId })).data).toMatchObject({
      language: 'DK',
      pageType: 'Singlepage',
      templateName: 'plain',
      description: 'Hello',
      family: 'paymentService',
      resultUrl: 'https://shop.example/thanks',
      paymentState: 'PendingCustomer',
      methods: [
        { method: 'CARDS', circuits: ['VISA'], fee: '100' },
        { method: 'INVOICE', circuits: ['INVOICE'], fee: '50' },
      ],
    });
  });

  it('rejects cards by its rules', async () => {
    const paymentMethodActionInfoList = [{ paymentMethod: 'VISA', bin: 424242, action: 'Reject' }];
    const { sessionId } = await create({ payPageConfiguration: { paymentMethodActionInfoList } });
    await world.run('OpenCheckoutPage', { sessionId });
    await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' });
    const errors = async (number: string) =>
      (await world.run('EnterCard', { sessionId, card: card(number) })).data.errors;
    expect(await errors('4242424242424242')).toEqual([{ field: 'CARD_NUMBER', code: 'rejectedCard' }]);
    expect(await errors('4000002500003155')).toEqual([]);
  });

  it('of a payment that was cancelled by its merchant takes no money', async () => {
    const { paymentId, sessionId } = await create({ processing: 'Authorize' });
    await fill(paymentId);
    await world.run('CancelPayment', { paymentId, input: {} }, { caller: merchantClient });
    const page = (await world.run('PayCheckout', { sessionId })).data;
    expect([page.state, page.paymentState]).toEqual(['PAYMENT_COMPLETE', 'Cancelled']);
  });

  it('is nobody else’s, and levers find no page where there is none', async () => {
    const { data } = await world.build();
    const [payment] = await world.documents('payments', { sessionId: data.sessionId });
    expect((await fill('0b81ee2f-2b0a-4b4e-9d46-2b8c7ac0a6a1')).code).toBe('notFound');
    expect((await fill(payment._id)).code).toBeNull();
  });
});

describe('rules about cards', () => {
  const visa = { circuit: 'VISA', bin: '4242424242424242' };
  it.each([
    [[], true],
    [[{ action: 'Allow' }], true],
    [[{ paymentMethod: 'VISA', action: 'Allow' }], true],
    [[{ paymentMethod: 'MASTERCARD', action: 'Allow' }], false],
    [[{ paymentMethod: 'VISA', action: 'Reject' }], false],
    [[{ paymentMethod: 'VISA', cardType: 'Debit', action: 'Reject' }], true],
    [[{ paymentMethod: 'VISA', cardType: 'Credit', action: 'Reject' }], false],
    [[{ cardOrigin: 'NonEU', action: 'Reject' }], true],
    [[{ cardOrigin: 'EU', action: 'Reject' }], false],
    [[{ cardProductType: 'Corporate', action: 'Allow' }], false],
    [[{ bin: 424242, action: 'Allow' }], true],
    [[{ bin: 400000, action: 'Allow' }], false],
    [[{ paymentMethod: 'VISA' }, { bin: 4242, action: 'Reject' }], false],
  ] as [PageRule[], boolean][])('%j: %s', (rules, isAllowed) => {
    expect(isCardAllowed(rules, visa)).toBe(isAllowed);
  });

  it('leave no card method when no scheme is allowed', () => {
    const rules = [
      { paymentMethod: 'DOMESTIC', action: 'Allow' },
      { paymentMethod: 'WALLET', action: 'Allow' },
    ];
    expect(decidePageMethods(rules).map(({ method }) => method)).toEqual(['WALLET']);
  });
});
