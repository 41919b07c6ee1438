// One process's platform: stores, clock, vault, write seam and domains, opened once and closed in reverse order.
import { join } from 'node:path';
import type { Graph } from '../gateway/graph';
import { openTracing } from '../gateway/open-tracing';
import { integrityOfSdk } from '../pages/assets';
import { createRateLimiter } from '../subgraphs/shared/callers/rate-limit';
import type { Config } from '../subgraphs/shared/config';
import { createVault } from '../subgraphs/shared/crypto/vault';
import { createIdempotent, type ResultField } from '../subgraphs/shared/idempotency/idempotency';
import { createLog } from '../subgraphs/shared/log/log';
import { createMetrics } from '../subgraphs/shared/log/metrics';
import { openClock } from '../subgraphs/shared/sandbox-clock';
import { createCommitter } from '../subgraphs/shared/store/committer';
import { type MongoOptions, openMongo } from '../subgraphs/shared/store/mongo';
import { preparePlatformSettings } from '../subgraphs/shared/store/platform-settings';
import { openRedis } from '../subgraphs/shared/store/redis';
import { isFeedStill } from '../workers';
import { createDomains } from './domains';
import { keyringOf } from './keyring';

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** Tells that an access token or a client has changed. */
export const credentialsChannel = 'credentials';

/** Opens everything that every role needs; `root` holds the built pages. Rejects when MongoDB cannot be reached; Redis may come later. */
export async function openPlatform(
  config: Readonly<Config>,
  { root = join(__dirname, '..'), mongo: options = {} }: { root?: string; mongo?: MongoOptions } = {},
) {
  const log = createLog(config.LOG_LEVEL, config.ROLE_NAME, undefined, config.LOG_FORMAT);
  const metrics = createMetrics();
  const mongo = await openMongo(config.MONGODB_URI, config.ROLE_NAME, options);
  const { connection } = mongo;
  const redis = openRedis(config.REDIS_URL, 'requests');
  const subscriber = openRedis(config.REDIS_URL, 'workers');
  const clock = await openClock({ connection, redis, subscriber, isSandbox: config.isSandbox });
  const vault = createVault(connection, keyringOf(config));
  const committer = createCommitter(connection);
  const idempotentOf = (field: ResultField) => createIdempotent({ connection, clock, vault, field });
  const tracing = await openTracing(config);
  const limiter = createRateLimiter({ redis, factor: config.RATE_LIMIT_FACTOR, metrics });
  const domains = createDomains({
    connection,
    inTransaction: committer.inTransaction,
    idempotentOf,
    clock,
    vault,
    config,
    metrics,
    isFeedStill: () => isFeedStill(connection, 'journal'),
    sriHash: integrityOfSdk(root),
    wakeCredentialChecks: () => void redis.publish(credentialsChannel, '').catch(() => undefined),
  });

  const platform = {
    ...domains,
    /** Opened by the first role that needs it. */
    graph: undefined as Graph | undefined,
    config,
    connection,
    log,
    metrics,
    tracing: tracing ?? undefined,
    mongo,
    redis,
    subscriber,
    clock,
    vault,
    limiter,
    inTransaction: committer.inTransaction,
    async ensureIndexes() {
      await Promise.all([
        vault.prepareCollections(),
        idempotentOf('result.results').ensureIndexes(),
        domains.ensureIndexes(),
        preparePlatformSettings(connection),
      ]);
    },
    async close() {
      await platform.graph?.close();
      await tracing?.stop();
      await domains.access.refusals.stop();
      await committer.drain();
      await domains.tokenization.close();
      await clock.stop();
      redis.disconnect();
      subscriber.disconnect();
      await mongo.close();
    },
  };
  return platform;
}
