// Databases of a test file: a MongoDB database and a Redis number of its own on the run's servers, and the way to wait for a thing.
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openRedis } from '../../subgraphs/shared/store/redis';

export interface StoreAddresses {
  /** With the name of a database that nothing else uses. */
  mongoUri: string;
  databaseName: string;
  /** With a database number that this run has not given to anything else (it wraps round on a small server). */
  redisUrl: string;
}

export interface Stores extends StoreAddresses {
  connection: Connection;
  redis: Redis;
  /** Drops the database, empties the Redis number and closes both. */
  close(): Promise<void>;
}

export const patient = {
  // Many histories and races share it, and nobody is to wait for a connection.
  maxPoolSize: 128,
  // A machine that stands still is no fault of what is tested.
  connectTimeoutMS: 30_000,
  serverSelectionTimeoutMS: 20_000,
  waitQueueTimeoutMS: 60_000,
  socketTimeoutMS: 60_000,
} as const;

/** Opens stores of one's own; call in `beforeAll`, and `close()` in `afterAll`. */
export async function openStores(): Promise<Stores> {
  const addresses = await newStoreAddresses();
  const mongo = await openMongo(addresses.mongoUri, 'test', patient);
  const redis = openRedis(addresses.redisUrl, 'workers');
  return {
    ...addresses,
    connection: mongo.connection,
    redis,
    close: async () => {
      await mongo.connection.dropDatabase();
      await mongo.close();
      await redis.flushdb();
      await redis.quit();
    },
  };
}

/** Addresses only, for a program that opens them itself. */
export async function newStoreAddresses(): Promise<StoreAddresses> {
  const { MONGODB_URI, REDIS_URL } = await servers();
  const databaseName = `test_${randomBytes(6).toString('hex')}`;
  return {
    databaseName,
    mongoUri: withDatabaseName(MONGODB_URI, databaseName),
    redisUrl: await newRedisUrl(REDIS_URL),
  };
}

type Servers = Record<'MONGODB_URI' | 'REDIS_URL', string>;

/** Those that the run gives this file (test/databases.mjs), or those that whoever runs the file has exported. */
async function servers(): Promise<Servers> {
  const url = process.env['DATABASES_URL'];
  if (!url) return { MONGODB_URI: required('MONGODB_URI'), REDIS_URL: required('REDIS_URL') };
  const asked = new URLSearchParams({ process: String(process.pid), file: String(expect.getState().testPath) });
  const answer = await fetch(`${url}?${asked}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`The run has no databases for this file: ${await answer.text()}`);
  return (await answer.json()) as Servers;
}

/** The same servers and options with another database name. */
function withDatabaseName(uri: string, databaseName: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri);
  if (!parts) throw new Error('MONGODB_URI is not a MongoDB address');
  return `${parts[1]}/${databaseName}${parts[2] ?? ''}`;
}

export interface WaitOptions {
  timeoutMs?: number;
  everyMs?: number;
}

/** Of a probe that takes long itself, because a machine or a browser stands still, this much counts. */
const probeMsMax = 1_000;

/** Longer than the program itself waits before it gives something up (30 s for a reader that reads nothing). */
const waitMsMax = 50_000;

/** Waits until `probe` returns something truthy (a throw counts as "not yet") and returns it; fails with the last reason. */
export async function eventually<T>(probe: () => T | Promise<T>, options: WaitOptions = {}): Promise<NonNullable<T>> {
  const { timeoutMs = waitMsMax, everyMs = 25 } = options;
  let waitedMs = 0;
  for (;;) {
    const startedMs = performance.now();
    let reason: unknown = 'it stayed false';
    try {
      const value = await probe();
      if (value) return value;
    } catch (error) {
      reason = error;
    }
    waitedMs += Math.min(performance.now() - startedMs, probeMsMax) + everyMs;
    if (waitedMs >= timeoutMs) throw new Error(`Not within ${timeoutMs} ms: ${reasonText(reason)}`, { cause: reason });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

function reasonText(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

async function newRedisUrl(base: string): Promise<string> {
  const root = new URL(base);
  root.pathname = '/0';
  const redis = openRedis(root.href, 'workers');
  try {
    const [taken, setting] = await Promise.all([redis.incr('test:databases'), redis.config('GET', 'databases')]);
    const count = Number((setting as string[])[1] ?? 16);
    root.pathname = `/${1 + (taken % (count - 1))}`;
    return root.href;
  } finally {
    redis.disconnect();
  }
}

function required(name: 'MONGODB_URI' | 'REDIS_URL'): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run "npm test", or start "npm run databases" and export what it prints`);
  return value;
}
