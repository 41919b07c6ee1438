// The fee of family A's page: what the payer sees is what is charged, and the merchant's amounts stay without it (payment service, payPageConfiguration; amounts exclude fees).
import { type Answer, type CheckoutWorld, card, merchantClient, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const asMerchant = (name: string, variables: object): Promise<Answer> =>
  world.run(name, variables, { caller: merchantClient });
const rules = [
  { paymentMethod: 'VISA', fee: 150 },
  { paymentMethod: 'VISA', bin: 555555, fee: 999 },
  { paymentMethod: 'MASTERCARD', fee: 200 },
  { paymentMethod: 'INVOICE', fee: 300 },
];

async function create(processing: string, more: object = {}): Promise<{ paymentId: string; sessionId: string }> {
  const input = {
    amount: '5000',
    currencyCode: 'EUR',
    processing,
    payPageConfiguration: { paymentMethodActionInfoList: rules },
    ...more,
  };
  const { data, code, message } = await asMerchant('CreatePayment', { input });
  if (!data) throw new Error(`${code} ${message}`);
  return { paymentId: data.payment.paymentId, sessionId: data.hostedPageUrl.split('/').at(-1) };
}
const details = async (paymentId: string) => (await asMerchant('GetPaymentServiceDetails', { paymentId })).data;
const pageOf = async (sessionId: string) => (await world.run('GetCheckoutPage', { sessionId })).data;
const amountsOf = async (paymentId: string) =>
  (await details(paymentId)).transactions.map(
    ({ type, amount }: { type: string; amount: string }) => `${type} ${amount}`,
  );

it.each([
  ['Authorize', '4242424242424242', '150', ['AUTHORIZATION 5150']],
  ['Authorize', '5555555555554444', '200', ['AUTHORIZATION 5200']],
  ['Sale', '4242424242424242', '150', ['AUTHORIZATION 5150', 'CAPTURE 5150']],
  ['None', '4242424242424242', '150', ['CARD_CHECK 0']],
])('%s with %s: the fee of that card is %s', async (processing, number, fee, amounts) => {
  const { paymentId, sessionId } = await create(processing);
  await world.run('OpenCheckoutPage', { sessionId });
  expect(await pageOf(sessionId)).toMatchObject({ amount: '5000', fee: null });
  await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' });
  await world.run('EnterCard', { sessionId, card: card(number) });
  const shown = await pageOf(sessionId);
  expect([shown.state, shown.fee, shown.amount]).toEqual(['READY_FOR_PAYMENT', fee, String(5000 + Number(fee))]);
  const paid = (await world.run('PayCheckout', { sessionId })).data;
  expect(await amountsOf(paymentId)).toEqual(amounts);
  expect((await details(paymentId)).amount).toBe('5000');
  if (processing === 'None') return;
  expect(paid.operation.operationAmount).toBe(shown.amount);
  const [operation] = await world.documents('operations', { paymentId, type: 'AUTHORIZATION' });
  expect(operation.additionalData.fee).toBe(fee);
});

it.each([
  ['one fee of every card', [{ paymentMethod: null, bin: null, action: null, fee: 70 }], '70'],
  ['a fee of one scheme only', [{ paymentMethod: 'VISA', fee: 70 }], null],
  ['a fee of the one scheme that is taken', [{ paymentMethod: 'VISA', fee: 70, action: 'Allow' }], '70'],
  ['a fee of cards that are rejected', [{ paymentMethod: 'MASTERCARD', fee: 70, action: 'Reject' }], null],
] as const)('what is shown before the card is known: %s', async (_, paymentMethodActionInfoList, fee) => {
  const { sessionId } = await create('Authorize', { payPageConfiguration: { paymentMethodActionInfoList } });
  const { methods } = (await world.run('OpenCheckoutPage', { sessionId })).data;
  expect(methods).toMatchObject([{ method: 'CARDS', fee }]);
  const chosen = (await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' })).data;
  expect([chosen.fee, chosen.amount]).toEqual([fee, String(5000 + Number(fee))]);
});

it.each([
  ['the same', 70, '70'],
  ['another', 80, null],
])('before a method is chosen, the other has %s fee: what is to be paid has %s', async (_, other, fee) => {
  const paymentMethodActionInfoList = [{ fee: 70 }, { paymentMethod: 'INVOICE', fee: other }];
  const { sessionId } = await create('Sale', {
    payPageConfiguration: { paymentMethodActionInfoList },
    basket: [{ itemNumber: '1', title: 'Tea', quantity: 1 }],
  });
  const shown = (await world.run('OpenCheckoutPage', { sessionId })).data;
  expect([shown.state, shown.methods.length]).toEqual(['PAYMENT_METHOD_SELECTION', 2]);
  expect([shown.fee, shown.amount]).toEqual([fee, String(5000 + Number(fee))]);
});

it('of a method that two rules name: what is shown is what is paid', async () => {
  const paymentMethodActionInfoList = [{ paymentMethod: 'INVOICE' }, { paymentMethod: 'INVOICE', fee: 40 }];
  const { sessionId } = await create('Sale', {
    payPageConfiguration: { paymentMethodActionInfoList },
    basket: [{ itemNumber: '1', title: 'Tea', quantity: 1 }],
  });
  const { methods } = (await world.run('OpenCheckoutPage', { sessionId })).data;
  expect(methods).toContainEqual({ method: 'INVOICE', circuits: ['INVOICE'], fee: '40' });
  const { redirectUrl, amount } = (await world.run('ChooseCheckoutMethod', { sessionId, method: 'INVOICE' })).data;
  const visit = (await world.run('GetAlternativeMethodVisit', { visitId: redirectUrl.split('/').at(-1) })).data;
  expect([amount, visit.amount]).toEqual(['5040', '5040']);
});

it('Verify takes no fee', async () => {
  const { paymentId } = await create('Verify');
  await world.run('FillPaymentCard', { paymentId, card: card() });
  expect(await amountsOf(paymentId)).toEqual(['CARD_VERIFICATION 0']);
});

it('a challenge is over what will be charged', async () => {
  const { paymentId, sessionId } = await create('Authorize');
  await world.run('FillPaymentCard', { paymentId, card: card('4000002500003155') });
  const challengeId = (await pageOf(sessionId)).redirectUrl.split('/').at(-1);
  expect((await world.run('GetThreeDsChallenge', { challengeId })).data.amount).toBe('5150');
  await world.run('AnswerChallenge', { challengeId, answer: 'PASS' });
  expect(await amountsOf(paymentId)).toEqual(['AUTHORIZATION 5150']);
});

it('an alternative method is paid with its own fee', async () => {
  const { paymentId, sessionId } = await create('Sale', { basket: [{ itemNumber: '1', title: 'Tea', quantity: 1 }] });
  await world.run('OpenCheckoutPage', { sessionId });
  const { redirectUrl, amount, fee } = (await world.run('ChooseCheckoutMethod', { sessionId, method: 'INVOICE' })).data;
  expect([amount, fee]).toEqual(['5300', '300']);
  const visitId = redirectUrl.split('/').at(-1);
  expect((await world.run('GetAlternativeMethodVisit', { visitId })).data.amount).toBe('5300');
  await world.run('AnswerAlternativeMethod', { visitId, answer: 'PASS' });
  expect(await amountsOf(paymentId)).toEqual(['AUTHORIZATION 5300', 'CAPTURE 5300']);
  expect((await details(paymentId)).state).toBe('Captured');
});

describe('the amounts of the merchant are without it', () => {
  const authorized = async () => {
    const { paymentId } = await create('None');
    await world.run('FillPaymentCard', { paymentId, card: card() });
    expect((await asMerchant('AuthorizePayment', { paymentId, input: { amount: '5000' } })).code).toBeNull();
    expect((await details(paymentId)).authorizedAmount).toBe('5150');
    return paymentId;
  };
  const capture = (paymentId: string, amount?: string) =>
    asMerchant('CapturePayment', { paymentId, input: { amount } });

  it('a capture of the whole amount takes the fee along', async () => {
    const paymentId = await authorized();
    expect((await capture(paymentId, '5001')).code).toBe('amountAboveAuthorized');
    expect((await capture(paymentId, '5000')).code).toBeNull();
    expect(await details(paymentId)).toMatchObject({ state: 'Captured', capturedAmount: '5150' });
  });

  it('captures in parts take it along once', async () => {
    const paymentId = await authorized();
    await capture(paymentId, '2000');
    expect(await details(paymentId)).toMatchObject({ state: 'PartiallyCaptured', capturedAmount: '2150' });
    expect((await capture(paymentId, '3001')).code).toBe('amountAboveAuthorized');
    await capture(paymentId, '3000');
    expect(await details(paymentId)).toMatchObject({ state: 'Captured', capturedAmount: '5150' });
  });

  it('a capture or refund of everything names no amount', async () => {
    const paymentId = await authorized();
    await capture(paymentId);
    expect((await details(paymentId)).capturedAmount).toBe('5150');
    expect((await asMerchant('RefundPayment', { paymentId, input: {} })).code).toBeNull();
    expect(await details(paymentId)).toMatchObject({ state: 'Refunded', refundedAmount: '5150' });
  });
});

it('an amount that the fee would carry beyond int32 is refused', async () => {
  const answer = await asMerchant('CreatePayment', {
    input: { amount: '2147483647', payPageConfiguration: { paymentMethodActionInfoList: [{ fee: 1 }] } },
  });
  expect(answer).toMatchObject({ code: 'invalidData', field: 'payPageConfiguration.paymentMethodActionInfoList' });
});
