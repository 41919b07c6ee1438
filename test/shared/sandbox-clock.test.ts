// The movable clock among several processes: whoever has moved it may count on the others, however slow the stores are just then.
import { once } from 'node:events';
import { openClock, type SandboxClock } from '../../subgraphs/shared/sandbox-clock';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { openTcpProxy, type TcpProxy } from '../faults/tcp-proxy';
import { eventually, newStoreAddresses, type StoreAddresses } from '../support/stores';

const dayMs = 86_400_000;
/** Longer than a request waits for Redis. */
const slowRedisMs = 800;
/** Longer than the poll of a process that no wake-up has reached. */
const slowMongoMs = 1_600;

interface Process {
  clock: SandboxClock;
  mongo: TcpProxy;
  redis: TcpProxy;
  stop(): Promise<void>;
}

let addresses: StoreAddresses;
let processes: [Process, Process];
beforeEach(async () => {
  addresses = await newStoreAddresses();
  processes = [await openProcess(), await openProcess()];
  await eventually(async () => (await listeners()) === 2);
});
afterEach(() => Promise.all(processes.map((process) => process.stop())));

async function listeners(): Promise<unknown> {
  const redis = openRedis(addresses.redisUrl, 'workers');
  const [, count] = await redis.pubsub('NUMSUB', `clock:${addresses.databaseName}`);
  redis.disconnect();
  return count;
}

/** A process's connections and its clock, each store behind a proxy of its own. */
async function openProcess(): Promise<Process> {
  const [mongoUrl, redisUrl] = [new URL(addresses.mongoUri), new URL(addresses.redisUrl)];
  const mongoProxy = await openTcpProxy({ host: mongoUrl.hostname, port: Number(mongoUrl.port) });
  const redisProxy = await openTcpProxy({ host: redisUrl.hostname, port: Number(redisUrl.port) });
  mongoUrl.port = String(mongoProxy.port);
  mongoUrl.searchParams.delete('replicaSet');
  mongoUrl.searchParams.set('directConnection', 'true');
  redisUrl.port = String(redisProxy.port);
  const mongo = await openMongo(mongoUrl.href, 'test');
  const redis = openRedis(redisUrl.href, 'requests');
  const subscriber = openRedis(redisUrl.href, 'workers');
  // Half of a handshake: what is sent to Redis now must not be lost.
  await once(subscriber, 'connect');
  const clock = await openClock({ connection: mongo.connection, redis, subscriber, isSandbox: true });
  return {
    clock,
    mongo: mongoProxy,
    redis: redisProxy,
    async stop() {
      mongoProxy.heal();
      redisProxy.heal();
      await clock.stop();
      redis.disconnect();
      subscriber.disconnect();
      await mongo.close();
      await Promise.all([mongoProxy.close(), redisProxy.close()]);
    },
  };
}

it.each<[string, (here: Process, there: Process) => void]>([
  ['stores at their usual speed', () => undefined],
  ['the other process waits long for MongoDB', (_, there) => slow(there.mongo, slowMongoMs)],
  ['the other process waits long for Redis', (_, there) => slow(there.redis, slowRedisMs)],
  [
    'Redis stands still for the caller while MongoDB does for the other',
    (here, there) => {
      slow(there.mongo, slowMongoMs);
      slow(here.redis, slowRedisMs);
      setTimeout(() => here.redis.heal(), slowRedisMs);
    },
  ],
  [
    'Redis is away for both',
    (...both) => {
      for (const { redis } of both) cut(redis);
    },
  ],
])('an advance is everywhere when it is answered: %s', async (_, disturb) => {
  const [here, there] = processes;
  disturb(here, there);
  await here.clock.advance(dayMs);
  expect(there.clock.offsetMs()).toBe(dayMs);
});

function slow(proxy: TcpProxy, latencyMs: number): void {
  proxy.begin({ kind: 'latency', directions: ['request', 'reply'], ms: latencyMs / 2, bytes: 0 });
}

function cut(proxy: TcpProxy): void {
  proxy.begin({ kind: 'cut', directions: [], ms: 0, bytes: 0 });
}

test('a process that Redis has lost hears it again when it is back', async () => {
  const [here, there] = processes;
  cut(there.redis);
  await here.clock.advance(dayMs);
  expect(there.clock.offsetMs()).toBe(dayMs);
  there.redis.heal();
  await eventually(async () => (await listeners()) === 2);
  await here.clock.advance(dayMs);
  expect(there.clock.offsetMs()).toBe(2 * dayMs);
});

test('two at once move it by both, and it never goes back', async () => {
  const [here, there] = processes;
  const [first, second] = await Promise.all([here.clock.advance(1_000), there.clock.advance(2_000)]);
  expect([here.clock.offsetMs(), there.clock.offsetMs()]).toEqual([3_000, 3_000]);
  expect(here.clock.now().getTime()).toBeGreaterThanOrEqual(Math.max(first.getTime(), second.getTime()));
});
