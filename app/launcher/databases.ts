// The two databases of a start: brought servers on loopback with their data in DATA_DIR, or the user's own, checked.
import { type ChildProcess, spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { openRedis, redisFault } from '../../subgraphs/shared/store/redis';
import { makeFolder } from '../data-files';
import { StartFailure } from '../failure';
import type { FoundServer } from './servers';

/** Arguments of a single-node replica set that runs no scripts, on loopback. */
export function mongodArguments(dataDir: string, port: number): string[] {
  const options = {
    dbpath: join(dataDir, 'mongod'),
    port: String(port),
    bind_ip: '127.0.0.1',
    replSet: replicaSet,
    wiredTigerCacheSizeGB: String(cacheGbOf(machineBytes())),
    oplogSize: '990',
    slowms: '1000',
  };
  const flags = [
    '--noscripting',
    '--nounixsocket',
    '--quiet',
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    // What a killed process had begun and not committed holds its documents until then; ours take milliseconds.
    '--setParameter',
    'transactionLifetimeLimitSeconds=8',
  ];
  return [...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]), ...flags];
}

const gb = 1024 ** 3;

/** GB that the brought mongod may keep in memory once there is as much: with little room it writes half-filled pages all the time where much is stored in a row. */
export function cacheGbOf(memoryBytes: number): number {
  const quarters = Math.floor((4 * memoryBytes) / gb / 8);
  return Math.min(Math.max(quarters / 4, 0.5), 4);
}

/** Of the container where it has a limit. */
function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || totalmem());
}

/** Arguments of a Redis that forgets nothing at a restart and drops nothing for space, on loopback. */
export function redisArguments(dataDir: string, port: number): string[] {
  const options = {
    port: String(port),
    bind: '127.0.0.1',
    dir: join(dataDir, 'redis'),
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    databases: '4096',
    daemonize: 'no',
    save: '',
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

const replicaSet = 'rs0';
const startMsMax = 40_000;

/** Detached: Ctrl-C reaches the whole foreground group, and a database may stop only after the application. */
export function spawnServer(server: FoundServer, args: string[], folder: string): ChildProcess {
  makeFolder(folder);
  return spawn(server.path, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

export const mongodAddress = (port: number) => `mongodb://127.0.0.1:${port}/payments?replicaSet=${replicaSet}`;
export const redisAddress = (port: number) => `redis://127.0.0.1:${port}/0`;

/** Makes the brought mongod a replica set of one under its present port, whatever it was before, and waits until it takes writes. */
export async function awaitPrimary(port: number, isAlive: () => boolean): Promise<void> {
  const host = `127.0.0.1:${port}`;
  await until('mongod', isAlive, () => askForPrimary(host));
}

/** A client of its own each time: one whose first connection failed stays closed. */
async function askForPrimary(host: string): Promise<boolean> {
  const options = { directConnection: true, serverSelectionTimeoutMS: 300, connectTimeoutMS: 1_000 };
  const client = new MongoClient(`mongodb://${host}/`, options);
  try {
    const admin = client.db('admin');
    const hello = await admin.command({ hello: 1 });
    if (hello['isWritablePrimary'] === true && hello['me'] === host) return true;
    await configure((document) => admin.command(document), host);
    return false;
  } finally {
    await client.close();
  }
}

async function configure(command: (document: Document) => Promise<Document>, host: string): Promise<void> {
  const notYetInitialized = 94;
  const alreadyInitialized = 23;
  const current = await command({ replSetGetConfig: 1 }).catch((error: { code?: number }) => {
    if (error.code === notYetInitialized) return undefined;
    throw error;
  });
  if (!current) {
    const members = [{ _id: 0, host }];
    await command({ replSetInitiate: { _id: replicaSet, members } }).catch((error: { code?: number }) => {
      if (error.code !== alreadyInitialized) throw error;
    });
    return;
  }
  const config = current['config'] as { version: number; members: { host: string }[] };
  if (config.members[0]?.host === host) return;
  const members = config.members.map((member) => ({ ...member, host }));
  await command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
}

/** Waits until the brought Redis has read its append-only file and answers. */
export async function awaitRedis(port: number, isAlive: () => boolean): Promise<void> {
  const redis = openRedis(redisAddress(port), 'requests');
  try {
    await until('redis-server', isAlive, async () => (await redis.ping()) === 'PONG');
  } finally {
    redis.disconnect();
  }
}

async function until(name: string, isAlive: () => boolean, probe: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + startMsMax;
  let reason = 'no answer';
  while (Date.now() < deadline) {
    if (!isAlive())
      throw new StartFailure(
        `${name} ended right after its start: read its log in DATA_DIR/logs, and if its data is broken run "npm run reset".`,
      );
    try {
      if (await probe()) return;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new StartFailure(
    `${name} did not get ready within ${startMsMax / 1000} s (${reason}): read its log in DATA_DIR/logs.`,
  );
}

/** Checks the MongoDB that the user named: reachable, a replica set, a primary. */
export async function checkMongoUri(uri: string): Promise<void> {
  const failure = (what: string) =>
    new StartFailure(
      `The MongoDB of MONGODB_URI ${what}: set MONGODB_URI to a replica set that runs, or unset it to have one brought.`,
    );
  let client: MongoClient;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, connectTimeoutMS: 5_000 });
  } catch {
    throw failure('has no valid address');
  }
  try {
    const hello = await client
      .db('admin')
      .command({ hello: 1 })
      .catch((error: Error) => {
        throw failure(`cannot be reached (${error.message.split('\n')[0]})`);
      });
    if (!hello['setName']) throw failure('is no replica set, and transactions need one');
  } finally {
    await client.close();
  }
}

/**
 * Checks the Redis that the user named: reachable, evicting nothing, with an append-only file.
 * The latter two stop a production start; in the sandbox they are returned as a warning.
 */
export async function checkRedisUrl(url: string, mode: 'sandbox' | 'production'): Promise<string | undefined> {
  const redis = openRedis(url, 'workers');
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('no answer within 5 s')), 5_000).unref(),
  );
  try {
    await Promise.race([redis.ping(), late]).catch((error: Error) => {
      throw new StartFailure(
        `The Redis of REDIS_URL cannot be used (${error.message}): set REDIS_URL to one that runs, or unset it to have one brought.`,
      );
    });
    const fault = await redisFault(redis).catch(() => null);
    if (fault && mode === 'production')
      throw new StartFailure(`${fault}: production starts with a Redis that loses nothing only.`);
    return fault ?? undefined;
  } finally {
    redis.disconnect();
  }
}
