// Invoice payments of family A: agreed to by their payer, reserved, collected with a basket, let go and given back, as cards are (payment service, Authorize and Capture).
import { type Answer, type CheckoutWorld, card, merchantClient, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const asMerchant = (name: string, variables: object): Promise<Answer> =>
  world.run(name, variables, { caller: merchantClient });
const basket = [{ itemNumber: '1', title: 'Tea', quantity: 1, unitPrice: 5000 }];
const invoiceOnly = { paymentMethodActionInfoList: [{ paymentMethod: 'INVOICE', action: 'Allow' }] };
const invoiceOrCard = { paymentMethodActionInfoList: [{ paymentMethod: 'VISA' }, { paymentMethod: 'INVOICE' }] };

async function create(processing: string, more: object = {}): Promise<{ paymentId: string; sessionId: string }> {
  const input = { amount: '5000', currencyCode: 'EUR', processing, payPageConfiguration: invoiceOnly, ...more };
  const { data, code, message } = await asMerchant('CreatePayment', { input });
  if (!data) throw new Error(`${code} ${message}`);
  return { paymentId: data.payment.paymentId, sessionId: data.hostedPageUrl.split('/').at(-1) };
}

/** The payer picks the invoice on the page and says yes or no to it; answers with the payment's id. */
async function agreed(processing: string, more: object = {}, answer = 'PASS'): Promise<string> {
  const { paymentId, sessionId } = await create(processing, more);
  await world.run('OpenCheckoutPage', { sessionId });
  await world.run('ChooseCheckoutMethod', { sessionId, method: 'INVOICE' });
  await world.run('SettleChallenge', { sessionId, outcome: answer });
  expect((await world.run('GetCheckoutPage', { sessionId })).data.state).toBe('PAYMENT_COMPLETE');
  return paymentId;
}
const step = (name: string, paymentId: string, input: object = {}) =>
  asMerchant(`${name}Payment`, { paymentId, input }).then(({ code, field }) => (field ? `${code} ${field}` : code));
const details = async (paymentId: string) => (await asMerchant('GetPaymentServiceDetails', { paymentId })).data;
const operationsOf = async (paymentId: string) =>
  (await world.documents('operations', { paymentId }))
    .sort((one, other) => (one._id < other._id ? -1 : 1))
    .map(({ type, result, method, circuit }) => `${type} ${result} ${method} ${circuit}`);

it('is authorized, captured in parts and refunded, each step an operation of its own', async () => {
  const paymentId = await agreed('None', { basket });
  expect((await details(paymentId)).state).toBe('PendingCustomer');
  expect(await step('Authorize', paymentId)).toBeNull();
  expect(await details(paymentId)).toMatchObject({
    state: 'Authorized',
    authorizedAmount: '5000',
    capturedAmount: '0',
  });
  expect(await step('Capture', paymentId, { amount: '2000' })).toBeNull();
  expect(await step('Capture', paymentId, { amount: '3001' })).toBe('amountAboveAuthorized amount');
  expect(await step('Capture', paymentId)).toBeNull();
  expect(await step('Refund', paymentId, { amount: '1000' })).toBeNull();
  expect(await details(paymentId)).toMatchObject({ state: 'PartiallyRefunded', refundedAmount: '1000' });
  expect((await operationsOf(paymentId)).sort()).toEqual([
    'AUTHORIZATION AUTHORIZED APM INVOICE',
    'CAPTURE EXECUTED APM INVOICE',
    'CAPTURE EXECUTED APM INVOICE',
    'CARD_CHECK THREEDS_VALIDATED APM INVOICE',
    'REFUND REFUNDED APM INVOICE',
  ]);
});

it.each([
  ['Authorize', 'PASS', 'Authorized', ['AUTHORIZATION AUTHORIZED APM INVOICE']],
  ['Sale', 'PASS', 'Captured', ['AUTHORIZATION AUTHORIZED APM INVOICE', 'CAPTURE EXECUTED APM INVOICE']],
  ['Sale', 'FAIL', 'Declined', ['AUTHORIZATION DECLINED APM INVOICE']],
  ['Authorize', 'CANCEL', 'Cancelled', ['CANCEL CANCELED APM INVOICE']],
])('the page with processing %s, answered %s: %s', async (processing, answer, state, operations) => {
  const paymentId = await agreed(processing, { basket }, answer);
  expect((await details(paymentId)).state).toBe(state);
  expect(await operationsOf(paymentId)).toEqual(operations);
});

it('that was authorized is let go by Cancel, and dies after seven days like a card’s', async () => {
  const paymentId = await agreed('Authorize', { basket });
  expect(await step('Cancel', paymentId)).toBeNull();
  expect((await details(paymentId)).state).toBe('Cancelled');
  const forgotten = await agreed('Authorize', { basket });
  world.clock.advance(7 * 86_400_000);
  expect(await step('Capture', forgotten)).toBe('authorizationExpired');
});

it('moves no money without a basket: 422 at Authorize, and the page does not offer it', async () => {
  const picked = await agreed('None', { payPageConfiguration: invoiceOrCard });
  expect(await step('Authorize', picked)).toBe('invalidState basket');
  expect(await step('Authorize', await agreed('None'))).toBe('invalidState basket');
  const offered = async (processing: string, more: object = {}) => {
    const { sessionId } = await create(processing, { payPageConfiguration: invoiceOrCard, ...more });
    const { methods } = (await world.run('OpenCheckoutPage', { sessionId })).data;
    return methods.map(({ method }: { method: string }) => method);
  };
  expect([await offered('Sale'), await offered('Sale', { basket })]).toEqual([['CARDS'], ['CARDS', 'INVOICE']]);
});

it('that the page does not offer asks for no basket where a card pays', async () => {
  const rejected = { paymentMethod: 'INVOICE', action: 'Reject' };
  const payPageConfiguration = {
    paymentMethodActionInfoList: [rejected, { paymentMethod: 'INVOICE', action: 'Allow' }],
  };
  const { paymentId } = await create('None', { payPageConfiguration });
  await world.run('FillPaymentCard', { paymentId, card: card() });
  expect(await step('Authorize', paymentId)).toBeNull();
});

it('whose shop cancels after the payer has agreed charges nothing', async () => {
  const { paymentId, sessionId } = await create('Sale', { basket });
  await world.run('OpenCheckoutPage', { sessionId });
  const { redirectUrl } = (await world.run('ChooseCheckoutMethod', { sessionId, method: 'INVOICE' })).data;
  const visits = world.stores.connection.collection('sandbox_method_visits');
  await visits.updateOne({ _id: redirectUrl.split('/').at(-1) }, { $set: { status: 'PAID' } });
  expect((await world.run('AbandonCheckout', { sessionId })).code).toBeNull();
  expect((await details(paymentId)).state).toBe('Cancelled');
  expect(await operationsOf(paymentId)).toEqual(['CANCEL CANCELED CARD null']);
});
