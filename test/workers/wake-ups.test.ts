// Wake-ups: none is lost, an emptied Redis loses nothing, and what a replaced worker still says is dropped.
import type { Redis } from 'ioredis';
import { newId } from '../../subgraphs/shared/ids';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { createWakeUps, type Running, type WakeUps } from '../../workers';
import type { Visits } from '../../workers/visits';
import { receiveWakeUps, wakeUpPrefix } from '../../workers/wake-up';
import { failedAttempt } from '../support/attempt-outcome';
import { eventually, newStoreAddresses } from '../support/stores';
import { type Receiver, startReceiver } from './receiver';
import { openWorld, type World } from './world';

let redisUrl: string;
let world: World;
let receiver: Receiver;
beforeAll(async () => {
  ({ redisUrl } = await newStoreAddresses());
});
beforeEach(async () => {
  world = await openWorld(redisUrl);
  receiver = await startReceiver();
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});

const delivered = (count: number) =>
  eventually(async () => {
    const callbacks = await world.callbacks();
    return callbacks.length === count && callbacks.every(({ status }) => status === 'DELIVERED');
  });

describe('wake-ups', () => {
  let name: string;
  let wakeUps: WakeUps;
  let redises: Redis[];
  let receivers: Running[];

  beforeEach(async () => {
    name = `wake-ups-${newId()}`;
    redises = [];
    receivers = [];
    const producer = openOne('requests');
    await eventually(() => producer.status === 'ready');
    wakeUps = createWakeUps(producer, name);
  });
  afterEach(async () => {
    for (const { heard } of processes.splice(0)) heard.room = 1_000;
    await Promise.all(receivers.map((one) => one.stop()));
    await wakeUps.close();
    for (const redis of redises) redis.disconnect();
  });

  function openOne(use: 'requests' | 'workers'): Redis {
    const redis = openRedis(redisUrl, use);
    redises.push(redis);
    return redis;
  }

  /** A process that receives wake-ups and has places for so many endpoints. */
  const processes: { heard: Heard }[] = [];
  interface Heard {
    ids: string[];
    room: number;
    calls: number;
  }
  function listen(room: number): Heard {
    const heard: Heard = { ids: [], room, calls: 0 };
    const visits: Visits = {
      call: (ids) => {
        heard.ids.push(...ids);
        heard.calls += 1;
        heard.room -= ids.length;
      },
      has: () => false,
      get free() {
        return Math.max(0, heard.room);
      },
      untilFree: async () => void (await eventually(() => heard.room > 0)),
      end: async () => [],
    };
    processes.push({ heard });
    receivers.push(receiveWakeUps(openOne('workers'), { wakeUps, visits, log: world.log, databaseName: name }));
    return heard;
  }

  test('wake-ups while nobody receives them are one, and each endpoint is called once', async () => {
    for (let index = 0; index < 5; index += 1) expect(await wakeUps.send(['a', `b${index}`])).toBe(true);
    const heard = listen(1_000);
    await eventually(() => heard.ids.length === 6);
    expect([...heard.ids].sort()).toEqual(['a', 'b0', 'b1', 'b2', 'b3', 'b4']);
    expect(heard.calls).toBe(1);
  });

  test('a wake-up that comes while the one before is answered is received, however close they are', async () => {
    const heard = listen(1_000_000);
    for (let look = 1; look <= 200; look += 1) {
      await wakeUps.send([`e${look}`]);
      if (look % 3 === 0) await eventually(() => heard.ids.length === look, { everyMs: 1 });
    }
    await eventually(() => heard.ids.length === 200);
    expect(new Set(heard.ids).size).toBe(200);
  });

  test('a process without a place leaves the rest to others, and receives again when it has one', async () => {
    const full = listen(2);
    await wakeUps.send(['a', 'b', 'c', 'd', 'e']);
    await eventually(() => full.ids.length === 2);
    const other = listen(1);
    await eventually(() => other.ids.length === 1);
    await wakeUps.send(['f']);
    full.room = 10;
    await eventually(() => full.ids.length === 5);
    expect([...full.ids, ...other.ids].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('thousands of endpoints are taken a page at a time, so that several processes share them', async () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => `e${index}`);
    await wakeUps.send(ids);
    const [one, other] = [listen(1_000), listen(1_000)];
    await eventually(() => one.ids.length + other.ids.length === 2_000);
    expect(new Set([...one.ids, ...other.ids]).size).toBe(2_000);
    expect(Math.min(one.ids.length, other.ids.length)).toBeGreaterThan(0);
  });

  test('without Redis a wake-up is refused at once', async () => {
    redises[0]?.disconnect();
    await eventually(() => redises[0]?.status === 'end');
    expect(await wakeUps.send(['a'])).toBe(false);
  });
});

test('somebody who comes while an endpoint is served makes its holder look again', async () => {
  const { leases } = world.notifications.stores;
  const endpointId = await world.setAddress(receiver.url);
  const held = await leases.acquire(endpointId, newId(), 5_000);
  if (!held) throw new Error('the lease is free');
  expect(await leases.acquire(endpointId, newId(), 5_000)).toBeNull();
  expect(await leases.release(held, 0)).toBe(1);
  expect(await leases.release(held, 1)).toBeNull();
  const next = await leases.acquire(endpointId, newId(), 5_000);
  expect(next).toMatchObject({ fence: held.fence + 1, isInherited: false });
});

test.each([
  ['its address changed', () => world.setAddress(`${receiver.url}/other`)],
  ['somebody else holds it', (endpointId: string, fence: number) => inherit(endpointId, fence)],
])('nothing is claimed at an endpoint when %s since it was acquired', async (_name, change) => {
  const { leases } = world.notifications.stores;
  const endpointId = await world.setAddress(receiver.url);
  const held = await leases.acquire(endpointId, newId(), 60_000);
  if (!held) throw new Error('the lease is free');
  const claim = (callbackId: string) => leases.claim(held, [{ at: new Date(), callbackIds: [callbackId] }]);
  expect(await claim('one')).toBe(true);
  await change(endpointId, held.fence);
  expect(await claim('two')).toBe(false);
  expect((await leases.claimsOf(world.staff)).flatMap(({ callbackIds }) => callbackIds)).toEqual(['one']);
});

/** Lets the lease run out and takes it, as the worker that finds a dead one's endpoint. */
async function inherit(endpointId: string, fence: number): Promise<void> {
  const { leases } = world.notifications.stores;
  await leases.renew(endpointId, fence, 0);
  const next = await eventually(() => leases.acquire(endpointId, newId(), 60_000));
  expect(next.inheritedClaims.flatMap(({ callbackIds }) => callbackIds)).toEqual(['one']);
}

test('with wake-ups alone, no sweep, every one of many events that arrive as the former is finished gets through', async () => {
  await world.setAddress(receiver.url);
  world.startOutbox();
  world.startCallbacks({ sweepEveryMs: 600_000 });
  world.startCallbacks({ sweepEveryMs: 600_000 });
  let left = 150;
  const feed = () => {
    left -= 1;
    if (left > 0) void world.happen({});
  };
  receiver.answer((_request, response) => {
    response.writeHead(204).end();
    setImmediate(feed);
  });
  await eventually(async () => {
    await world.happen({});
    return receiver.received.length > 0;
  });
  // A machine that stood still may cost one wake-up, which the sweep would cover; what is lost between two events is lost again and again.
  let [wakeUpsLost, seen, sinceMs] = [0, 0, performance.now()];
  const untilFed = async () => {
    if (left <= 0) return true;
    if (receiver.received.length > seen) [seen, sinceMs] = [receiver.received.length, performance.now()];
    if (performance.now() - sinceMs > 10_000) {
      [wakeUpsLost, sinceMs] = [wakeUpsLost + 1, performance.now()];
      await world.happen({});
    }
    throw new Error(`${left} events have not come`);
  };
  await eventually(untilFed, { timeoutMs: 180_000 });
  expect(wakeUpsLost).toBeLessThanOrEqual(1);
  await eventually(async () => (await world.callbacks()).every(({ status }) => status === 'DELIVERED'));
});

/** All that the workers keep there; other tests share the server. */
async function emptyRedis(): Promise<void> {
  const keys = await world.stores.redis.keys(`${wakeUpPrefix(world.notifications.stores.databaseName)}:*`);
  if (keys.length > 0) await world.stores.redis.del(...keys);
}

test('Redis emptied five times in the middle of it loses nothing and doubles nothing', async () => {
  await world.setAddress(receiver.url);
  world.startOutbox();
  world.startCallbacks();
  world.startCallbacks();
  for (let round = 0; round < 5; round += 1) {
    const feeding = Promise.all(Array.from({ length: 60 }, () => world.happen({})));
    await emptyRedis();
    await feeding;
    await emptyRedis();
  }
  await delivered(300);
  const ids = receiver.received.map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(300);
  expect(ids).toHaveLength(300);
});

test('attempts of a worker that vanished are made again, and what it says later is dropped', async () => {
  const { leases, deliveries } = world.notifications.stores;
  const endpointId = await world.setAddress(receiver.url);
  world.startOutbox();
  await world.happen({}, {});
  const [one, two] = await eventually(async () => ((await world.callbacks()).length === 2 ? world.callbacks() : null));
  if (!one || !two) throw new Error('two callbacks were made');

  const stale = await leases.acquire(endpointId, newId(), 50);
  if (!stale) throw new Error('the lease is free');
  const at = world.clock.now();
  const claims = [{ at, callbackIds: [one.callbackId, two.callbackId] }];
  expect(await leases.claim(stale, claims)).toBe(true);
  expect(await leases.renew(endpointId, stale.fence, 1)).toBe(true);

  world.startCallbacks();
  await delivered(2);
  const recorded = await world.callbacks();
  expect(recorded.map(({ attempts }) => attempts.map(({ number, result }) => [number, result]))).toEqual([
    [
      [1, 'interrupted'],
      [2, 'delivered'],
    ],
    [
      [1, 'interrupted'],
      [2, 'delivered'],
    ],
  ]);
  expect(recorded.every(({ tries }) => tries === 1)).toBe(true);

  await deliveries.record([failedAttempt(one, at)], stale.fence);
  expect(await leases.renew(endpointId, stale.fence, 5_000)).toBe(false);
  expect(await leases.claim(stale, claims)).toBe(false);
  expect((await world.callbacks())[0]).toMatchObject({ status: 'DELIVERED', tries: 1 });
});

test('a worker that stops under load gives back what it has not sent; nothing is lost or doubled', async () => {
  await world.setAddress(receiver.url);
  receiver.answer((_request, response) => void setTimeout(() => response.writeHead(204).end(), 15));
  world.startOutbox();
  const first = world.startCallbacks({ perEndpoint: 4 });
  await Promise.all(Array.from({ length: 120 }, () => world.happen({})));
  await eventually(() => receiver.received.length > 10);
  await first.stop();
  expect(await world.notifications.stores.leases.claimsOf(world.staff)).toEqual([]);
  world.startCallbacks();
  await delivered(120);
  expect(receiver.received).toHaveLength(120);
});
