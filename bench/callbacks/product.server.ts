// Product: the callback worker as it ships, with its lease, claims, signatures and attempt log, over endpoints of as many accounts as the variant says.
import { randomBytes, randomUUID } from 'node:crypto';
import { createNotifications } from '../../subgraphs/notifications';
import type { Clock } from '../../subgraphs/shared/clock';
import { readConfig } from '../../subgraphs/shared/config';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createLog } from '../../subgraphs/shared/log/log';
import { createMetrics } from '../../subgraphs/shared/log/metrics';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { createIdempotent } from '../../subgraphs/shared/store/idempotency';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { keyringFor } from '../../test/support/vault';
import { createDoorbell, startCallbackWorker } from '../../workers';
import { readSettings, sayReady, serveBatches } from '../support/server-side';
import { newBody } from './delivery';

export interface ProductSettings {
  sinkPort: number;
  redisUrl: string;
  mongoUri: string;
}

const { sinkPort, redisUrl, mongoUri } = readSettings<ProductSettings>();
const slowRows = 16;
const insertedAtOnce = 1_000;
const pollMs = 25;
/** How far the clock is moved to let a batch go. */
const batchAheadMs = 3_600_000;

/** `<endpoints>` or `<endpoints> one slow`. */
function parseVariant(variant: string): { fast: string[]; slow: string | null } {
  const count = Number.parseInt(variant, 10);
  const accounts = Array.from({ length: count }, (_, index) => `fast-${index}`);
  return variant.endsWith('one slow') ? { fast: accounts.slice(1), slow: 'slow-0' } : { fast: accounts, slow: null };
}

async function start(): Promise<void> {
  const { connection } = await openMongo(mongoUri, 'bench');
  const config = readConfig({ MODE: 'sandbox', CURSOR_KEY: randomBytes(32).toString('base64') });
  const log = createLog('warn', 'bench');
  const metrics = createMetrics();
  const redis = openRedis(redisUrl, 'requests');
  const vault = createVault(connection, keyringFor({ current: randomBytes(32).toString('base64'), previous: '' }));
  let aheadMs = 0;
  const clock: Clock = { now: () => new Date(Date.now() + aheadMs), offsetMs: () => aheadMs };
  const { inTransaction } = createCommitter(connection);
  const idempotent = createIdempotent({ connection, clock, vault });
  const notifications = createNotifications({
    connection,
    inTransaction,
    idempotent,
    clock,
    vault,
    config,
    isAccount: async () => true,
  });
  await notifications.ensureIndexes();
  const blockingRedis = openRedis(redisUrl, 'workers');
  const { stores } = notifications;
  startCallbackWorker({ stores, vault, clock, log, metrics, config, redis, blockingRedis });
  const doorbell = createDoorbell(redis, connection.name);
  const deliveries = connection.collection('deliveries');
  const endpoints = await seedEndpoints();
  let ready: { ids: string[]; fast: string[]; slow: string | null } = { ids: [], fast: [], slow: null };
  let position = 0;

  async function seedEndpoints(): Promise<Map<string, string>> {
    const accounts = [...parseVariant('100').fast, 'slow-0'];
    for (const accountId of accounts) {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const address = `http://127.0.0.1:${sinkPort}/${accountId.split('-')[0]}`;
      await notifications.seedEndpoint({ accountId, kind: 'notify-update', secret, address });
    }
    const targets = await stores.endpoints.targets(accounts);
    return new Map(targets.map(({ accountId, endpointId }) => [accountId, endpointId]));
  }

  function row(accountId: string, now: Date): Record<string, unknown> {
    position += 1;
    return {
      _id: randomUUID() as never,
      environment: 'sandbox',
      accountId,
      merchantId: `merchant-${accountId}`,
      kind: 'notify-update',
      endpointId: endpoints.get(accountId),
      eventId: randomUUID(),
      orderingKey: randomUUID(),
      position,
      path: `/v1/merchant-${accountId}/virtual-accounts/${position}/notify-update`,
      headers: { 'X-Request-ID': randomUUID(), 'X-Provider-ID': 'provider' },
      body: newBody(),
      status: 'PENDING',
      reason: null,
      open: true,
      ordered: true,
      tries: 0,
      attemptsMade: 0,
      fence: 0,
      dueAt: now,
      attempts: [],
      redelivery: null,
      createdAt: now,
      endedAt: null,
    };
  }

  const isOpen = async (filter: Record<string, unknown>) =>
    (await deliveries.findOne({ ...filter, open: true }, { projection: { _id: 1 } })) !== null;
  const untilClosed = async (filter: Record<string, unknown>) => {
    while (await isOpen(filter)) await new Promise((resolve) => setTimeout(resolve, pollMs));
  };

  serveBatches({
    async prepare(count, variant) {
      await untilClosed({});
      await deliveries.deleteMany({});
      const { fast, slow } = parseVariant(variant);
      // Due only when the batch is let go: the worker's own sweep must not begin before.
      const later = new Date(clock.now().getTime() + batchAheadMs);
      const accounts = Array.from({ length: count }, (_, index) => fast[index % fast.length] as string);
      if (slow) accounts.push(...Array.from({ length: slowRows }, () => slow));
      for (let from = 0; from < accounts.length; from += insertedAtOnce) {
        await deliveries.insertMany(accounts.slice(from, from + insertedAtOnce).map((account) => row(account, later)));
      }
      const idOf = (account: string) => endpoints.get(account) as string;
      ready = { ids: [...fast, ...(slow ? [slow] : [])].map(idOf), fast: fast.map(idOf), slow };
    },
    async run() {
      const startedAt = performance.now();
      aheadMs += batchAheadMs;
      await doorbell.ring(ready.ids);
      await untilClosed({ endpointId: { $in: ready.fast } });
      return (performance.now() - startedAt) / 1_000;
    },
  });
  sayReady();
}

void start();
