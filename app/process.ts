// The entry of every application process: reads its roles from the environment, starts them, and stops them in order when told.
import 'reflect-metadata';
import { readConfig } from '../subgraphs/shared/config';
import { noTimeouts } from '../subgraphs/shared/store/mongo';
import { prepareLeases } from '../workers/lease';
import { moveFormerKeys } from './former-keys';
import { keyringOf } from './keyring';
import { keepSecrets } from './launcher/secrets';
import { serveOwnMetrics } from './metrics-endpoint';
import { openPlatform, type Platform } from './platform';
import { parts } from './role-parts';
import { type RunningRoles, startRoles } from './start-roles';
import { startText } from './start-text';
import { supervise } from './supervised';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.ROLES.includes('prepare')) return prepare(await openPlatform(config, { mongo: noTimeouts }));
  const platform = await openPlatform(config);
  const running: RunningRoles[] = [];
  const supervised = supervise(() => stopAll(platform, running), config.SHUTDOWN_TIMEOUT_MS);
  await startRoles(platform, running);
  if (!process.connected) running.unshift(await serveOwnMetrics(config.METRICS_HOST, config.METRICS_PORT));
  supervised.ready();
  platform.log.info({ pid: process.pid }, 'ready');
}

/** One-shot before the roles start: every index, and in the sandbox tenants, clients and the credentials file. */
async function prepare(platform: Platform): Promise<void> {
  await platform.ensureIndexes();
  await prepareLeases(platform.connection);
  const { config, connection, vault } = platform;
  const moved = await moveFormerKeys(connection, { former: config.VAULT_KEY, keyring: keyringOf(config), vault });
  if (moved > 0) platform.log.info({ count: moved }, 'data keys of a former release were moved');
  // Records of a release without a chain get their places in it.
  await platform.access.auditChain.chain.adopt(config.environment);
  if (config.isSandbox) keepSecrets(config.DATA_DIR, { VAULT_KEY: '' });
  if (platform.config.isSandbox) await parts.seed.seedSandbox(platform);
  await platform.close();
}

/** Entrances first, then what they call, then the stores. */
async function stopAll(platform: Platform, running: RunningRoles[]): Promise<void> {
  for (const role of running.reverse()) await role.stop();
  await platform.close();
  platform.log.info({ pid: process.pid }, 'stopped');
}

/** Resolves when it serves (app/cached-start.ts). */
export const started = main().catch((error: unknown) => {
  process.stderr.write(`${startText(error, process.env)}\n`);
  process.exit(1);
});
