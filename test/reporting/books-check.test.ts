// The check of the books: of a closed day while they are fed, and of books that were spoiled by hand, which the rebuild mends (reporting interface; 2.3-C and 2.6 of the decision register).
import { applyRebuilt } from '../../subgraphs/reporting/checks/rebuild.service';
import { bookCollections } from '../../subgraphs/reporting/journal/collections.repository';
import { createJournalRepository } from '../../subgraphs/reporting/journal/journal.repository';
import type { ReadLog } from '../../subgraphs/reporting/journal/read-log';
import { createRebuildRepository } from '../../subgraphs/reporting/journal/rebuild.repository';
import { createOpenActionsRepository } from '../../subgraphs/reporting/payouts/open-actions.repository';
import { createPayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { isReconciled } from '../../subgraphs/reporting/payouts/payout-query.service';
import { createLease } from '../../workers/lease';
import { profiled } from '../lists/profiled';
import { dayMs, merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld();
});
beforeEach(() => world.empty());
afterAll(() => world.close());

const closed = start.toISOString().slice(0, 10);
const charge = (amount: bigint) => world.operation(merchants.one, { amount, at: start });

const isOver = (checking: Promise<unknown>) =>
  Promise.race([checking.then(() => true), new Promise((resolve) => setTimeout(resolve, 300, false))]);

/** A day whose payouts are made and not yet booked. */
async function closeUnbooked(): Promise<void> {
  await world.commit(charge(1_000n));
  await world.feed();
  world.clock.advance(dayMs);
  const closing = world.another({ feedWaitMsMax: 0 });
  await closing.settleDue();
}

describe('the check of a closed day', () => {
  test('waits for what was committed before it: books that move meanwhile say nothing', async () => {
    await closeUnbooked();
    const checking = world.reporting.checkBooks({ throughDay: closed, over: new AbortController().signal });
    expect(await isOver(checking)).toBe(false);
    await world.feed();
    expect(await checking).toMatchObject({ payouts: 1, differences: [] });
  });

  test('is refused where the journal does not catch up', async () => {
    await closeUnbooked();
    const checking = world.reporting.checkBooks({ throughDay: closed, over: AbortSignal.timeout(50) });
    await expect(checking).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('a payout is added up from its own actions alone, however many days were paid after it', async () => {
  const [days, perDay] = [20, 10];
  for (let day = 0; day < days; day += 1) {
    const at = new Date(start.getTime() + day * dayMs);
    const charges = Array.from({ length: perDay }, () => world.operation(merchants.one, { amount: 100n, at }));
    await world.commit(...charges);
  }
  world.clock.advance(days * dayMs);
  await world.settle(world.clock.now().toISOString().slice(0, 10));
  const connection = world.stores.product;
  const reads = { payouts: createPayoutRepository(connection), openActions: createOpenActionsRepository(connection) };
  const [oldest, ...later] = await reads.payouts.list({ owner: { environment: 'sandbox' } }, { skip: 0, size: days });
  expect(later).toHaveLength(days - 1);
  const payout = oldest && (await reads.payouts.find({ environment: 'sandbox' }, oldest.payoutId));
  if (!payout) throw new Error('nothing was paid out');
  const { result, reads: made } = await profiled(world.stores, () => isReconciled(reads, payout));
  expect(result).toBe(true);
  const examined = made.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
  expect(examined).toBeLessThanOrEqual(2 * perDay);
});

describe('books that were spoiled by hand', () => {
  const spoil = (name: string, update: object) =>
    world.stores.connection.collection(name).updateOne({}, { $set: update });

  beforeEach(async () => {
    await world.commit(charge(1_000n), charge(500n));
    await world.settle(closed);
    await world.feed();
  });

  test.each<[string, object, RegExp]>([
    ['journal_entries', { amountMinor: 999n }, /totals of|not the sum of its actions/],
    ['journal_entries', { postings: [{ account: 'bank', minor: 5n }] }, /postings sum to|not balanced/],
    ['journal_days', { creditsMinor: 1n }, /totals of|closes with|days are not those/],
    ['payouts', { amountMinor: 1n }, /not the sum of its actions/],
    ['payout_books', { number: 7 }, /payouts where/],
  ])('%s: the check says so, the rebuild finds it, and --apply mends it', async (name, update, said) => {
    await spoil(name, update);
    expect((await world.reporting.checkBooks()).differences.join('\n')).toMatch(said);
    expect((await world.reporting.rebuild(false)).differences.join('\n')).toContain(name);
    await world.reporting.rebuild(true);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
    expect((await world.reporting.rebuild(false)).differences).toEqual([]);
  });
});

describe('a payout that is closed while the books are made again', () => {
  const stored = (name: string) => world.stores.connection.collection(name);

  /** The log of an outbox that gives events their places once somebody waits for them. */
  const positioning = (): ReadLog => ({
    ...world.log,
    async stillUnpositioned(places) {
      await world.position();
      return world.log.stillUnpositioned(places);
    },
  });

  /** One payout, in books that agree, to which the next is added. */
  async function expectPaidOnce(): Promise<void> {
    await world.feed();
    expect(await stored('payouts').countDocuments()).toBe(1);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
    await world.commit(charge(20n));
    expect(await world.settle(closed)).toMatchObject([{ amount: 20n }]);
  }

  test('is in them, though its event had no place in the log yet', async () => {
    await closeUnbooked();
    await world.another({ eventLog: positioning() }).rebuild(true);
    await expectPaidOnce();
  });

  test.each([
    ['all of it', ['payouts', 'payout_books']],
    ['the state of its book', ['payout_books']],
  ])('is in them, though the swap took %s', async (_what, names) => {
    const connection = world.stores.product;
    const [live, rebuilt] = (['live', 'rebuilt'] as const).map((set) => ({
      journal: createJournalRepository(connection, set),
      openActions: createOpenActionsRepository(connection, set),
      payouts: createPayoutRepository(connection, set),
    }));
    if (!live || !rebuilt) throw new Error('there are two sets of books');
    const store = createRebuildRepository(connection, bookCollections);
    store.swap = async () => {
      await closeUnbooked();
      for (const name of names) await stored(name).deleteMany({});
    };
    await applyRebuilt({ environment: 'sandbox', log: positioning(), live, rebuilt, store }, { feeds: [] });
    await expectPaidOnce();
  });

  test('waits in vain where nobody gives events their places, and the books stay', async () => {
    await closeUnbooked();
    const rebuilding = world.another({ feedWaitMsMax: 50 }).rebuild(true);
    await expect(rebuilding).rejects.toMatchObject({ code: 'unavailable' });
    await expectPaidOnce();
  });

  test.each(['before the closing', 'after the closing began'])('is not begun: %s', async (when) => {
    await world.commit(charge(1_000n));
    await world.feed();
    world.clock.advance(dayMs);
    const lease = createLease(world.stores.product, 'journal-pause', 60_000);
    if (when === 'before the closing') await lease.hold();
    const closing = world.reporting.settleDue({ begun: () => lease.hold() });
    await expect(closing).rejects.toMatchObject({ code: 'unavailable' });
    expect(await stored('payouts').countDocuments()).toBe(0);
    await lease.release();
    expect(await world.settle(closed)).toMatchObject([{ amount: 1_000n }]);
  });
});
