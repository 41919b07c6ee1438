// Both clients, each in Node and in a page, while the processes that they are connected to are killed with SIGKILL, one after the other, with payments going on: nothing lost, nothing twice.
import type { MongoClient } from 'mongodb';
import { openDatabase } from '../faults/audit';
import { payWithFields, shopOf } from '../support/checkout';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';
import type { Told } from './follow';
import { type Follower, type Followers, openFollowers, ways } from './followers';

const types = ['operation.recorded'];
/** Payments that must succeed before each kill and after the last: each hits a program at work. */
const between = 5;
let world: World;
let followers: Followers;
let database: MongoClient;

beforeAll(async () => {
  world = await startWorld({ env: { PROCESSES: '2' }, databases: 'own', topology: 'embedded' });
  followers = await openFollowers();
  database = await openDatabase(world);
});
afterAll(async () => {
  await database?.close();
  await followers?.close();
  await world?.stop();
});

interface StoredEvent {
  _id: string;
  type: string;
  position: number | null;
}

/** What the log itself holds, read past the program. */
async function logged(): Promise<string[]> {
  const found = database
    .db()
    .collection<StoredEvent>('events')
    .find({ type: { $in: types } });
  return (await found.toArray()).map(({ _id }) => _id).sort();
}

/** Pays one order after the other until it is stopped. A payment that met a dying process is not counted; how it came out the log says. */
function startPaying() {
  const shop = shopOf(world, 'alpha', 'implicit');
  const paid = { count: 0, isOver: false };
  const running = (async () => {
    while (!paid.isOver) {
      const isDone = await payWithFields(world, shop).then(
        () => true,
        () => false,
      );
      if (isDone) paid.count += 1;
    }
  })();
  return {
    async more(): Promise<void> {
      const goal = paid.count + between;
      await eventually(() => paid.count >= goal, { timeoutMs: 120_000 });
    },
    async stop(): Promise<void> {
      paid.isOver = true;
      await running;
    },
  };
}

const ids = ({ events }: Told) => events.map(({ eventId }) => eventId).sort();

test('each event once, whatever was killed', async () => {
  const token = await accessTokenOf(world, world.credentials.graph.admin);
  const all: Follower[] = [];
  for (const { transport, place } of ways)
    all.push(await followers.begin(place, { transport, url: world.urls.subscriptions, token, filter: { types } }));
  for (const follower of all) await eventually(async () => (await follower.told()).states.at(-1) === 'live');
  const before = new Set(await logged());
  const paying = startPaying();
  for (const role of ['app-1', 'app-2', 'app-1']) {
    await paying.more();
    const { pid } = world.kill(role);
    await world.replaced(role, pid);
  }
  await paying.more();
  await paying.stop();
  // A payment whose answer was cut off may still be going on.
  await eventually(async () => (await database.db().collection('events').countDocuments({ position: null })) === 0);
  const happened = (await logged()).filter((id) => !before.has(id));
  expect(happened.length).toBeGreaterThanOrEqual(4 * between);
  for (const [index, follower] of all.entries()) {
    await eventually(async () => (await follower.told()).events.length >= happened.length, { timeoutMs: 60_000 });
    const told = await follower.told();
    const { transport, place } = ways[index] ?? {};
    expect([transport, place, ids(told), told.ended]).toEqual([transport, place, happened, []]);
    // Both processes have died, so whichever it was connected to has.
    expect(told.states).toContain('reconnecting');
    await follower.close();
  }
});
