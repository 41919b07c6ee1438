// Proof: random faults of the network between the program and MongoDB or Redis, in each direction by itself: clients see 503 with Retry-After at worst,
// nothing is lost, the log never stands still while MongoDB answers, and service is whole again soon.
import { setTimeout as wait } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { eventually, newStoreAddresses } from '../support/stores';
import { createAttempts, printOutcomes } from './attempts';
import { audit, settled } from './audit';
import { pointCallbacks } from './callback-targets';
import { untilPlaced } from './places';
import { expectNone, proof, timeLimitMs, whileTimeLasts } from './proof';
import type { Random } from './random';
import { openReceiver } from './receivers';
import { type Direction, type Fault, type FaultKind, openTcpProxy, type TcpProxy } from './tcp-proxy';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

const healedMsMax = 10_000;
/** Of a peer that vanished nothing tells but the limit of 15 s that a call to MongoDB has. */
const halfOpenMsMax = 20_000;

type Store = 'mongo' | 'redis';
interface Round {
  store: Store;
  fault: Fault;
  lastsMs: number;
}

const kinds: readonly FaultKind[] = ['latency', 'trickle', 'silence', 'vanish', 'reset', 'cut'];
const directions: readonly Direction[][] = [['request'], ['reply'], ['request', 'reply']];

/** Every kind comes as often as the others, in an order of its own each time. */
function planRounds(random: Random, rounds: number): Round[] {
  const decks = Array.from({ length: Math.ceil(rounds / kinds.length) }, () => random.shuffled(kinds)).flat();
  return decks.slice(0, rounds).map((kind) => ({
    store: random.next() < 0.7 ? 'mongo' : 'redis',
    fault: {
      kind,
      directions: random.pick(directions),
      ms: random.between(50, 2_000),
      bytes: random.between(1, 4_096),
    },
    lastsMs: random.between(300, 3_000),
  }));
}

function printRound({ store, fault, lastsMs }: Round, number: number): string {
  const { kind, ms, bytes } = fault;
  return `after round ${number}: ${kind} of ${fault.directions.join(' and ')} at ${store} (${ms} ms, ${bytes} bytes) for ${lastsMs} ms`;
}

interface Scene {
  proxies: Record<Store, TcpProxy>;
  traffic: Traffic;
  database: Db;
}

/** One fault from beginning to end; returns how long it took until the program served again, and until what waited had its place. */
async function suffer({ proxies, traffic, database }: Scene, round: Round, number: number) {
  const proxy = proxies[round.store];
  proxy.begin(round.fault);
  await wait(round.lastsMs);
  proxy.heal();
  const limitMs = timeLimitMs(proxies.mongo.isHalfOpen() ? halfOpenMsMax : healedMsMax);
  const startedMs = performance.now();
  const goal = traffic.count() + 3;
  const when = printRound(round, number);
  const served = eventually(() => traffic.count() >= goal, { timeoutMs: 60_000 }).then(
    () => Math.round(performance.now() - startedMs),
    (error: Error) => Promise.reject(new Error(`the program did not serve again ${when}`, { cause: error })),
  );
  const [servedMs, placedMs] = await Promise.all([served, untilPlaced(database, when)]);
  expect({ when, isServed: servedMs < limitMs, servedMs }).toEqual({ when, isServed: true, servedMs });
  return { servedMs, placedMs };
}

const sizes = { smoke: { rounds: 6, actors: 6 }, full: { rounds: 300, actors: 8 } };

proof('proxy', sizes, async ({ size, random }) => {
  const stores = await newStoreAddresses();
  const [mongo, redis] = [new URL(stores.mongoUri), new URL(stores.redisUrl)];
  const target = ({ hostname, port }: URL) => ({ host: hostname, port: Number(port) });
  const proxies = {
    mongo: await openTcpProxy(target(mongo)),
    redis: await openTcpProxy(target(redis)),
  };
  const env = {
    MONGODB_URI: `mongodb://127.0.0.1:${proxies.mongo.port}/${stores.databaseName}?directConnection=true`,
    REDIS_URL: `redis://127.0.0.1:${proxies.redis.port}${redis.pathname}`,
  };
  const receivers = { alpha: await openReceiver(), beta: await openReceiver() };
  const client = await MongoClient.connect(stores.mongoUri);
  let traffic: Traffic | undefined;
  try {
    return await withWorld({ topology: 'embedded', env }, async (world) => {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      const attempts = createAttempts({ deadlineMs: 180_000 });
      traffic = await startTraffic(world, { random, actors: size.actors, attempts });
      const scene = { proxies, traffic, database: client.db() };
      const healed: Record<Store, number[]> = { mongo: [], redis: [] };
      const placed: number[] = [];
      for (const round of whileTimeLasts(planRounds(random.branch('rounds'), size.rounds))) {
        const { servedMs, placedMs } = await suffer(scene, round, placed.push(0));
        healed[round.store].push(servedMs);
        placed[placed.length - 1] = placedMs;
      }
      await traffic.stop();
      expectNone(`faults that clients saw (${printOutcomes(attempts.outcomes)})`, attempts.faults);
      await settled(world, client);
      const figures = await audit(client, { lives: traffic.lives, receivers });
      return {
        rounds: placed.length,
        ...figures,
        'stand-stills': 0,
        'longest wait for a place ms': Math.max(...placed),
        'served again after ms (MongoDB)': Math.max(0, ...healed.mongo),
        'served again after ms (Redis)': Math.max(0, ...healed.redis),
        'longest answer ms': attempts.longestMs,
        clients: printOutcomes(attempts.outcomes),
      };
    });
  } finally {
    void traffic?.stop();
    await client.db().dropDatabase();
    await client.close();
    await Promise.all([proxies.mongo.close(), proxies.redis.close(), receivers.alpha.close(), receivers.beta.close()]);
  }
});
