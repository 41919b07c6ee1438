// The latest events of the whole log, found backwards: on one lane and on several, as far as they are wanted, kept, and not too far away.
import type { EventLog } from '../../subgraphs/notifications/events/event-log.service';
import { eventually } from '../support/stores';
import { openWorld, type World } from '../workers/world';

const merchants = ['one', 'two', 'three', 'four', 'five'];

let world: World;
let log: EventLog;
afterEach(() => world?.close());

async function open(lanes: number): Promise<void> {
  world = await openWorld(undefined, lanes);
  log = world.notifications.eventLog;
  world.startOutbox();
}

/** So many, each published before the next one happens; their merchants take turns. */
async function happen(count: number): Promise<string[]> {
  const eventIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const before = published((await log.end()).numbers);
    const [event] = await world.happen({ merchantId: merchants[index % merchants.length] ?? '' });
    eventIds.push(String(event?._id));
    await eventually(async () => published((await log.end()).numbers) > before);
    // Times are told apart by the millisecond.
    world.clock.advance(1);
  }
  return eventIds;
}

const published = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const all = () => true;

describe.each([1, 3])('on %d lanes', (lanes) => {
  test('they are the last that were published, and lie behind the place that is told', async () => {
    await open(lanes);
    const eventIds = await happen(12);
    const end = await log.end();
    for (const count of [1, 5, 12, 50]) {
      const { from, eventIds: latest } = await log.latest(end, { count, isWanted: all });
      expect([...latest].sort()).toEqual(eventIds.slice(-count).sort());
      const { heads } = await log.readOn(from, end);
      expect(heads.map(({ _id }) => _id)).toEqual(expect.arrayContaining([...latest]));
    }
  });

  test('what comes behind the end is none of them', async () => {
    await open(lanes);
    const before = await happen(4);
    const end = await log.end();
    await happen(4);
    const { eventIds } = await log.latest(end, { count: 10, isWanted: all });
    expect([...eventIds].sort()).toEqual(before.sort());
  });

  test('those that are wanted are looked for among the others', async () => {
    await open(lanes);
    const eventIds = await happen(20);
    const { eventIds: latest } = await log.latest(await log.end(), {
      count: 3,
      isWanted: ({ merchantId }) => merchantId === 'two',
    });
    expect([...latest].sort()).toEqual([eventIds[6], eventIds[11], eventIds[16]].sort());
  });

  test('what is no longer replayed is left out', async () => {
    await open(lanes);
    await happen(3);
    world.clock.advance(31 * 24 * 3_600_000);
    const young = await happen(2);
    const { eventIds } = await log.latest(await log.end(), { count: 10, isWanted: all });
    expect([...eventIds].sort()).toEqual(young.sort());
  });
});

test('an empty log has none', async () => {
  await open(1);
  const end = await log.end();
  expect(await log.latest(end, { count: 5, isWanted: all })).toEqual({
    from: { layout: end.layout, numbers: [...end.numbers] },
    eventIds: new Set(),
  });
});

test('a log in which nothing is wanted is not read to its beginning', async () => {
  await open(1);
  await happen(2);
  const { from, eventIds } = await log.latest({ layout: 1, numbers: [1_000] }, { count: 5, isWanted: () => false });
  expect({ from, found: eventIds.size }).toEqual({ from: { layout: 1, numbers: [744] }, found: 0 });
});
