// Product: the callback worker as it ships, with its lease, claims, signatures and attempt log, over endpoints of as many accounts as the variant says.
import { randomBytes, randomUUID } from 'node:crypto';
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createNotifications } from '../../subgraphs/notifications';
import type { Clock } from '../../subgraphs/shared/clock';
import { readConfig } from '../../subgraphs/shared/config';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { createLog } from '../../subgraphs/shared/log/log';
import { createMetrics } from '../../subgraphs/shared/log/metrics';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { keyringFor } from '../../test/support/vault';
import { createWakeUps, startCallbackWorker } from '../../workers';
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
/** How far the clock is moved to let a wave of callbacks go. */
const waveAheadMs = 3_600_000;
const seededAtOnce = 50;

interface Ready {
  ids: string[];
  slow: string | null;
  /** With one callback for each endpoint, as many as there are endpoints go at a time. */
  waves: number;
}

/** `<endpoints>`, `<endpoints> one slow`, `<endpoints> one each` or `<endpoints> failing`. */
function parseVariant(variant: string): { fast: string[]; slow: string | null } {
  const count = Number.parseInt(variant, 10);
  const name = variant.endsWith('failing') ? 'failing' : 'fast';
  const accounts = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  return variant.endsWith('one slow') ? { fast: accounts.slice(1), slow: 'slow-0' } : { fast: accounts, slow: null };
}

async function start(): Promise<void> {
  const { connection } = await openMongo(mongoUri, 'bench');
  const config = readConfig({
    MODE: 'sandbox',
    CURSOR_KEY: randomBytes(32).toString('base64'),
    CALLBACK_EVENTS: process.env['CALLBACK_EVENTS'],
  });
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
    audit: createAudit(clock),
    isAccount: async () => true,
  });
  await notifications.ensureIndexes();
  const blockingRedis = openRedis(redisUrl, 'workers');
  const { stores } = notifications;
  // As in the program, where the worker may be told of each batch; nothing is published here.
  const onWakeUp = () => () => undefined;
  startCallbackWorker({ stores, vault, clock, log, metrics, config, redis, blockingRedis, onWakeUp });
  const wakeUps = createWakeUps(redis, connection.name);
  const deliveries = connection.collection('deliveries');
  const endpoints = new Map<string, string>();
  let ready: Ready = { ids: [], slow: null, waves: 1 };
  let position = 0;

  async function seedEndpoints(accounts: readonly string[]): Promise<void> {
    const unknown = accounts.filter((accountId) => !endpoints.has(accountId));
    for (let from = 0; from < unknown.length; from += seededAtOnce) {
      const some = unknown.slice(from, from + seededAtOnce);
      await Promise.all(some.map(seedEndpoint));
      for (const { accountId, endpointId } of await stores.endpoints.targets(some))
        endpoints.set(accountId, endpointId);
    }
  }

  function seedEndpoint(accountId: string): Promise<void> {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const address = `http://127.0.0.1:${sinkPort}/${accountId.split('-')[0]}`;
    return notifications.seedEndpoint({ accountId, kind: 'notify-update', secret, address });
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

  /** One that failed waits for its next attempt: that is another wave. */
  const isOpen = async (filter: Record<string, unknown>) =>
    (await deliveries.findOne({ ...filter, open: true, attemptsMade: 0 }, { projection: { _id: 1 } })) !== null;
  const untilTried = async (filter: Record<string, unknown>) => {
    while (await isOpen(filter)) await new Promise((resolve) => setTimeout(resolve, pollMs));
  };

  serveBatches({
    async prepare(count, variant) {
      await untilTried({});
      await deliveries.deleteMany({});
      await connection.collection('events').deleteMany({});
      const { fast, slow } = parseVariant(variant);
      await seedEndpoints([...fast, ...(slow ? [slow] : [])]);
      // Due only when its wave is let go: the worker's own sweep must not begin before.
      const dueOf = (wave: number) => new Date(clock.now().getTime() + (wave + 1) * waveAheadMs);
      const waves = variant.endsWith('one each') ? Math.ceil(count / fast.length) : 1;
      const rows = Array.from({ length: count }, (_, index) =>
        row(fast[index % fast.length] as string, dueOf(waves === 1 ? 0 : Math.floor(index / fast.length))),
      );
      if (slow) rows.push(...Array.from({ length: slowRows }, () => row(slow, dueOf(0))));
      for (let from = 0; from < rows.length; from += insertedAtOnce) {
        await deliveries.insertMany(rows.slice(from, from + insertedAtOnce));
      }
      const idOf = (account: string) => endpoints.get(account) as string;
      ready = { ids: [...fast, ...(slow ? [slow] : [])].map(idOf), slow: slow && idOf(slow), waves };
    },
    async run() {
      const startedAt = performance.now();
      for (let wave = 0; wave < ready.waves; wave += 1) {
        aheadMs += waveAheadMs;
        await wakeUps.send(ready.ids);
        const others = withoutUndefined({ endpointId: ready.slow ? { $ne: ready.slow } : undefined });
        await untilTried({ ...others, dueAt: { $lte: clock.now() } });
      }
      return (performance.now() - startedAt) / 1_000;
    },
  });
  sayReady();
}

void start();
