// Position order is sequence order within every aggregate, whatever order the events come in: what comes early waits for what goes before it, and what goes before is fetched.
import { newId } from '../../subgraphs/shared/ids';
import { type EventRecord, type NewEvent, placeless } from '../../subgraphs/shared/store/unit-of-work';
import { eventually, newStoreAddresses } from '../support/stores';
import { type Receiver, startReceiver } from './receiver';
import { openWorld, virtualAccountEvent, type World } from './world';

let redisUrl: string;
let world: World;
beforeAll(async () => {
  ({ redisUrl } = await newStoreAddresses());
});
beforeEach(async () => {
  world = await openWorld(redisUrl);
});
afterEach(() => world.close());

const events = () => world.stores.connection.collection<EventRecord>('events');
const placesOf = async (aggregateId: string) =>
  (
    await events()
      .find({ aggregateId, position: { $ne: null } })
      .sort({ position: 1 })
      .toArray()
  ).map(({ sequence }) => sequence);
const lifeOf = (aggregateId: string, sequences: readonly number[]) =>
  sequences.map((sequence) => virtualAccountEvent({ aggregateId, sequence }));

/** A leader whose stream tells what the test says and nothing else: what a real one leaves out or brings late is a matter of moments. */
async function leadByHand(): Promise<(...told: NewEvent[]) => void> {
  let onInsert: ((event: EventRecord) => void) | null = null;
  world.startOutbox({
    events: {
      ...world.notifications.stores.events,
      watch: async (_lane, listener) => {
        onInsert = listener.onInsert;
        return { close: async () => undefined };
      },
    },
  });
  const tell = await eventually(() => onInsert);
  return (...told) => {
    for (const event of told) tell(placeless(event));
  };
}

test.each([
  ['the stream never brought the first', [2]],
  ['the stream brought the last alone', [3]],
  ['the first is not told of, the others are turned round', [3, 2]],
  ['all are told of, in the wrong order', [3, 1, 2]],
  ['all are told of twice', [2, 1, 3, 3, 2, 1]],
])('%s: each has its place behind the one before', async (_case, told) => {
  const aggregateId = newId();
  const tell = await leadByHand();
  const life = lifeOf(aggregateId, [1, 2, 3]);
  for (const event of life) await world.inTransaction({ events: [event] });
  tell(...told.flatMap((sequence) => life[sequence - 1] ?? []));
  expect(
    await eventually(async () => ((await placesOf(aggregateId)).length === 3 ? placesOf(aggregateId) : null)),
  ).toEqual([1, 2, 3]);
});

test('many lives whose events come in any order are each in order, without a gap in the positions', async () => {
  const tell = await leadByHand();
  const lives = Array.from({ length: 60 }, () => lifeOf(newId(), [1, 2, 3, 4]));
  await world.stores.connection.collection('events').insertMany(lives.flat().map(placeless) as never);
  const shuffled = lives.flat().sort((one, other) => one._id.localeCompare(other._id));
  for (const event of shuffled) if (event._id < 'c') tell(event);
  await eventually(async () => (await events().countDocuments({ position: null })) === 0);
  for (const life of lives) expect(await placesOf(life[0]?.aggregateId ?? '')).toEqual([1, 2, 3, 4]);
  const positions = (await events().find().sort({ position: 1 }).toArray()).map(({ position }) => position);
  expect(positions).toEqual(positions.map((_position, index) => index + 1));
});

test('an event whose predecessor is nowhere waits for it, is said, and holds up nobody else', async () => {
  const outbox = world.startOutbox();
  const aggregateId = newId();
  const [first, second, third] = lifeOf(aggregateId, [1, 2, 3]);
  if (!first || !second || !third) throw new Error('three events');
  await world.stores.connection.collection('events').insertMany([second, third].map(placeless) as never);
  const said = await eventually(() => world.said.find(({ message }) => /predecessor/.test(message)));
  expect(said.fields).toMatchObject({ eventId: second._id, operation: 'outbox' });
  expect(world.held()).toBe(1);
  // Whoever leads next says it; this process holds nothing any more.
  await outbox.stop();
  expect(world.held()).toBe(0);
  world.startOutbox();
  await eventually(() => world.held() === 1);
  const [other] = await world.happen({});
  await eventually(async () => (await placesOf(other?.aggregateId ?? '')).length === 1);
  expect(await placesOf(aggregateId)).toEqual([]);
  await world.stores.connection.collection('events').insertOne(placeless(first) as never);
  await eventually(async () => (await placesOf(aggregateId)).length === 3);
  expect(await placesOf(aggregateId)).toEqual([1, 2, 3]);
  await eventually(() => world.held() === 0);
});

test('more events without a predecessor than a page holds do not hide the others', async () => {
  const orphans = Array.from({ length: 600 }, () => virtualAccountEvent({ sequence: 2 }));
  await world.stores.connection.collection('events').insertMany(orphans.map(placeless) as never);
  const [waiting] = await world.happen({});
  world.startOutbox();
  await eventually(async () => (await placesOf(waiting?.aggregateId ?? '')).length === 1);
  expect(await events().countDocuments({ position: { $ne: null } })).toBe(1);
});

test('the log itself gives no event a place before its predecessor has one', async () => {
  const { events: log } = world.notifications.stores;
  const aggregateId = newId();
  const life = lifeOf(aggregateId, [1, 2, 3]).map(placeless);
  await world.stores.connection.collection('events').insertMany(life as never);
  const [first, second, third] = life;
  if (!first || !second || !third) throw new Error('three events');
  const [lane] = await log.lanes.lanes();
  if (!lane) throw new Error('one lane');
  const assign = (batch: EventRecord[]) => log.assignPositions({ lane, events: batch, callbacks: [], fence: 1 });
  const refused = { early: [aggregateId], ready: [first, second, third], missing: [] };
  expect(await assign([second])).toEqual(refused);
  expect(await assign([third])).toEqual(refused);
  expect(await assign([first, third])).toEqual(refused);
  expect(await assign([second, first])).toEqual(refused);
  expect(await placesOf(aggregateId)).toEqual([]);
  expect(await assign([first])).toEqual({ segment: 1 });
  expect(await assign([third])).toEqual({ early: [aggregateId], ready: [second, third], missing: [] });
  expect(await assign([second, third])).toEqual({ segment: 2 });
  const [orphan] = lifeOf(newId(), [2]).map(placeless);
  if (!orphan) throw new Error('one event');
  await world.stores.connection.collection('events').insertOne(orphan as never);
  expect(await assign([orphan])).toEqual({ early: [orphan.aggregateId], ready: [], missing: [orphan.aggregateId] });
});

describe('where the clocks of hosts differ', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    await world.setAddress(receiver.url);
  });
  afterEach(() => receiver.close());

  /** An event of a life by a leader whose clock is ahead, and the next one by another. */
  async function publishByTwo(aheadMs: number) {
    const aggregateId = newId();
    const now = Date.now.bind(Date);
    const publish = async (count: number) => {
      const outbox = world.startOutbox();
      const [event] = await world.happen({ aggregateId });
      await eventually(async () => (await world.callbacks()).length === count);
      await outbox.stop();
      return event?._id;
    };
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    const first = await publish(1).finally(() => ahead.mockRestore());
    return [first, await publish(2)];
  }

  test('first attempts go out in the order of the log, whoever leads', async () => {
    const ids = await publishByTwo(3_000);
    const dueTimes = (await world.callbacks()).map(({ dueAt }) => dueAt.getTime());
    expect(dueTimes).toEqual(dueTimes.toSorted((one, other) => one - other));
    world.startCallbacks();
    await eventually(() => receiver.received.length === 2);
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual(ids);
  });

  test('nobody waits for a clock that is far off', async () => {
    const [, second] = await publishByTwo(3_600_000);
    world.startCallbacks();
    const call = await eventually(() => receiver.received[0]);
    expect(call.eventId).toBe(second);
  });

  test('a host that is a little behind sends what it was woken for', async () => {
    world.startOutbox();
    const behind = { ...world.clock, now: () => new Date(Date.now() - 100) };
    world.startCallbacks({ clock: behind, sweepEveryMs: 600_000 });
    // The sweep at the start finds nothing; only wake-ups tell of these.
    for (let count = 1; count <= 5; count += 1) {
      await world.happen({});
      await eventually(() => receiver.received.length === count, { timeoutMs: 20_000 });
    }
  });
});
