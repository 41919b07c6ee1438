// A database of before the log was cut into slots: positions of one row for all, one checkpoint of the journal, and events that wait without a slot.
import { createEventLogRepository } from '../../subgraphs/notifications/events/event-log.repository';
import { slotOf } from '../../subgraphs/shared/store/slot';
import type { EventRecord } from '../../subgraphs/shared/store/unit-of-work';
import { bookAll, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

let world: ReportingWorld;
afterEach(() => world.close());

/** As the release before left it: so many events have their place, and so many of them are booked. */
async function makeFormer(events: readonly EventRecord[], placed: number, booked: number): Promise<void> {
  const { connection } = world.stores;
  await connection.collection('event_lanes').deleteMany({});
  await connection.collection('journal_state').deleteMany({});
  await connection
    .collection('platform_settings')
    .updateOne({ _id: 'eventPosition' as never }, { $set: { position: placed, fence: 7 } });
  const rows = events.map((event, index) => ({ ...event, position: index < placed ? index + 1 : null }));
  await connection.collection('events').insertMany(rows as never);
  await connection.collection('events').createIndex({ position: 1 });
  if (booked > 0) await connection.collection('journal_state').insertOne({ _id: 'sandbox' as never, position: booked });
}

/** What the leader of that release did before it gave places. */
const formerLeaderMoves = (fence: number) =>
  world.stores.connection
    .collection('platform_settings')
    .findOneAndUpdate({ _id: 'eventPosition' as never, fence: { $lte: fence } }, { $inc: { position: 1 } });

test.each([1, 8])(
  'is taken over by %d lanes: cursors hold, everything is booked once, and the former leader gives no places',
  async (lanes) => {
    world = await openReportingWorld(lanes);
    const { one, two } = merchants;
    const log = createEventLogRepository(world.stores.connection);
    const amounts = [10n, 20n, 30n, 40n, 50n];
    const made = amounts.map((amount, index) => ({
      ...world.operation(index % 2 === 0 ? one : two, { amount }),
      position: null,
    }));
    await makeFormer(made, 3, 0);
    await Promise.all([log.prepare(lanes), world.reporting.ensureIndexes()]);
    expect(await formerLeaderMoves(1_000_000)).toBeNull();
    expect(await log.tailPosition(slotOf(one))).toBe(3);

    // A process of the release before goes on writing for a while.
    expect(await log.giveSlots(10)).toBe(2);
    await world.commit(world.operation(one, { amount: 60n }));
    await world.position();
    const read = (merchantId: string, afterPosition: number) =>
      log.read({ environment: 'sandbox', owner: { merchantId }, afterPosition, limit: 10 });
    const ofOne = await log.bodies(await read(one.merchantId, 0));
    expect(ofOne.map(({ data, position }) => [data['operationAmount'], position])).toEqual([
      ['10', 1],
      ['30', 3],
      ['50', 4],
      ['60', 5],
    ]);
    // The cursor that a subscriber got before.
    expect((await read(one.merchantId, 3)).map(({ position }) => position)).toEqual([4, 5]);
    expect((await read(two.merchantId, 2)).map(({ position }) => position)).toEqual([4]);

    await bookAll(world.reporting);
    await bookAll(world.reporting);
    const entries = await world.stores.connection.collection('journal_entries').find().toArray();
    expect(entries.map(({ amountMinor }) => Number(amountMinor)).sort()).toEqual([10, 20, 30, 40, 50, 60]);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
    expect(await world.reporting.rebuild(false)).toMatchObject({ differences: [], entries: 6 });
  },
);

test('goes on from the checkpoint of before, and books nothing of a lane until the log of before is booked', async () => {
  world = await openReportingWorld(2);
  const log = createEventLogRepository(world.stores.connection);
  const made = [1n, 2n, 3n].map((amount) => ({ ...world.operation(merchants.one, { amount }), position: null }));
  await makeFormer(made, 3, 2);
  await Promise.all([log.prepare(2), world.reporting.ensureIndexes()]);
  // As the leader of the journal of that release did, which would book the same again.
  const state = world.stores.connection.collection('journal_state');
  expect(
    (await state.updateOne({ _id: 'sandbox' as never, position: 2 }, { $set: { position: 3 } })).matchedCount,
  ).toBe(0);
  expect(
    await world.stores.connection
      .collection('events')
      .countDocuments({ position: { $gt: (await state.findOne({ _id: 'sandbox' as never }))?.['position'] } }),
  ).toBe(0);
  await world.commit(world.operation(merchants.one, { amount: 4n }));
  await world.position();
  const [first, ...others] = await world.reporting.feeds();
  expect([first, others]).toEqual([{ layout: 0, lane: 0, upTo: 3 }, []]);
  if (!first) throw new Error('one feed');
  while ((await world.reporting.bookNext(first)).events > 0);
  expect((await world.reporting.feeds()).map(({ layout, lane }) => [layout, lane])).toEqual([
    [1, 0],
    [1, 1],
  ]);
  await bookAll(world.reporting);
  const entries = await world.stores.connection.collection('journal_entries').find().sort({ serial: 1 }).toArray();
  expect(entries.map(({ amountMinor }) => Number(amountMinor))).toEqual([3, 4]);
});
