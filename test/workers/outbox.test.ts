// Positions in commit order: contiguous, once each, never stepping over an event that commits late, with one leader or two, with Redis or without
// (docs/sandbox.md, section 9).
import { newId } from '../../subgraphs/shared/ids';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { type EventRecord, placeless } from '../../subgraphs/shared/store/unit-of-work';
import { eventsChannel } from '../../workers';
import { eventually, newStoreAddresses } from '../support/stores';
import { startReceiver } from './receiver';
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
const positioned = async (count: number) =>
  eventually(async () => (await events().countDocuments({ position: { $ne: null } })) >= count);
/** Of the one merchant's slot. */
const positions = async () =>
  (await events().find({ merchantId: 'merchant-alpha-1' }).sort({ position: 1 }).toArray()).map(
    ({ position }) => position,
  );
const upTo = (count: number) => Array.from({ length: count }, (_value, index) => index + 1);

test('two workers at once give contiguous positions, and each callback once', async () => {
  await world.setAddress('http://127.0.0.1:9');
  const before = await events().countDocuments();
  world.startOutbox();
  world.startOutbox();
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => world.happen({})));
    // The leader is gone in the middle of it: the other one takes over where it was.
    if (round === 2)
      await world.stores.connection
        .collection('leases')
        .updateOne({ _id: 'outbox:1:0' as never }, { $set: { until: new Date(0), owner: '' } });
  }
  await positioned(300 + before);
  expect(await positions()).toEqual(upTo(300));
  const callbacks = await world.callbacks();
  expect(callbacks).toHaveLength(300);
  expect(new Set(callbacks.map(({ eventId }) => eventId)).size).toBe(300);
  const byEvent = new Map((await events().find().toArray()).map(({ _id, position }) => [_id, position]));
  // Callbacks are ordered as their events are.
  expect(callbacks.map(({ eventId }) => byEvent.get(eventId))).toEqual(
    callbacks.map(({ eventId }) => byEvent.get(eventId)).sort((one, other) => Number(one) - Number(other)),
  );
  expect(new Set(callbacks.map(({ position }) => position)).size).toBe(300);
});

test('an event that commits late gets its place when it commits: no reader steps over it', async () => {
  // MongoDB ends a transaction that is open for long: the worker is at work before it begins.
  world.startOutbox();
  await world.happen({});
  await positioned(1);
  const [late, early] = [virtualAccountEvent({}), virtualAccountEvent({})];
  const owner = { merchantId: String(early.merchantId) };
  const session = await world.stores.connection.getClient().startSession();
  session.startTransaction();
  await events().insertOne(placeless(late) as never, { session });
  await world.inTransaction({ events: [early] });
  await positioned(2);
  const seen = await world.notifications.eventLog.readEvents({ owner, afterPosition: 1, limit: 10 });
  expect(seen.map(({ _id }) => _id)).toEqual([early._id]);
  await session.commitTransaction();
  await session.endSession();
  const cursor = seen.at(-1)?.position ?? 0;
  const next = await eventually(
    async () => (await world.notifications.eventLog.readEvents({ owner, afterPosition: cursor, limit: 10 }))[0],
  );
  expect(next).toMatchObject({ _id: late._id, position: cursor + 1 });
});

test('transactions that commit in another order than they wrote are numbered as they committed', async () => {
  world.startOutbox();
  await world.happen({});
  await positioned(1);
  const [first, second] = [virtualAccountEvent({}), virtualAccountEvent({})];
  const client = world.stores.connection.getClient();
  const [one, two] = [await client.startSession(), await client.startSession()];
  one.startTransaction();
  two.startTransaction();
  await events().insertOne(placeless(first) as never, { session: one });
  await events().insertOne(placeless(second) as never, { session: two });
  await two.commitTransaction();
  await one.commitTransaction();
  await Promise.all([one.endSession(), two.endSession()]);
  await positioned(3);
  const order = (
    await events()
      .find({ position: { $gt: 1 } })
      .sort({ position: 1 })
      .toArray()
  ).map(({ _id }) => _id);
  expect(order).toEqual([second._id, first._id]);
});

test('what was written while no worker ran is found when one starts, in the order of each aggregate', async () => {
  const aggregateId = newId();
  for (let index = 0; index < 5; index += 1) await world.happen({ aggregateId }, {});
  world.startOutbox();
  await positioned(10);
  const sequences = (await events().find({ aggregateId }).sort({ position: 1 }).toArray()).map(
    ({ sequence }) => sequence,
  );
  expect(sequences).toEqual([1, 2, 3, 4, 5]);
});

test('without Redis everything is positioned and delivered all the same', async () => {
  const absent = openRedis('redis://127.0.0.1:1/0', 'requests');
  const receiver = await startReceiver();
  await world.setAddress(receiver.url);
  world.startOutbox({ redis: absent });
  world.startCallbacks({ redis: absent });
  const [event] = await world.happen({});
  await eventually(() => receiver.received.find(({ eventId }) => eventId === event?._id));
  absent.disconnect();
  await receiver.close();
});

test('what was published is announced', async () => {
  const listener = openRedis(world.stores.redisUrl, 'workers');
  const heard: number[] = [];
  listener.on('message', (_channel, message) => heard.push(Number(message)));
  await listener.subscribe(eventsChannel);
  world.startOutbox();
  await world.happen({}, {}, {});
  await positioned(3);
  const segments = await world.stores.connection.collection('event_segments').countDocuments();
  await eventually(() => heard.includes(segments));
  listener.disconnect();
});

test('an event that its builder cannot read holds up nothing, and is kept as an ended callback', async () => {
  await world.setAddress('http://127.0.0.1:9');
  world.startOutbox();
  const [broken, sound] = await world.happen({ data: { providerId: undefined } }, {});
  await eventually(async () => (await world.callbacks()).length === 2);
  const byEvent = new Map((await world.callbacks()).map((callback) => [callback.eventId, callback]));
  expect(byEvent.get(String(broken?._id))).toMatchObject({ status: 'ENDED', reason: 'notBuildable', open: false });
  expect(byEvent.get(String(sound?._id))).toMatchObject({ status: 'PENDING', open: true });
});

test('a leader that was replaced gives no positions any more, and nobody does in a lane that is closed', async () => {
  const { events: log } = world.notifications.stores;
  await world.happen({}, {}, {});
  const [lane] = await log.lanes.lanes();
  const [first, second, third] = await log.unpositioned(10);
  if (!lane || !first || !second || !third) throw new Error('three events were written');
  const assign = (events: EventRecord[], fence: number) => log.assignPositions({ lane, events, callbacks: [], fence });
  expect(await assign([first], 7)).toEqual({ segment: 1 });
  expect(await assign([second], 6)).toBe('fenced');
  expect(await assign([first, second], 7)).toBe('taken');
  expect(await assign([second], 8)).toEqual({ segment: 2 });
  await log.prepare(2);
  expect(await assign([third], 9)).toBe('fenced');
  expect(await log.tailPosition(slotOf(first))).toBe(2);
});
