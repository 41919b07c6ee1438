// The books over several lanes: what two lanes book for one account at once counts all of it, and a change of lanes in between loses nothing.

import { createEventLogRepository } from '../../subgraphs/notifications/events/event-log.repository';
import { bookAll, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

let world: ReportingWorld;
afterEach(() => world.close());

const { one, two } = merchants;
const daysOf = (holder: string) => world.stores.connection.collection('journal_days').find({ holder }).toArray();
const totalOf = async (holder: string) => {
  const days = await daysOf(holder);
  return days.reduce((sum, { creditsMinor }) => sum + Number(creditsMinor), 0);
};

test('two lanes that book for one account at once are both counted in its day, again and again', async () => {
  world = await openReportingWorld(64);
  const feeds = await world.reporting.feeds();
  for (let round = 0; round < 10; round += 1) {
    const amounts = Array.from({ length: 20 }, () => 1n);
    await world.commit(...amounts.flatMap((amount) => [one, two].map((of) => world.operation(of, { amount }))));
    await world.position();
    const [left, right] = [world.another(), world.another()];
    // Everybody at once, each lane by two processes.
    await Promise.all(
      feeds.flatMap((feed) => [left, right].map(async ({ bookNext }) => void (await bookNext(feed).catch(() => null)))),
    );
    await bookAll(world.reporting);
    expect(await totalOf('sandbox:account:alpha')).toBe((round + 1) * 40);
  }
  // In a document of its own each, so that they do not wait for each other.
  expect([await daysOf('sandbox:account:alpha'), await daysOf('sandbox:merchant:m-one')]).toMatchObject([
    [{ day: expect.any(String) }, { day: expect.any(String) }],
    [{ day: expect.any(String) }],
  ]);
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
  expect((await world.reporting.rebuild(false)).differences).toEqual([]);
});

test('lanes of the next layout are booked when those of the one before are, and a rebuild makes the same books', async () => {
  world = await openReportingWorld(4);
  const log = createEventLogRepository(world.stores.connection);
  const charge = () => world.commit(...[one, two].map((of) => world.operation(of, { amount: 7n })));
  await charge();
  await world.position();
  await log.prepare(2);
  await charge();
  await world.position();
  expect(new Set((await world.reporting.feeds()).map(({ layout }) => layout))).toEqual(new Set([1]));
  await bookAll(world.reporting);
  expect((await world.reporting.feeds()).map(({ layout, lane }) => [layout, lane])).toEqual([
    [2, 0],
    [2, 1],
  ]);
  await bookAll(world.reporting);
  expect(await totalOf('sandbox:account:alpha')).toBe(28);
  await charge();
  await world.settle('2026-03-01');
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
  const made = await world.reporting.rebuild(true);
  expect(made).toMatchObject({ differences: [], entries: 8, payouts: 2 });
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
});
