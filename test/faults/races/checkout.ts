// Races of a payer's visit, as two processes on one database: finalize against itself and against cancel, and a page that is paid while the merchant charges a stored token.
import { checkoutSteps } from '../../payments/checkout-steps';
import {
  type Answer,
  type CheckoutWorld,
  card,
  merchantClient,
  openCheckoutWorld,
} from '../../payments/checkout-world';
import type { Random } from '../random';
import { outcomes, type Race, type Round, times } from './race';

export interface CheckoutRaces {
  world: CheckoutWorld;
  races: Race[];
  finish?: undefined;
}

export async function openCheckoutRaces(random: Random): Promise<CheckoutRaces> {
  const world = await openCheckoutWorld();
  const table: Table = {
    random,
    world,
    processes: [world.run, await world.another()],
    token: await storedToken(world),
  };
  return { world, races: [...finalizes(table), pageAgainstToken(table)] };
}

interface Table {
  random: Random;
  world: CheckoutWorld;
  processes: readonly CheckoutWorld['run'][];
  /** A stored consent as the merchant sends it. */
  token: object;
}

/** Who asks counts by the operation that was told; refusals by their code. */
async function said(answer: Promise<Answer>): Promise<string> {
  const { data, code } = await answer;
  if (code) throw { code };
  const operation = data.operation ?? data;
  return `${operation.operationType} ${operation.operationResult}`;
}

/** State of the session, and the events of its payment. */
async function left({ world }: Table, sessionId: string): Promise<Omit<Round, 'counts'>> {
  const [session] = await world.documents('checkout_sessions', { _id: sessionId });
  const events = await world.documents('events', { aggregateId: session.paymentId });
  const [payment] = await world.documents('payments', { _id: session.paymentId });
  const told = events.sort((one, other) => one.sequence - other.sequence);
  const parts = await checkoutSteps(() => world).partsOf(sessionId);
  return {
    state: `${session.state} ${payment.state}`,
    events: told.map(({ data }) => `${data.operationType} ${data.operationResult}`),
    faults: [
      ...(session.payingSince === null ? [] : ['the session is still being paid']),
      ...(parts.length === 0 ? [] : [`parts of the card are left: ${parts.join()}`]),
    ],
  };
}

function finalizes(table: Table): Race[] {
  const { world, processes } = table;
  const { sessionOf } = checkoutSteps(() => world);
  const authorized = 'AUTHORIZATION AUTHORIZED';
  return [
    {
      name: 'finalize against finalize',
      ends: [
        {
          won: { [authorized]: 8 },
          state: 'PAYMENT_COMPLETE Captured',
          events: [authorized, 'CAPTURE EXECUTED'],
        },
      ],
      async run() {
        const sessionId = await sessionOf();
        const calls = times(8, processes, (run) => () => said(run('FinalizeCheckout', { sessionId })));
        return { counts: await outcomes(calls), ...(await left(table, sessionId)) };
      },
    },
    {
      name: 'finalize against cancel',
      ends: [
        {
          won: { [authorized]: 3 },
          refused: ['flowStateInvalid'],
          state: 'PAYMENT_COMPLETE Captured',
          events: [authorized, 'CAPTURE EXECUTED'],
        },
        { won: { 'CANCEL CANCELED': 6 }, state: 'PAYMENT_COMPLETE Cancelled', events: ['CANCEL CANCELED'] },
      ],
      async run() {
        const sessionId = await sessionOf();
        const calls = times(
          6,
          processes,
          (run, index) => () => said(run(index % 2 === 0 ? 'FinalizeCheckout' : 'CancelCheckout', { sessionId })),
        );
        return {
          counts: await outcomes(table.random.next() < 0.5 ? calls : calls.reverse()),
          ...(await left(table, sessionId)),
        };
      },
    },
  ];
}

async function create(world: CheckoutWorld, input: object): Promise<{ paymentId: string; sessionId: string }> {
  const { data, code } = await world.run(
    'CreatePayment',
    { input: { amount: '5000', currencyCode: 'EUR', ...input } },
    { caller: merchantClient },
  );
  if (!data) throw new Error(`not created: ${code}`);
  return { paymentId: data.payment.paymentId, sessionId: data.hostedPageUrl.split('/').at(-1) };
}

async function storedToken(world: CheckoutWorld): Promise<object> {
  const type = 'InitialPaymentMethodTokenizationDetails';
  const { paymentId } = await create(world, { processing: 'Authorize', paymentMethodDetails: { type } });
  await world.run('FillPaymentCard', { paymentId, card: card() });
  return (await world.run('GetPaymentServiceDetails', { paymentId }, { caller: merchantClient })).data.token;
}

/** The payer gives a card on the page (which charges nothing with None) while the merchant authorizes the stored one. */
function pageAgainstToken(table: Table): Race {
  const { world, processes, token } = table;
  const complete = 'PAYMENT_COMPLETE Authorized';
  const authorized = 'AUTHORIZATION AUTHORIZED';
  const checked = 'CARD_CHECK THREEDS_VALIDATED';
  return {
    name: 'page against token',
    ends: [
      // The merchant was first: the page shows that end, to whoever still asks.
      {
        won: { authorized: 1, page: 2 },
        refused: ['invalidState', 'flowStateInvalid'],
        state: complete,
        events: [authorized],
      },
      {
        won: { authorized: 1, page: 1 },
        refused: ['invalidState', 'flowStateInvalid'],
        state: complete,
        events: [authorized],
      },
      { won: { authorized: 1 }, refused: ['invalidState', 'flowStateInvalid'], state: complete, events: [authorized] },
      // The payer was first: the card that was given is the one that is charged.
      { won: { authorized: 1, page: 2 }, refused: ['invalidState'], state: complete, events: [checked, authorized] },
    ],
    async run() {
      const { paymentId, sessionId } = await create(world, {
        processing: 'None',
        paymentMethodDetails: { type: 'PaymentWithToken', ...token },
      });
      await world.run('OpenCheckoutPage', { sessionId });
      await world.run('ChooseCheckoutMethod', { sessionId, method: 'CARDS' });
      await world.run('EnterCard', { sessionId, card: card() });
      const calls = times(6, processes, (run, index) => async () => {
        const isMerchant = index % 3 !== 0;
        const name = isMerchant ? 'AuthorizePayment' : 'PayCheckout';
        const { code } = await (isMerchant
          ? run(name, { paymentId, input: {} }, { caller: merchantClient })
          : run(name, { sessionId }));
        if (code) throw { code };
        return isMerchant ? 'authorized' : 'page';
      });
      const counts = await outcomes(table.random.next() < 0.5 ? calls : calls.reverse());
      await world.run('GetCheckoutPage', { sessionId });
      return { counts, ...(await left(table, sessionId)) };
    },
  };
}
