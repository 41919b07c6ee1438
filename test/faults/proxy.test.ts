// Proof: latency, resets and a cut between the program and MongoDB, then Redis: clients see 503 with Retry-After at worst, nothing is lost, service is whole again soon.
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { eventually, newStoreAddresses } from '../support/stores';
import { createAttempts, printOutcomes } from './attempts';
import { audit, settled } from './audit';
import { expectNone, proof, timeLimitMs } from './proof';
import { openReceiver } from './receivers';
import { openTcpProxy, type TcpProxy } from './tcp-proxy';
import { pointCallbacks } from './tra';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

const healedMsMax = 10_000;

/** The three kinds of trouble one after the other; returns how long each took to be over, at most. */
async function trouble(proxy: TcpProxy, traffic: Traffic, seconds: number): Promise<number> {
  let longestMs = 0;
  const kinds = [
    () => void Object.assign(proxy.faults, { latencyMs: 2_000 }),
    () => void Object.assign(proxy.faults, { resetShare: 0.05 }),
    () => proxy.cut(),
  ];
  for (const begin of kinds) {
    begin();
    await wait(seconds * 1_000);
    proxy.heal();
    const startedMs = performance.now();
    const goal = traffic.count() + 3;
    await eventually(() => traffic.count() >= goal, { timeoutMs: 60_000 });
    longestMs = Math.max(longestMs, Math.round(performance.now() - startedMs));
  }
  return longestMs;
}

const sizes = { smoke: { rounds: 1, seconds: 4, actors: 6 }, full: { rounds: 3, seconds: 30, actors: 8 } };

proof('proxy', sizes, async ({ size, random }) => {
  const stores = await newStoreAddresses();
  const [mongo, redis] = [new URL(stores.mongoUri), new URL(stores.redisUrl)];
  const target = ({ hostname, port }: URL) => ({ host: hostname, port: Number(port) });
  const proxies = {
    mongo: await openTcpProxy(target(mongo), random.branch('mongo')),
    redis: await openTcpProxy(target(redis), random.branch('redis')),
  };
  const env = {
    MONGODB_URI: `mongodb://127.0.0.1:${proxies.mongo.port}/${stores.databaseName}?directConnection=true`,
    REDIS_URL: `redis://127.0.0.1:${proxies.redis.port}${redis.pathname}`,
  };
  const receivers = { alpha: await openReceiver(), beta: await openReceiver() };
  const client = await MongoClient.connect(stores.mongoUri);
  try {
    return await withWorld({ topology: 'embedded', env }, async (world) => {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      const attempts = createAttempts({ patienceMs: 180_000 });
      const traffic = await startTraffic(world, { random, actors: size.actors, attempts });
      const healed = { mongo: 0, redis: 0 };
      for (let round = 0; round < size.rounds; round += 1) {
        healed.mongo = Math.max(healed.mongo, await trouble(proxies.mongo, traffic, size.seconds));
        healed.redis = Math.max(healed.redis, await trouble(proxies.redis, traffic, size.seconds));
      }
      await traffic.stop();
      expectNone(`faults that clients saw (${printOutcomes(attempts.outcomes)})`, attempts.faults);
      await settled(world, client);
      const figures = await audit(client, { lives: traffic.lives, receivers });
      expect(Math.max(healed.mongo, healed.redis)).toBeLessThan(timeLimitMs(healedMsMax));
      return {
        ...figures,
        'served again after ms (MongoDB)': healed.mongo,
        'served again after ms (Redis)': healed.redis,
        'longest answer ms': attempts.longestMs,
        clients: printOutcomes(attempts.outcomes),
      };
    });
  } finally {
    await client.db().dropDatabase();
    await client.close();
    await Promise.all([proxies.mongo.close(), proxies.redis.close(), receivers.alpha.close(), receivers.beta.close()]);
  }
});
