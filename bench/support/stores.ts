// MongoDB and Redis of a benchmark: those that MONGODB_URI and REDIS_URL name, else brought by `npm run databases` for the time of the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { portHolder } from '../../app/launcher/ports';
import { stopChild } from './server-process';

export interface Stores {
  /** Address of a database with this name on the benchmark's server; it is dropped now and at the end. */
  mongoUri(databaseName: string): Promise<string>;
  redisUrl: string;
  /** mongod and redis-server, where the system tells which processes hold the ports. */
  pids: number[];
  /** The same one by one. */
  pidsOf: { mongod: number[]; redis: number[] };
  close(): Promise<void>;
}

interface Addresses {
  mongodb: string;
  redis: string;
  stop(): Promise<void>;
}

const root = resolve(__dirname, '../..');
/** Where the benchmarks keep the databases that they bring; below .data, which is not committed. */
const benchDataDir = join(root, '.data/bench');

/** Opens the stores; throws one sentence when they cannot be had. */
export async function openStores(): Promise<Stores> {
  const { mongodb, redis, stop } = givenStores() ?? (await bringStores());
  const [, address = '', options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(mongodb) ?? [];
  const client = await MongoClient.connect(mongodb);
  const opened: string[] = [];
  const [mongod, redisServer] = [address, redis].map((url) => {
    const holder = portHolder(Number(new URL(url).port));
    return holder ? [holder.pid] : [];
  }) as [number[], number[]];
  return {
    async mongoUri(databaseName) {
      opened.push(databaseName);
      await client.db(databaseName).dropDatabase();
      return `${address}/${databaseName}${options}`;
    },
    redisUrl: redis,
    pids: [...mongod, ...redisServer],
    pidsOf: { mongod, redis: redisServer },
    async close() {
      for (const name of opened) await client.db(name).dropDatabase();
      await client.close();
      await stop();
    },
  };
}

function givenStores(): Addresses | null {
  const { MONGODB_URI: mongodb, REDIS_URL: redis } = process.env;
  return mongodb && redis ? { mongodb, redis, stop: async () => undefined } : null;
}

function bringStores(): Promise<Addresses> {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'tools/command.mjs'), 'databases', '--with-parent'], {
    env: { ...process.env, DATA_DIR: benchDataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The databases could not be started: see the lines above.')));
    child.stdout?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (!/^ready$/m.test(text)) return;
      const value = (name: string) => new RegExp(`${name}='([^']+)'`).exec(text)?.[1] ?? '';
      resolve({ mongodb: value('MONGODB_URI'), redis: value('REDIS_URL'), stop: () => stopChild(child, 20_000) });
    });
  });
}
