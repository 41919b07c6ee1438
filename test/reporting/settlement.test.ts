// Settlement, the feed and the rebuild on real databases: once, twice, at once, late, and with the books spoiled by hand (reporting interface; 2.3-C and 2.6 of the decision register).

import { createDayRepository } from '../../subgraphs/reporting/payouts/day.repository';
import { createOpenActionsRepository } from '../../subgraphs/reporting/payouts/open-actions.repository';
import { createPayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { reportPayout, reportPayouts } from '../../subgraphs/reporting/reporting.service';
import { slotOfId } from '../../subgraphs/shared/ids';
import { createLog } from '../../subgraphs/shared/log/log';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { startFeedWorker, startSettlementWorker, whileFeedStands } from '../../workers';
import { eventually } from '../support/stores';
import { dayMs, merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

let world: ReportingWorld;
const { one, two, other } = merchants;

beforeAll(async () => {
  world = await openReportingWorld();
});
beforeEach(() => world.empty());
afterAll(() => world.close());

const day = (offset: number) => new Date(start.getTime() + offset * dayMs).toISOString().slice(0, 10);
const at = (offset: number) => new Date(start.getTime() + offset * dayMs);
const charge = (amount: bigint, offset = 0, merchant: Parameters<ReportingWorld['operation']>[0] = one) =>
  world.operation(merchant, { amount, at: at(offset) });
const refund = (amount: bigint, offset = 0) =>
  world.operation(one, { amount, at: at(offset), operationType: 'REFUND', operationResult: 'REFUNDED' });
const amounts = (made: { date: string; amount: bigint }[]) => made.map(({ date, amount }) => [date, amount]);
const reads = () => {
  const connection = world.stores.product;
  return {
    days: createDayRepository(connection),
    payouts: createPayoutRepository(connection),
    openActions: createOpenActionsRepository(connection),
    readMerchantByNumber: async (_environment: string, number: number) =>
      Object.values(merchants).find(({ merchantNumber }) => merchantNumber === number) ?? null,
  };
};

describe('closing a day', () => {
  test('pays each merchant and currency once; again it pays only what came since', async () => {
    await world.commit(
      charge(1_000n),
      charge(500n, 0, two),
      world.operation(one, { amount: 70n, currency: 'SEK', at: at(0) }),
    );
    const first = await world.settle(day(0));
    expect(first.map(({ amount }) => amount).sort()).toEqual([1_000n, 500n, 70n].sort());
    expect(await world.settle(day(0))).toEqual([]);
    await world.commit(charge(30n));
    expect(amounts(await world.settle(day(0)))).toEqual([[day(0), 30n]]);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
  });

  test('closes the earlier open days first, each into its own payout, and leaves later ones alone', async () => {
    world.clock.advance(3 * dayMs);
    await world.commit(charge(1n, 0), charge(2n, 1), charge(4n, 3), charge(8n, 2));
    expect(amounts(await world.settle(day(2)))).toEqual([
      [day(0), 1n],
      [day(1), 2n],
      [day(2), 8n],
    ]);
    expect(amounts(await world.settle(day(3)))).toEqual([[day(3), 4n]]);
  });

  test('reads many books at once and mixes none up: each payout is of its own merchant and day', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...two, merchantId: `m-many-${index}` }));
    await world.commit(
      ...many.flatMap((merchant, index) => [
        charge(BigInt(index + 1), 0, merchant),
        ...(index % 3 === 0 ? [charge(BigInt(10_000 + index), 1, merchant)] : []),
      ]),
    );
    world.clock.advance(dayMs);
    const expected = many.flatMap(({ merchantId }, index) => [
      `${merchantId} ${day(0)} ${index + 1}`,
      ...(index % 3 === 0 ? [`${merchantId} ${day(1)} ${10_000 + index}`] : []),
    ]);
    const made = await world.settle(day(1));
    expect(made.map(({ merchantId, date, amount }) => `${merchantId} ${date} ${amount}`).sort()).toEqual(
      expected.sort(),
    );
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
  });

  test('carries a day that is not positive forward, with its actions', async () => {
    await world.commit(refund(500n, 0), charge(300n, 1), charge(450n, 2));
    expect(amounts(await world.settle(day(1)))).toEqual([]);
    expect(amounts(await world.settle(day(2)))).toEqual([[day(2), 250n]]);
    const key = world.merchantKey(one);
    const range = { fromDate: day(0), toDate: day(2) };
    const { payouts } = await reportPayouts(reads(), key, range);
    expect(payouts[0]).toMatchObject({ chargedMinor: 750n, refundedMinor: 500n, chargeCount: 2, refundCount: 1 });
    const { actions } = await reportPayout(reads(), key, { payoutId: payouts[0]?.payoutId ?? '' });
    expect(actions.map(({ action }) => action)).toEqual(['REFUND', 'CHARGE', 'CHARGE']);
  });

  test('pages the actions of days that were booked crosswise, each once', async () => {
    const events = Array.from({ length: 30 }, (_, index) => charge(BigInt(index + 1), index % 3));
    for (const event of events) await world.commit(event);
    await world.settle(day(1));
    await world.settle(day(2));
    const key = world.merchantKey(one);
    const { payouts } = await reportPayouts(reads(), key, { fromDate: day(0), toDate: day(2) });
    expect(payouts).toHaveLength(3);
    for (const { payoutId, amountMinor, actionCount } of payouts) {
      const pages = await Promise.all(
        [0, 1, 2, 3].map((pageNumber) => reportPayout(reads(), key, { payoutId, pageNumber, pageSize: 3 })),
      );
      const ids = pages.flatMap(({ actions }) => actions.map(({ actionId }) => actionId));
      expect(new Set(ids).size).toBe(actionCount);
      const paid = pages.flatMap(({ actions }) => actions).reduce((sum, action) => sum + action.amountMinor, 0n);
      expect(paid).toBe(amountMinor);
      const beyond = await reportPayout(reads(), key, { payoutId, pageNumber: 99 });
      expect(beyond).toMatchObject({ actions: [], payout: { actionCount } });
    }
  });

  test('goes on where a release before was, whose payouts have no slot, and the rebuild finds the same', async () => {
    world.clock.advance(2 * dayMs);
    await world.commit(charge(10n, 0), charge(20n, 1));
    await world.settle(day(0));
    for (const name of ['payouts', 'payout_books'])
      await world.stores.connection.collection(name).updateMany({}, { $unset: { slot: true } });
    expect(await world.settle(day(0))).toEqual([]);
    expect(amounts(await world.settle(day(1)))).toEqual([[day(1), 20n]]);
    const key = world.merchantKey(one);
    const { payouts } = await reportPayouts(reads(), key, { fromDate: day(0), toDate: day(1) });
    expect(payouts.map(({ number, date }) => [number, date])).toEqual([
      [1, day(0)],
      [2, day(1)],
    ]);
    const ofOne = slotOf(one);
    expect(payouts.map(({ payoutId }) => slotOfId(payoutId))).toEqual([ofOne, ofOne]);
    for (const { payoutId } of payouts)
      expect(await reportPayout(reads(), key, { payoutId, pageNumber: 0 })).toMatchObject({ payout: { payoutId } });
    await world.feed();
    expect((await world.reporting.rebuild(false)).differences).toEqual([]);
  });

  test('pays days that were booked too crosswise for one payout together, and the rebuild finds the same', async () => {
    for (const index of [0, 1, 0, 1, 0, 1, 2, 0]) await world.commit(charge(BigInt(index + 1), index));
    world.clock.advance(3 * dayMs);
    const narrow = await world.another({ runsMax: 3 });
    expect(await world.settle(day(0), narrow)).toEqual([]);
    expect(amounts(await world.settle(day(2), narrow))).toEqual([
      [day(1), 10n],
      [day(2), 3n],
    ]);
    expect(await world.settle(day(2), narrow)).toEqual([]);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
    await world.feed();
    expect((await world.reporting.rebuild(false)).differences).toEqual([]);
  });

  test.each([
    ['a day that does not exist', '2026-02-30'],
    ['something else', 'yesterday'],
    ['tomorrow', '2099-01-01'],
  ])('refuses %s', async (_name, date) => {
    await expect(world.reporting.settle(date, 'r')).rejects.toMatchObject({ code: 'invalidData' });
  });

  test('is refused while the journal does not catch up, and pays nothing', async () => {
    await world.commit(charge(10n));
    const withShortDeadline = await world.another({ feedWaitMsMax: 50 });
    await expect(withShortDeadline.settle(day(0), 'r')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await world.stores.connection.collection('payouts').countDocuments()).toBe(0);
  });
});

describe('at the same time', () => {
  test('five settlements of one day pay once', async () => {
    await world.commit(...Array.from({ length: 40 }, (_, index) => charge(100n, 0, [one, two, other][index % 3])));
    const others = await Promise.all([1, 2, 3, 4].map(() => world.another()));
    const made = await Promise.all([world.reporting, ...others].map((using) => world.settle(day(0), using)));
    expect(made.flat()).toHaveLength(3);
    expect(made.flat().reduce((sum, { amount }) => sum + amount, 0n)).toBe(4_000n);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
  });

  test('payments go on while a day is closed, and each is paid once', async () => {
    let isOver = false;
    let count = 0;
    const paying = (async () => {
      for (; !isOver; count += 1) await world.commit(charge(7n));
    })();
    const made = [];
    try {
      made.push(...(await world.settle(day(0))), ...(await world.settle(day(0))));
    } finally {
      isOver = true;
      await paying;
    }
    made.push(...(await world.settle(day(0))));
    expect(made.reduce((sum, { amount }) => sum + amount, 0n)).toBe(7n * BigInt(count));
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
  });

  test('two feeds book each event once', async () => {
    await world.commit(...Array.from({ length: 200 }, () => charge(3n)));
    await world.position();
    const rival = await world.another();
    const [feed] = await world.reporting.feeds();
    if (!feed) throw new Error('there is a lane');
    const rivals = [world.reporting, rival, world.reporting];
    await Promise.all(rivals.map(({ bookNext }) => bookNext(feed).catch(() => null)));
    await world.feed();
    const entries = world.stores.connection.collection('journal_entries');
    expect(await entries.countDocuments()).toBe(200);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
  });
});

describe('by night', () => {
  test('the day before is closed once it is 02:00, on the one clock, and once only', async () => {
    await world.stores.connection.collection('settlement_schedule').deleteMany({});
    const today = world.clock.now().toISOString().slice(0, 10);
    await world.commit(world.operation(one, { amount: 90n }));
    await world.feed();
    await world.reporting.settleDue();
    expect(await world.stores.connection.collection('payouts').countDocuments()).toBe(0);
    world.clock.advance(dayMs);
    let isFeeding = true;
    const feed = async () => {
      while (isFeeding) await world.feed();
    };
    const feeding = feed();
    expect(await world.reporting.settleDue()).toEqual({ day: today, payouts: 1, isWhole: true });
    isFeeding = false;
    await feeding;
    expect(await world.reporting.settleDue()).toBeNull();
  });

  test('three that close the same night at once pay it once', async () => {
    await world.stores.connection.collection('settlement_schedule').deleteMany({});
    await world.commit(world.operation(one, { amount: 90n }));
    await world.feed();
    await world.reporting.settleDue();
    world.clock.advance(dayMs);
    const rivals = [world.reporting, await world.another(), await world.another()];
    let isFeeding = true;
    const feeding = (async () => {
      while (isFeeding) await world.feed();
    })();
    try {
      await Promise.allSettled(rivals.map(({ settleDue }) => settleDue()));
      await world.reporting.settleDue();
    } finally {
      isFeeding = false;
      await feeding;
    }
    expect(await world.stores.connection.collection('payouts').countDocuments()).toBe(1);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
    expect(await world.reporting.settleDue()).toBeNull();
  });

  test('workers feed and settle by themselves, and stand still while asked to', async () => {
    const lines: string[] = [];
    const log = createLog('info', 'test', (line) => void lines.push(line));
    const connection = world.stores.product;
    const { reporting } = world;
    const feed = startFeedWorker({
      kind: 'journal',
      connection,
      log,
      feeds: reporting.feeds,
      feedNext: reporting.bookNext,
    });
    const settlement = startSettlementWorker({ connection, log, ...reporting, lanes: world.lanes });
    try {
      await world.commit(world.operation(one, { amount: 55n }));
      await world.position();
      const stored = (name: string) => world.stores.connection.collection(name);
      const booked = () => stored('journal_entries').countDocuments();
      await eventually(booked);
      await whileFeedStands(connection, 'journal', async () => {
        await world.commit(world.operation(one, { amount: 5n }));
        await world.position();
        const made = await reporting.rebuild(false);
        expect(made).toMatchObject({ entries: 1, differences: [] });
      });
      await eventually(async () => (await booked()) === 2);
      const closings = () => lines.filter((line) => line.includes('a day was closed')).length;
      // The day before, as soon as the journal is as far.
      await eventually(() => closings() === 1);
      world.clock.advance(dayMs);
      const positioning = setInterval(() => void world.position().catch(() => undefined), 20);
      const payouts = () => stored('payouts').countDocuments();
      await eventually(payouts).finally(() => clearInterval(positioning));
      await eventually(() => closings() === 2);
      expect(lines.filter((line) => line.includes('do not agree'))).toEqual([]);
    } finally {
      await settlement.stop();
      await feed.stop();
    }
  });
});
