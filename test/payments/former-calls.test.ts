// Calls as the release before kept them, each in a document of its own from before it was made: payments of that layout are finished by this one (payment interface; intent before, outcome after).
import { createAcquirerCallRepository } from '../../subgraphs/payments/money/acquirer-call.repository';
import type { Outcome } from '../../subgraphs/payments/money/money';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import type { KeyClaim } from '../../subgraphs/shared/idempotency/once-begun';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import {
  chargeFresh,
  contextOf,
  eventsOf,
  instrumentOf,
  type MoneyWorld,
  openMoneyWorld,
  openPayment,
  present,
} from './money-world';

let world: MoneyWorld;
beforeEach(async () => {
  world = await openMoneyWorld();
});
afterEach(() => world.close());

const killed = () => Promise.reject(new Error('killed'));
const collection = (name: string) => world.connection.collection<{ _id: string }>(name);

/** What a dead process of this release left, laid out as the release before would have left it. */
async function layOutAsBefore({ paymentId }: Payment): Promise<string> {
  const stored = await collection('payments').findOne({ _id: paymentId }, { useBigInt64: true });
  if (!stored) throw new Error('the payment is gone');
  const { environment, accountId, activeCallId, underway } = stored as unknown as Record<string, unknown>;
  const callId = String(activeCallId);
  const sent = { state: 'SENT', askAt: null, askedCount: 0, raisedAt: null, steps: [] };
  await collection('acquirer_calls').insertOne({
    _id: callId,
    environment,
    accountId,
    paymentId,
    ...(underway as object),
    ...sent,
  } as never);
  await collection('payments').updateOne({ _id: paymentId }, { $unset: { underway: true } });
  return callId;
}

/** A charge whose process died before the acquirer heard of it, or after. */
async function leftBehind(at: 'beforeSend' | 'afterSend', key?: string) {
  const payment = await openPayment(world);
  const context = () => contextOf(world.alpha, key === undefined ? undefined : { key });
  const charge = {
    ...({ paymentId: payment.paymentId, type: 'AUTHORIZATION', amountMinor: 10_000n, captureNow: false } as const),
    instrument: await instrumentOf(world),
  };
  world.door[at] = killed;
  await expect(world.money.charge(context(), charge)).rejects.toThrow('killed');
  world.door[at] = async () => undefined;
  const callId = await layOutAsBefore(payment);
  const again = (claim?: KeyClaim): Promise<Outcome> =>
    world.money.charge(context(), { ...charge, ...withoutUndefined({ claim }) });
  return { payment, callId, again };
}

/** Of a key that nobody holds. */
const fresh = (): KeyClaim => ({
  isTakenOver: false,
  begunAt: null,
  subject: null,
  inserts: () => [],
  taken: () => undefined,
  look: async () => undefined,
});

const loseCalls = () => collection('acquirer_calls').updateMany({ state: 'SENT' }, { $set: { lostAt: new Date(0) } });
const callOf = async (callId: string) => createAcquirerCallRepository(world.connection, 'sandbox').find(callId);

it.each([
  ['afterSend', 'Authorized', [[1, 'operation.recorded', 'AUTHORIZATION', 'AUTHORIZED']], 'DONE'],
  ['beforeSend', 'Created', [], 'ABANDONED'],
] as const)('the janitor finishes one that was killed %s: %s', async (at, state, events, callState) => {
  const { payment, callId } = await leftBehind(at);
  await loseCalls();
  expect(await world.money.settle()).toMatchObject({ settled: 1, postponed: 0 });
  expect(await present(world, payment)).toMatchObject({ state, activeCallId: null, underway: null });
  expect(await eventsOf(world, payment)).toEqual(events);
  expect((await callOf(callId))?.state).toBe(callState);
  expect(await world.money.settle()).toMatchObject({ settled: 0, postponed: 0 });
});

it('its own request goes on with it, and finds its outcome ever after', async () => {
  const { payment, callId, again } = await leftBehind('afterSend', 'once');
  const { operation } = await again();
  expect(operation.result).toBe('AUTHORIZED');
  expect((await again()).operation).toEqual(operation);
  expect(await eventsOf(world, payment)).toHaveLength(1);
  expect(await collection('sandbox_acquirer_orders').countDocuments({ paymentId: payment.paymentId } as never)).toBe(1);
  const [told] = await world.money.listCalls([operation.operationId]);
  expect([told?.state, told?.steps]).toEqual(['DONE', [{ at: operation.time, step: 'CALLED', outcome: 'AUTHORIZED' }]]);
  expect((await callOf(callId))?.requestKey).not.toBeNull();
});

it('finds its outcome under a key that the release before had freed', async () => {
  const { payment, again } = await leftBehind('afterSend', 'freed');
  const { operation } = await again();
  expect((await again(fresh())).operation).toEqual(operation);
  expect(await collection('sandbox_acquirer_orders').countDocuments({ paymentId: payment.paymentId } as never)).toBe(1);
});

it('is left where the release before looks for it, when the janitor learned its outcome', async () => {
  const payment = await openPayment(world);
  world.door.afterSend = killed;
  const instrument = await instrumentOf(world);
  const charge = {
    paymentId: payment.paymentId,
    type: 'AUTHORIZATION',
    amountMinor: 10_000n,
    captureNow: false,
  } as const;
  await expect(world.money.charge(contextOf(world.alpha, { key: 'left' }), { ...charge, instrument })).rejects.toThrow(
    'killed',
  );
  world.door.afterSend = async () => undefined;
  await collection('payments').updateOne({ _id: payment.paymentId }, { $set: { 'underway.lostAt': new Date(0) } });
  expect(await world.money.settle()).toMatchObject({ settled: 1 });
  const [kept, ...others] = await collection('acquirer_calls').find({}).toArray();
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ paymentId: payment.paymentId, state: 'DONE', requestKey: expect.any(String) });
  expect(kept).toMatchObject({ lostAt: null, askAt: null, closedAt: expect.any(Date) });
});

it('one without an answer stays open in its document, and is closed there', async () => {
  const { payment, operation } = await chargeFresh(world, { number: '4000000000000077' });
  expect(operation.result).toBe('PENDING');
  world.clock.advance(3_000);
  expect(await world.money.settle()).toMatchObject({ settled: 1 });
  expect(await present(world, payment)).toMatchObject({ state: 'Authorized', activeCallId: null });
  const [told] = await world.money.listCalls([operation.operationId]);
  expect(told?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(['CALLED PENDING', 'ASKED AUTHORIZED']);
});
