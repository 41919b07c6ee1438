// A loop that stands still is abandoned and begun anew, unless the database is what it waits for; and what a dead or abandoned leader left open is ended.

import { createEventTail } from '../../gateway/subscriptions/event-tail';
import { createWatchdog, type Turn } from '../../subgraphs/shared/log/watchdog';
import { startFeedWorker, startJanitor } from '../../workers';
import { createLease } from '../../workers/lease';
import { eventually, newStoreAddresses, openStores } from '../support/stores';
import { startReceiver } from './receiver';
import { openWorld, type World } from './world';

const never = () => new Promise<never>(() => undefined);

function watched(answers: () => Promise<boolean>) {
  const said: object[] = [];
  const counted: object[] = [];
  const watch = createWatchdog({
    loop: 'outbox',
    stillMsMax: 300,
    answers,
    log: { error: (fields: object) => said.push(fields) } as never,
    metrics: { watchdogRestarts: { inc: (labels: object) => counted.push(labels) } } as never,
  });
  return { watch, said, counted };
}

test('a turn that does not move is abandoned, said once and counted; what it does later is heard by nobody', async () => {
  const { watch, said, counted } = watched(async () => true);
  let turn: Turn | undefined;
  let fail: (error: Error) => void = () => undefined;
  await watch((own) => {
    turn = own;
    return new Promise((_resolve, reject) => {
      fail = reject;
    });
  }, new AbortController().signal);
  expect(turn?.signal.aborted).toBe(true);
  expect(said).toEqual([{ operation: 'outbox' }]);
  expect(counted).toEqual([{ loop: 'outbox' }]);
  fail(new Error('too late'));
});

test('a turn settles as its work does, and hears when whoever began it stops', async () => {
  const { watch, counted } = watched(async () => true);
  const stopping = new AbortController();
  await watch(async () => undefined, stopping.signal);
  await expect(watch(() => Promise.reject(new Error('of the work')), stopping.signal)).rejects.toThrow('of the work');
  const stopped = watch(
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    stopping.signal,
  );
  stopping.abort();
  await stopped;
  expect(counted).toEqual([]);
});

test('while the database does not answer nothing is abandoned; when it answers again, what still stands is', async () => {
  let isThere = false;
  let asked = 0;
  const { watch, counted } = watched(async () => {
    asked += 1;
    return isThere;
  });
  const over = watch(never, new AbortController().signal);
  await eventually(() => asked >= 3);
  expect(counted).toEqual([]);
  isThere = true;
  await over;
  expect(counted).toHaveLength(1);
});

test('a turn that moves is left alone for as long as it takes', async () => {
  const { watch, counted } = watched(async () => true);
  await watch(async ({ moved }) => {
    for (let step = 0; step < 12; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      moved();
    }
  }, new AbortController().signal);
  expect(counted).toEqual([]);
});

test('a new reign has another number, ends what the former one left open, and the former can renew nothing', async () => {
  const stores = await openStores();
  const { connection } = stores;
  const things = connection.collection<{ _id: string; by: string }>('things');
  await things.insertOne({ _id: 'one', by: 'nobody' });
  const [died, next] = [createLease(connection, 'test', 60_000), createLease(connection, 'test', 60_000)];
  const former = await died.take();
  if (!former) throw new Error('the lease was free');
  former.session.startTransaction();
  await things.updateOne({ _id: 'one' }, { $set: { by: 'former' } }, { session: former.session });
  expect(await next.take()).toBeNull();
  await connection.collection('leases').updateOne({ _id: 'test' as never }, { $set: { until: new Date(0) } });
  const reign = await next.take();
  expect(reign?.fence).toBe(former.fence + 1);
  // MongoDB would keep it from everybody for a minute or more.
  await things.updateOne({ _id: 'one' }, { $set: { by: 'next' } }, { maxTimeMS: 5_000 });
  expect(await died.renew(former.fence)).toBe(false);
  await expect(former.session.commitTransaction()).rejects.toThrow();
  expect(await next.renew(reign?.fence ?? 0)).toBe(true);
  const own = await next.take();
  expect(own?.fence).toBe(former.fence + 2);
  expect(await next.renew(former.fence + 1)).toBe(false);
  await stores.close();
});

describe('the outbox', () => {
  let world: World;
  beforeEach(async () => {
    const { redisUrl } = await newStoreAddresses();
    world = await openWorld(redisUrl);
  });
  afterEach(() => world.close());

  /** Each of these waits in the loop never ends, once. */
  test.each(['watch', 'unpositioned', 'assignPositions', 'stillUnpositioned'] as const)(
    'gives places again after a call to %s that never ends',
    async (name) => {
      const { events } = world.notifications.stores;
      let calls = 0;
      const stuck = (...given: never[]) => {
        calls += 1;
        return calls === 1 ? never() : (events[name] as (...all: never[]) => Promise<never>)(...given);
      };
      // Positions that somebody else gives lead the loop to stillUnpositioned.
      let isTaken = name === 'stillUnpositioned';
      const taking = async (batch: Parameters<typeof events.assignPositions>[0]) => {
        const outcome = isTaken ? 'taken' : await events.assignPositions(batch);
        isTaken = false;
        return outcome;
      };
      world.startOutbox({ events: { ...events, assignPositions: taking, [name]: stuck } });
      await world.happen({}, {});
      await eventually(async () => (await events.unpositioned(10)).length === 0);
      expect(calls).toBeGreaterThan(0);
      expect(world.restarts()).toEqual([{ loop: 'outbox' }]);
    },
  );
});

/** The function, but for its first call, which never ends. */
function stuckOnce<Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) {
  let calls = 0;
  const count = () => calls;
  const stuck = (...given: Given): Promise<Answer> => {
    calls += 1;
    return calls === 1 ? never() : call(...given);
  };
  return { stuck, count };
}

describe('what follows the log', () => {
  let world: World;
  const restarts: object[] = [];
  const metrics = { watchdogRestarts: { inc: (labels: object) => restarts.push(labels) } } as never;
  beforeEach(async () => {
    const { redisUrl } = await newStoreAddresses();
    world = await openWorld(redisUrl);
    restarts.length = 0;
  });
  afterEach(() => world.close());
  const means = () => ({ clock: world.clock, connection: world.stores.connection, log: world.log, metrics });

  test('books again after a batch that never ends', async () => {
    const { stuck, count } = stuckOnce(async () => ({ events: 0, isFull: false, position: 0 }));
    const feeds = async () => [{ layout: 1, lane: 0 }];
    const journal = startFeedWorker({ ...means(), kind: 'journal', feeds, feedNext: stuck });
    await eventually(() => count() > 1);
    await journal.stop();
    expect(restarts).toEqual([{ loop: 'journal' }]);
  });

  test('does a task of the janitor again that never ended', async () => {
    const { stuck, count } = stuckOnce(async () => undefined);
    const janitor = startJanitor({
      ...means(),
      stillMsMax: 500,
      lease: 'test',
      tasks: [{ name: 'sweep', everyMs: 0, run: stuck }],
    });
    await eventually(() => count() > 1);
    await janitor.stop();
    expect(restarts).toEqual([{ loop: 'test: sweep' }]);
  });

  test('tells subscribers again after a look at the log that never ends', async () => {
    const { eventLog } = world.notifications;
    const { stuck } = stuckOnce(eventLog.readOn);
    const told: string[] = [];
    const tail = createEventTail({
      log: world.log,
      metrics,
      wakeUps: () => () => undefined,
      events: { ...eventLog, readOn: stuck },
      onEvents: (events) => told.push(...events.map(({ _id }) => _id)),
    });
    await tail.hold();
    world.startOutbox();
    const [event] = await world.happen({});
    await eventually(() => told.length > 0);
    await tail.stop();
    expect(told).toEqual([event?._id]);
    expect(restarts).toEqual([{ loop: 'event tail' }]);
  });

  test('lets subscribers follow after a look for the end of the log that never ends', async () => {
    const { eventLog } = world.notifications;
    const { stuck } = stuckOnce(eventLog.end);
    const told: string[] = [];
    const tail = createEventTail({
      log: world.log,
      metrics,
      wakeUps: () => () => undefined,
      events: { ...eventLog, end: stuck },
      onEvents: (events) => told.push(...events.map(({ _id }) => _id)),
    });
    let isHeld = false;
    void tail.hold().then(() => {
      isHeld = true;
    });
    await eventually(() => isHeld);
    world.startOutbox();
    const [event] = await world.happen({});
    await eventually(() => told.length > 0);
    await tail.stop();
    expect(told).toEqual([event?._id]);
    expect(restarts).toEqual([{ loop: 'event tail' }]);
  });

  test('ends although a look for the end of the log never does', async () => {
    const tail = createEventTail({
      log: world.log,
      metrics,
      wakeUps: () => () => undefined,
      events: { ...world.notifications.eventLog, end: never },
      onEvents: () => undefined,
    });
    const held = tail.hold();
    await tail.stop();
    await held;
  });

  test('opens endpoints again whose opening never ended', async () => {
    const receiver = await startReceiver();
    await world.setAddress(receiver.url);
    const { deliveries } = world.notifications.stores;
    const { stuck } = stuckOnce(deliveries.firstDue);
    world.startOutbox();
    world.startCallbacks({ drainStillMsMax: 500, deliveries: { ...deliveries, firstDue: stuck } });
    const [event] = await world.happen({});
    await eventually(() => receiver.received.find(({ eventId }) => eventId === event?._id), { timeoutMs: 40_000 });
    expect(receiver.received).toHaveLength(1);
    expect(world.restarts()).toContainEqual({ loop: 'callback drain' });
    await receiver.close();
  });
});
