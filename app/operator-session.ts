// What a command of an operator works on: the stores and keys of the installation in DATA_DIR, or those that the environment names.
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../subgraphs/shared/config';
import { noTimeouts } from '../subgraphs/shared/store/mongo';
import { readJsonFile } from './data-files';
import { failureSentence, StartFailure } from './failure';
import { mongodAddress, redisAddress } from './launcher/databases';
import { readSecrets } from './launcher/secrets';
import type { ProcessEntry } from './launcher/supervisor';
import { openPlatform, type Platform } from './platform';

/** Runs `work` on the installation's platform, closes it, prints what it returns, and ends with one sentence when something is missing. */
export async function runForOperator(name: string, work: (platform: Platform) => Promise<string>): Promise<void> {
  try {
    const platform = await openPlatform(operatorConfig(name), { mongo: noTimeouts });
    try {
      process.stdout.write(`${await work(platform)}\n`);
    } finally {
      await platform.close();
    }
  } catch (error) {
    process.stderr.write(`${failureSentence(error, 'DATA_DIR/logs')}\n`);
    process.exitCode = 1;
  }
}

/** That of MONGODB_URI, or of the server that a start brought; throws when there is neither. */
export function runningMongoUri({ MONGODB_URI, DATA_DIR }: Pick<Config, 'MONGODB_URI' | 'DATA_DIR'>): string {
  const port = portOf(resolve(DATA_DIR), 'mongod');
  return MONGODB_URI || (port ? mongodAddress(port) : nothingRuns(resolve(DATA_DIR)));
}

function portOf(dataDir: string, role: string): number | null | undefined {
  const entries = (readJsonFile(join(dataDir, 'processes.json')) ?? []) as ProcessEntry[];
  return entries.find((entry) => entry.role === role)?.port;
}

function nothingRuns(dataDir: string): never {
  throw new StartFailure(
    `Nothing runs in ${dataDir}: start it with "npm start", or set MONGODB_URI and REDIS_URL to those of your installation.`,
  );
}

function operatorConfig(name: string) {
  const config = readConfig(process.env);
  const dataDir = resolve(config.DATA_DIR);
  const redis = portOf(dataDir, 'redis-server');
  const mongoUri = runningMongoUri(config);
  const redisUrl = config.REDIS_URL || (redis ? redisAddress(redis) : nothingRuns(dataDir));
  const secrets = readSecrets(dataDir, config.MODE, config);
  return {
    ...config,
    ...secrets,
    MONGODB_URI: mongoUri,
    REDIS_URL: redisUrl,
    ROLE_NAME: name,
    LOG_LEVEL: 'silent' as const,
  };
}
