// A hosted page of family A whose payment its merchant charged with a stored token meanwhile: the page shows the end, and nobody pays twice (2.2-A of the decision register).
import { type CheckoutWorld, card, merchantClient, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const asMerchant = (name: string, variables: object) => world.run(name, variables, { caller: merchantClient });

async function create(input: object): Promise<{ paymentId: string; sessionId: string }> {
  const { data, code, message } = await asMerchant('CreatePayment', {
    input: { amount: '5000', currencyCode: 'EUR', ...input },
  });
  if (!data) throw new Error(`${code} ${message}`);
  return { paymentId: data.payment.paymentId, sessionId: data.hostedPageUrl.split('/').at(-1) };
}

async function storedToken(number?: string): Promise<object> {
  const type = 'InitialPaymentMethodTokenizationDetails';
  const { paymentId } = await create({ processing: 'Authorize', paymentMethodDetails: { type } });
  await world.run('FillPaymentCard', { paymentId, card: card(number) });
  return (await asMerchant('GetPaymentServiceDetails', { paymentId })).data.token;
}

const withToken = async (more: object = {}, number?: string) =>
  create({
    ...more,
    paymentMethodDetails: { type: 'PaymentWithToken', ...(await storedToken(number)) },
  });
const authorize = (paymentId: string) => asMerchant('AuthorizePayment', { paymentId, input: {} });
const operationsOf = async (paymentId: string) =>
  (await world.documents('operations', { paymentId })).map(({ type, result }) => `${type} ${result}`).sort();

it.each<[string, (sessionId: string) => Promise<void>]>([
  ['never opened', async () => undefined],
  ['open', async (sessionId) => void (await world.run('OpenCheckoutPage', { sessionId }))],
  [
    'with the card form shown',
    async (sessionId) => {
      await world.run('OpenCheckoutPage', { sessionId });
      await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' });
    },
  ],
])('a page that is %s shows the end, not a form', async (_, prepare) => {
  const { paymentId, sessionId } = await withToken();
  await prepare(sessionId);
  expect((await authorize(paymentId)).code).toBeNull();
  for (const name of ['OpenCheckoutPage', 'GetCheckoutPage']) {
    const { data } = await world.run(name, { sessionId });
    expect(data).toMatchObject({
      state: 'PAYMENT_COMPLETE',
      paymentState: 'Authorized',
      operation: { operationType: 'AUTHORIZATION', operationResult: 'AUTHORIZED' },
    });
  }
  expect((await world.run('FillPaymentCard', { paymentId, card: card() })).code).toBe('flowStateInvalid');
  expect(await operationsOf(paymentId)).toEqual(['AUTHORIZATION AUTHORIZED']);
});

it('a payment that create itself charged has no form either', async () => {
  const { paymentId, sessionId } = await withToken({ processing: 'Sale' });
  const { data } = await world.run('OpenCheckoutPage', { sessionId });
  expect([data.state, data.paymentState]).toEqual(['PAYMENT_COMPLETE', 'Captured']);
  expect(await operationsOf(paymentId)).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
});
