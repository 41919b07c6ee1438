// The janitor of payments in lanes: what is due falls to the leader of its lane and to nobody else, and none of it is lost or done twice while lanes change hands and number.
import { createLaneRepository } from '../../subgraphs/notifications/events/lane.repository';
import { createLog } from '../../subgraphs/shared/log/log';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { startLaneJanitor } from '../../workers';
import { eventually } from '../support/stores';
import { type CheckoutWorld, openCheckoutWorld } from './checkout-world';
import { chargeFresh, hourMs, type MoneyWorld, openMoneyWorld, refusal } from './money-world';

const halves = [
  { from: 0, to: 511 },
  { from: 512, to: 1_023 },
] as const;
/** Three of each half. */
const merchants = halves.flatMap(({ from, to }) =>
  Array.from({ length: 60 }, (_, index) => `merchant-${index}`)
    .filter((merchantId) => slotIn(merchantId) >= from && slotIn(merchantId) <= to)
    .slice(0, 3),
);
const ofSecond = merchants.slice(3);

function slotIn(merchantId: string): number {
  return slotOf({ merchantId, accountId: 'alpha' });
}

describe('money', () => {
  let world: MoneyWorld;
  beforeEach(async () => {
    world = await openMoneyWorld();
  });
  afterEach(() => world.close());

  const payments = () => world.connection.collection<{ _id: string; slot?: number; merchantId: string }>('payments');
  const calls = () => world.connection.collection<{ _id: string; slot?: number }>('acquirer_calls');
  const as = (merchantId: string): MoneyWorld => ({ ...world, alpha: { ...world.alpha, merchantId } });
  const deferred = (merchantId: string) =>
    chargeFresh(as(merchantId), {
      opening: { merchantId, captureType: 'DEFERRED', captureDelayMs: hourMs },
    });
  const captures = async () => {
    const found = await world.connection.collection('operations').find({ type: 'CAPTURE' }).toArray();
    return found.map(({ paymentId }) => String(paymentId)).sort();
  };
  const all = async () => (await payments().find().toArray()).map(({ _id }) => _id).sort();

  test('a payment and an open call carry the slot of their merchant', async () => {
    const [merchantId = ''] = ofSecond;
    await chargeFresh(as(merchantId), { number: '4000000000000077', opening: { merchantId } });
    expect(await payments().findOne({ merchantId })).toMatchObject({ slot: slotIn(merchantId) });
    expect(await calls().findOne({})).toMatchObject({ slot: slotIn(merchantId) });
    world.clock.advance(3_000);
    expect(await world.money.settle(undefined, halves[0])).toMatchObject({ settled: 0 });
    expect(await world.money.settle(undefined, halves[1])).toMatchObject({ settled: 1 });
  });

  test('an open call of a release before, which has no slot, falls to the first lane', async () => {
    const [merchantId = ''] = ofSecond;
    await chargeFresh(as(merchantId), { number: '4000000000000077', opening: { merchantId } });
    await calls().updateMany({}, { $unset: { slot: true } });
    world.clock.advance(3_000);
    expect(await world.money.settle(undefined, halves[1])).toMatchObject({ settled: 0 });
    expect(await world.money.settle(undefined, halves[0])).toMatchObject({ settled: 1 });
  });

  test.each([
    ['with their slots', {}, [3, 3]],
    ['of a release before, which have none', { $unset: { slot: true } }, [6, 0]],
  ] as const)('due captures %s', async (_name, spoil, expected) => {
    await Promise.all(merchants.map(deferred));
    if ('$unset' in spoil) await payments().updateMany({}, spoil as object);
    world.clock.advance(hourMs);
    const captured = [];
    for (const slots of halves) captured.push((await world.money.settle(undefined, slots)).captured);
    expect(captured).toEqual(expected);
    expect(await captures()).toEqual(await all());
  });

  test.each([
    ['with their slots', {}, [3, 3]],
    ['of a release before, which have none', { $unset: { slot: true } }, [6, 0]],
  ] as const)('authorizations that died %s', async (_name, spoil, expected) => {
    await Promise.all(merchants.map((merchantId) => chargeFresh(as(merchantId), { opening: { merchantId } })));
    if ('$unset' in spoil) await payments().updateMany({}, spoil as object);
    world.clock.advance(8 * 24 * hourMs);
    const expired = [];
    for (const slots of halves) expired.push((await world.money.settle(undefined, slots)).expired);
    expect(expired).toEqual(expected);
    expect(await payments().countDocuments({ state: 'Expired' } as object)).toBe(merchants.length);
  });

  test.each([
    ['with their slots', {}, [0, 1]],
    ['of a release before, which have none', { $unset: { slot: true } }, [1, 0]],
  ] as const)('a call whose process is gone, of payments %s', async (_name, spoil, expected) => {
    const [merchantId = ''] = ofSecond;
    let answer: (() => void) | undefined;
    world.door.afterSend = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    const gone = refusal(chargeFresh(as(merchantId), { opening: { merchantId } }));
    await eventually(() => answer);
    world.door.afterSend = async () => undefined;
    await payments().updateMany({}, { $set: { 'underway.lostAt': new Date(0) }, ...spoil } as object);
    const settled = [];
    for (const slots of halves) settled.push((await world.another().settle(undefined, slots)).settled);
    expect(settled).toEqual(expected);
    // Left waiting it would hold this process until its own minute is over.
    answer?.();
    await gone;
  });

  test('two processes that both believe to lead capture each due payment once', async () => {
    const due = await Promise.all(Array.from({ length: 20 }, (_, index) => deferred(`merchant-${index % 7}`)));
    world.clock.advance(hourMs);
    const runs = await Promise.all([world.money.settle(), world.another().settle()]);
    expect(runs.reduce((sum, { captured }) => sum + captured, 0)).toBe(due.length);
    expect(await payments().countDocuments({ state: 'Captured' } as object)).toBe(due.length);
    expect(await world.connection.collection('operations').countDocuments({ type: 'CAPTURE' })).toBe(due.length);
  });

  test('from one lane to eight and to three, with processes that come and go, each due payment is captured once', async () => {
    const lanes = createLaneRepository(world.connection);
    await lanes.prepare(1);
    const many = Array.from({ length: 40 }, (_, index) => `merchant-${index}`);
    const due = () => Promise.all(many.map(deferred));
    await due();
    world.clock.advance(hourMs);
    const start = () =>
      startLaneJanitor({
        clock: world.clock,
        connection: world.connection,
        log: createLog('silent', 'test'),
        kind: 'janitor-payments',
        lanes: lanes.present,
        tasks: [{ name: 'settle', everyMs: 10, run: world.another().settle }],
      });
    const running = [start(), start()];
    try {
      for (const count of [8, 3]) {
        await lanes.prepare(count);
        // Due at once, whoever leads then.
        await due();
        world.clock.advance(hourMs);
        await running.shift()?.stop();
        running.push(start());
        const held = { _id: { $regex: `^janitor-payments:${count === 8 ? 2 : 3}:` }, until: { $gt: new Date() } };
        await eventually(
          async () => (await world.connection.collection('leases').countDocuments(held as object)) === count,
          { timeoutMs: 60_000 },
        );
      }
      await eventually(async () => (await captures()).length >= 120, { timeoutMs: 120_000 });
    } finally {
      await Promise.all(running.map((janitor) => janitor.stop()));
    }
    expect(await captures()).toEqual(await all());
    expect(world.door.sent).toBe(240);
  });
});

describe('sessions', () => {
  let world: CheckoutWorld;
  beforeEach(async () => {
    world = await openCheckoutWorld();
  });
  afterEach(() => world.close());

  test.each([
    ['with its slot', {}, false],
    ['of a release before, which has none', { $unset: { slot: true } }, true],
  ] as const)('a forgotten one %s', async (_name, spoil, isFirst) => {
    await world.build();
    const sessions = world.stores.connection.collection<{ merchantId: string; slot?: number }>('checkout_sessions');
    const stored = await sessions.findOne({});
    const slot = slotOf({ merchantId: stored?.merchantId ?? null, accountId: 'alpha' });
    expect(stored?.slot).toBe(slot);
    if ('$unset' in spoil) await sessions.updateMany({}, spoil as object);
    world.clock.advance(hourMs);
    const first = { from: 0, to: slot - 1 };
    const second = { from: slot, to: 1_023 };
    expect(await world.payments.expireSessions(undefined, isFirst ? second : first)).toBe(0);
    expect(await world.payments.expireSessions(undefined, isFirst ? first : second)).toBe(1);
  });
});
