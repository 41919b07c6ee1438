// A page that only collects a card keeps the card that its payer saw last, once, whoever pays, cancels or types beside it (2.2-C of the decision register).
import type { AuthenticationAnswer } from '../../subgraphs/payments/connectors/three-ds';
import { type CheckoutWorld, card, merchantClient, openCheckoutWorld } from './checkout-world';

/** What becomes of those who come to the issuer; they are answered at once when it is null. */
let atIssuer: ((answered: () => void) => void) | null = null;
const frictionless = { outcome: 'frictionless' } as const;
const threeDs = {
  needsDeviceCheck: () => false,
  authenticate: () =>
    new Promise<AuthenticationAnswer>((resolve) => {
      const answered = () => resolve(frictionless);
      if (atIssuer) atIssuer(answered);
      else answered();
    }),
  ask: async () => null,
  answer: async () => null,
};

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld({ threeDs });
});
afterAll(() => world.close());
beforeEach(() => {
  atIssuer = null;
});

const collecting = async () => {
  const input = { amount: '5000', currencyCode: 'EUR', processing: 'None' };
  const { data } = await world.run('CreatePayment', { input }, { caller: merchantClient });
  const sessionId = data.hostedPageUrl.split('/').at(-1);
  await world.run('OpenCheckoutPage', { sessionId });
  await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' });
  expect((await world.run('EnterCard', { sessionId, card: card() })).data.state).toBe('READY_FOR_PAYMENT');
  return { paymentId: data.payment.paymentId as string, sessionId };
};
/** Starts those calls, and is there when all of them wait for the issuer. */
const waiting = async (...calls: (() => Promise<unknown>)[]) => {
  const held: (() => void)[] = [];
  let answers: Promise<unknown>[] = [];
  await new Promise<void>((allThere) => {
    atIssuer = (answered) => {
      held.push(answered);
      if (held.length === calls.length) allThere();
    };
    answers = calls.map((call) => call());
  });
  atIssuer = null;
  return async () => {
    for (const answered of held) answered();
    await Promise.all(answers);
  };
};
const kept = async (paymentId: string) => {
  const [payment] = await world.documents('payments', { _id: paymentId });
  return [payment.entries.map(({ type }: { type: string }) => type), payment.instrument?.card.lastFour ?? null];
};

it('a card that was typed while the one before was at its issuer is the one that is kept', async () => {
  const { paymentId, sessionId } = await collecting();
  const goOn = await waiting(() => world.run('PayCheckout', { sessionId }));
  await world.run('EnterCard', { sessionId, card: card('5555555555554444') });
  await goOn();
  expect((await world.run('PayCheckout', { sessionId })).data.state).toBe('PAYMENT_COMPLETE');
  expect(await kept(paymentId)).toEqual([['CARD_CHECK'], '4444']);
});

it('two who pay in two processes keep it once', async () => {
  const { paymentId, sessionId } = await collecting();
  const another = await world.another();
  const pays = [world.run, another].map((run) => () => run('PayCheckout', { sessionId }));
  await (await waiting(...pays))();
  expect(await kept(paymentId)).toEqual([['CARD_CHECK'], '4242']);
  expect(await world.documents('operations', { paymentId })).toHaveLength(1);
});

it('who cancelled meanwhile has cancelled', async () => {
  const { paymentId, sessionId } = await collecting();
  const goOn = await waiting(() => world.run('PayCheckout', { sessionId }));
  expect((await world.run('AbandonCheckout', { sessionId })).data.state).toBe('PAYMENT_COMPLETE');
  await goOn();
  expect(await kept(paymentId)).toEqual([['CANCEL'], null]);
});
