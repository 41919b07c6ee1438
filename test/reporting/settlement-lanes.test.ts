// Settlement in lanes: each closes its own merchants' day, the last one has the books checked, and a change of their number or of their leaders pays nobody twice and forgets nobody.
import { createLog } from '../../subgraphs/shared/log/log';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { startFeedWorker, startSettlementWorker } from '../../workers';
import { eventually } from '../support/stores';
import { dayMs, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld();
});
beforeEach(() => world.empty());
afterAll(() => world.close());

const halves = [
  { from: 0, to: 511 },
  { from: 512, to: 1_023 },
] as const;
const many = Array.from({ length: 40 }, (_, index) => ({ ...merchants.one, merchantId: `merchant-${index}` }));
const countOf = ({ from, to }: (typeof halves)[number]) =>
  many.map(slotOf).filter((slot) => slot >= from && slot <= to).length;

const collection = (name: string) => world.stores.connection.collection(name);
const books = () => collection('journal_books');
async function sell(): Promise<void> {
  await world.commit(...many.map((merchant) => world.operation(merchant, { amount: 100n })));
  await world.feed();
}
/** Payouts are booked while they are made: nobody waits for them. */
const quickly = () => world.another({ feedWaitMsMax: 60_000 });
async function whileFed<Result>(work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const feeding = (async () => {
    while (!isOver) await world.feed();
  })();
  return work().finally(async () => {
    isOver = true;
    await feeding;
  });
}
async function eachPaidOnce(days = 1): Promise<void> {
  const payouts = await collection('payouts').find().toArray();
  const paid = payouts.map(({ merchantId, date }) => `${merchantId} ${date}`);
  expect(new Set(paid).size).toBe(paid.length);
  expect(paid).toHaveLength(many.length * days);
  await world.feed();
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
}

test.each([
  ['whose books have slots', false],
  ['whose books a release before wrote without', true],
])('a lane closes the day of its own merchants, %s', async (_name, isFormer) => {
  await sell();
  const slots = await books().find().toArray();
  expect(slots.map(({ slot }) => slot)).toEqual(slots.map((book) => slotOf(book as never)));
  if (isFormer) await books().updateMany({}, { $unset: { slot: true, balanceMinor: true } });
  world.clock.advance(dayMs);
  const [first, second] = halves;
  await whileFed(async () => {
    const payouts = countOf(first);
    expect(await quickly().settleDue({ slots: first })).toMatchObject({ payouts, isWhole: false });
    expect(await quickly().settleDue({ slots: first })).toBeNull();
    expect(await quickly().settleDue({ slots: second })).toMatchObject({ payouts: countOf(second), isWhole: true });
    // Also for who asks for all of it, as a process of a release before does.
    expect(await quickly().settleDue()).toBeNull();
  });
  expect(await books().countDocuments({ slot: { $exists: false } })).toBe(0);
  await eachPaidOnce();
});

test('a lane that is told to stop has closed nothing, and goes on where it was', async () => {
  await sell();
  world.clock.advance(dayMs);
  const stopping = new AbortController();
  await whileFed(async () => {
    const moved = () => stopping.abort();
    expect(await quickly().settleDue({ slots: halves[0], stopping: stopping.signal, moved })).toBeNull();
    expect(await quickly().settleDue({ slots: halves[0] })).toMatchObject({ payouts: countOf(halves[0]) });
  });
});

test('what the lanes of before closed is closed for those that follow, as far as it goes', async () => {
  await sell();
  world.clock.advance(dayMs);
  await whileFed(async () => {
    await quickly().settleDue({ slots: { from: 0, to: 699 } });
    expect(await quickly().settleDue({ slots: halves[0] })).toBeNull();
    expect(await quickly().settleDue({ slots: halves[1] })).toMatchObject({ isWhole: true });
  });
  await eachPaidOnce();
});

test('books of before get their slots when the data are prepared', async () => {
  await sell();
  await books().updateMany({}, { $unset: { slot: true, balanceMinor: true } });
  await world.reporting.ensureIndexes();
  expect(await books().countDocuments({ slot: { $exists: false } })).toBe(0);
  expect((await world.reporting.rebuild(false)).differences).toEqual([]);
});

test('from one lane to eight and to three, with processes that come and go, every merchant is paid once a day', async () => {
  const lines: string[] = [];
  const log = createLog('info', 'test', (line) => void lines.push(line));
  const connection = world.stores.product;
  const feed = startFeedWorker({
    kind: 'journal',
    connection,
    log,
    feeds: world.reporting.feeds,
    feedNext: world.reporting.bookNext,
  });
  const start = () => startSettlementWorker({ connection, log, ...world.another(), lanes: world.lanes });
  const positioning = setInterval(() => void world.position().catch(() => undefined), 20);
  const running = [start(), start()];
  try {
    for (const [index, lanes] of [1, 8, 3].entries()) {
      await world.commit(...many.map((merchant) => world.operation(merchant, { amount: 100n })));
      await world.resize(lanes);
      world.clock.advance(dayMs);
      await running.shift()?.stop();
      running.push(start());
      const payouts = (index + 1) * many.length;
      await eventually(async () => (await collection('payouts').countDocuments()) >= payouts, { timeoutMs: 120_000 });
    }
  } finally {
    clearInterval(positioning);
    await Promise.all(running.map((worker) => worker.stop()));
    await feed.stop();
  }
  expect(lines.filter((line) => line.includes('do not agree'))).toEqual([]);
  await eachPaidOnce(3);
});
