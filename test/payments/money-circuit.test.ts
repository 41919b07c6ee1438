// Money core against an acquirer that is away: the circuit opens, nothing is written down meanwhile, and everything goes on when it is back (2.2-A of the decision register, No answer from the acquirer).
import type { Money } from '../../subgraphs/payments/money/money';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import {
  chargeFresh,
  contextOf,
  instrumentOf,
  type MoneyWorld,
  openMoneyWorld,
  openPayment,
  refusal,
} from './money-world';

let world: MoneyWorld;
let told: string[];
let isAway: boolean;
const minuteMs = 60_000;
const circuit = { silencesMax: 3, openMs: minuteMs };
const away = () => Promise.reject(new DomainError('unavailable', 'connection refused'));
const alpha = () => contextOf(world.alpha);

beforeEach(async () => {
  [told, isAway] = [[], false];
  world = await openMoneyWorld({
    answerMsMax: 60_000,
    circuit,
    observeAcquirer: ({ call, outcome, seconds }) => told.push(`${call} ${outcome} ${seconds >= 0 && seconds < 60}`),
  });
  world.door.beforeSend = () => (isAway ? away() : Promise.resolve());
});
afterEach(() => world.close());

const calls = () => world.connection.collection('acquirer_calls');

async function silence(money: Money): Promise<string[]> {
  const instrument = await stored();
  isAway = true;
  const results: string[] = [];
  for (let count = 0; count < circuit.silencesMax; count += 1) {
    const payment = await openPayment(world);
    const { operation } = await money.charge(alpha(), { ...chargeOf(payment.paymentId), instrument });
    results.push(operation.result);
  }
  return results;
}
let kept: Awaited<ReturnType<typeof instrumentOf>> | null = null;
const stored = async () => {
  kept ??= await instrumentOf(world);
  return kept;
};
afterEach(() => {
  kept = null;
});
const chargeOf = (paymentId: string) =>
  ({ paymentId, type: 'AUTHORIZATION', amountMinor: 100n, captureNow: false }) as const;

it('opens after silences in a row: then nothing is written down, and the refusal says when to come again', async () => {
  const { payment: authorized } = await chargeFresh(world);
  const waiting = await openPayment(world);
  const instrument = await stored();
  expect(await silence(world.money)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  const before = await calls().countDocuments();
  const sent = world.door.sent;
  const charge = { ...chargeOf(waiting.paymentId), instrument };
  await expect(world.money.charge(alpha(), charge)).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfterSeconds: expect.any(Number) },
  });
  expect(await refusal(world.money.capture(alpha(), { paymentId: authorized.paymentId }))).toBe('unavailable');
  expect(await refusal(instrumentOf(world))).toBe('unavailable');
  expect(await refusal(world.money.capture(alpha(), { paymentId: waiting.paymentId }))).toBe('invalidState');
  expect([await calls().countDocuments(), world.door.sent]).toEqual([before, sent]);
  expect(await world.money.readPayment(alpha(), waiting.paymentId)).toEqual(waiting);
});

it('lets a call through after a while, and closes with its answer', async () => {
  const money = world.another({ circuit: { silencesMax: 3, openMs: 1 } });
  await silence(money);
  isAway = false;
  const { paymentId } = await openPayment(world);
  const charge = { ...chargeOf(paymentId), instrument: await stored() };
  await eventually(async () => (await refusal(money.charge(alpha(), charge))) === 'no refusal');
  expect((await money.capture(alpha(), { paymentId })).payment.state).toBe('Captured');
});

it('a card that the acquirer does not take in time is refused, and nothing is known of it', async () => {
  const register = () => new Promise<never>(() => undefined);
  const acquirer = { register, send: away, ask: away };
  const input = { accountId: 'alpha', merchantId: 'merchant-alpha', threeDs: 'none' };
  const registering = world.another({ acquirer, answerMsMax: 20 }).registerInstrument(alpha(), {
    ...input,
    card: { number: '4242424242424242', expiry: '12/30' },
  });
  expect(await refusal(registering)).toBe('unavailable');
});

it('stays closed for cards whose issuer is silent, and for cards that are declined', async () => {
  for (const number of ['4000000000000259', '4000000000000119', '4000000000000002'])
    for (let count = 0; count <= circuit.silencesMax; count += 1) await chargeFresh(world, { number });
  expect((await chargeFresh(world)).operation.result).toBe('AUTHORIZED');
});

it('tells of every call what came of it and how long it took', async () => {
  await chargeFresh(world);
  isAway = true;
  await chargeFresh(world);
  expect(told).toEqual([
    'register answered true',
    'send answered true',
    'register answered true',
    'send unavailable true',
  ]);
});

it('the janitor leaves an acquirer that is away alone, and goes on asking methods', async () => {
  let asked = 0;
  const money = world.another({
    circuit: { silencesMax: 2, openMs: minuteMs },
    acquirer: {
      register: away,
      send: away,
      ask: () => {
        asked += 1;
        return away();
      },
    },
  });
  const instrument = await stored();
  for (let count = 0; count < 4; count += 1) {
    const { paymentId } = await openPayment(world);
    await money.charge(alpha(), { ...chargeOf(paymentId), instrument }).catch(() => undefined);
  }
  expect(await calls().countDocuments({ state: 'OPEN' })).toBe(2);
  const method = await openPayment(world);
  const { visitId } = await world.money.alternativeMethods.start({
    paymentId: method.paymentId,
    accountId: 'alpha',
    sessionId: newId(),
    merchantName: 'Alpha',
    method: 'PAYPAL',
    amountMinor: 10_000n,
    currency: 'EUR',
    returnUrl: 'http://127.0.0.1/return',
    language: null,
    isAgreement: false,
  });
  const paid = { paymentId: method.paymentId, type: 'AUTHORIZATION', method: 'APM', circuit: 'PAYPAL' } as const;
  await money.record(alpha(), { ...paid, visitId, result: 'PENDING' });
  await money.alternativeMethods.answer(visitId, 'PASS');
  world.clock.advance(minuteMs);
  expect(await money.settle()).toMatchObject({ settled: 1, postponed: 0 });
  expect(asked).toBe(0);
  expect(await world.money.settle()).toMatchObject({ settled: 2 });
});

it('keeps each step by which an unknown outcome became known', async () => {
  isAway = true;
  const { operation } = await chargeFresh(world);
  const at = (ms: number) => new Date(operation.createdAt.getTime() + ms);
  const [open] = await world.money.listCalls([operation.operationId]);
  expect(open).toMatchObject({ state: 'OPEN', askAt: at(minuteMs), raisedAt: null });
  expect(open?.steps).toEqual([{ at: at(0), step: 'CALLED', outcome: 'NO_ANSWER' }]);
  world.clock.advance(minuteMs);
  await world.money.settle();
  const [done] = await world.money.listCalls([operation.operationId, newId()]);
  expect(done).toMatchObject({ state: 'DONE', askAt: null });
  expect(done?.steps.slice(1)).toEqual([{ at: at(minuteMs), step: 'ASKED', outcome: 'NEVER_ARRIVED' }]);
  isAway = false;
  const { operation: quick } = await chargeFresh(world);
  const [direct] = await world.money.listCalls([quick.operationId]);
  expect(direct?.steps).toEqual([{ at: quick.time, step: 'CALLED', outcome: 'AUTHORIZED' }]);
  const [closedLate, closedAtOnce] = await Promise.all(
    [operation, quick].map(({ operationId }) => calls().findOne({ operationId })),
  );
  const dayMs = 86_400_000;
  expect(Number(closedLate?.['closedAt']) - Date.now()).toBeGreaterThan(300 * dayMs);
  // Its operation tells of it.
  expect(closedAtOnce).toBeNull();
});
