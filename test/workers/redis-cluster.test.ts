// A Redis Cluster instead of a single Redis: what is used together stands in one slot, and callbacks, wake-ups and channels work as they do without it.
import { createRateLimiter } from '../../subgraphs/shared/callers/rate-limit';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { wakeUpPrefix } from '../../workers/wake-up';
import { eventually } from '../support/stores';
import { startCluster, type TestCluster } from './cluster';
import { type Receiver, startReceiver } from './receiver';
import { openWorld, type World } from './world';

let cluster: TestCluster;
let world: World;
let receiver: Receiver;

beforeAll(async () => {
  cluster = await startCluster();
  world = await openWorld(cluster.url);
  receiver = await startReceiver();
  await world.setAddress(receiver.url);
}, 120_000);
afterAll(async () => {
  await world?.close();
  await receiver?.close();
  await cluster?.close();
});

test('callbacks are delivered by wake-ups, without a sweep', async () => {
  world.startOutbox();
  world.startCallbacks({ sweepEveryMs: 600_000 });
  world.startCallbacks({ sweepEveryMs: 600_000 });
  await eventually(async () => {
    await world.happen({});
    return receiver.received.length > 0;
  });
  const many = await world.happen(...Array.from({ length: 40 }, () => ({})));
  const ids = many.map(({ _id }) => _id);
  await eventually(() => ids.every((id) => receiver.received.some(({ eventId }) => eventId === id)));
});

test('the keys of wake-ups are in one slot, whatever the names of installations', async () => {
  const redis = openRedis(cluster.url, 'workers');
  const slotOf = (key: string) => redis.cluster('KEYSLOT', key);
  for (const name of ['payments', 'test-1', '0']) {
    const keys = ['callbacks:wait', 'callbacks:active', 'callbacks:de:ring', 'rung'].map(
      (key) => `${wakeUpPrefix(name)}:${key}`,
    );
    expect(new Set(await Promise.all(keys.map(slotOf))).size).toBe(1);
  }
  redis.disconnect();
});

test('calls are counted wherever their key is', async () => {
  const redis = openRedis(cluster.url, 'requests');
  await eventually(() => redis.status === 'ready');
  const limiter = createRateLimiter({ redis, factor: 1, answerMsMax: 5_000 });
  const take = (key: string) => limiter.take('cluster', key, { perSecond: 0.01, burst: 1 });
  const keys = Array.from({ length: 40 }, (_, index) => `caller-${index}`);
  expect((await Promise.all(keys.map(take))).every(({ allowed }) => allowed)).toBe(true);
  expect((await Promise.all(keys.map(take))).some(({ allowed }) => allowed)).toBe(false);
  expect(await cluster.nodesWithKeys()).toBe(3);
  redis.disconnect();
});
