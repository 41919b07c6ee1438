// The log as it ships, with as many lanes as the variant says, all led by this process: events are written while it publishes them.
import { randomBytes, randomUUID } from 'node:crypto';
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createNotifications } from '../../subgraphs/notifications';
import { createReporting } from '../../subgraphs/reporting';
import { readConfig } from '../../subgraphs/shared/config';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { createLog } from '../../subgraphs/shared/log/log';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { keyringFor } from '../../test/support/vault';
import { type Running, startFeedWorker, startOutboxWorker } from '../../workers';
import { readSettings, sayReady, serveBatches } from '../support/server-side';

export interface ScaleSettings {
  mongoUri: string;
  redisUrl: string;
}

const { mongoUri, redisUrl } = readSettings<ScaleSettings>();
const writtenAtOnce = 100;
const merchantCount = 2_000;
const pollMs = 20;

async function start(): Promise<void> {
  const { connection } = await openMongo(mongoUri, 'bench');
  const config = readConfig({ MODE: 'sandbox', CURSOR_KEY: randomBytes(32).toString('base64') });
  const log = createLog('warn', 'bench');
  const redis = openRedis(redisUrl, 'requests');
  const vault = createVault(connection, keyringFor({ current: randomBytes(32).toString('base64'), previous: '' }));
  const clock = { now: () => new Date(), offsetMs: () => 0 };
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
  const reporting = createReporting({
    connection,
    inTransaction,
    idempotent,
    clock,
    config,
    audit: () => ({ collection: 'audit', document: { _id: randomUUID() } }),
    propose: async () => ({ proposalId: randomUUID() }),
    isFeedStill: async () => false,
    readMerchant: async () => null,
    readMerchantByNumber: async () => null,
    readTenantMerchant: async () => null,
    isPaymentOf: async () => true,
    searched: [],
    eventLog: notifications.stores.events,
  });
  await Promise.all([notifications.ensureIndexes(), reporting.ensureIndexes()]);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await notifications.seedEndpoint({
    accountId: 'called',
    kind: 'notify-update',
    secret,
    address: 'http://127.0.0.1:9/',
  });
  const { events } = notifications.stores;
  const stored = connection.collection('events');
  const entries = connection.collection('journal_entries');
  const deps = { connection, redis, clock, log, stores: notifications.stores };
  let running: Running[] = [];
  let batch: Record<string, unknown>[] = [];
  let isDone: () => Promise<boolean> = async () => true;

  async function until(isOver: () => Promise<boolean>): Promise<void> {
    while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }

  serveBatches({
    async prepare(count, variant) {
      await Promise.all(running.map((each) => each.stop()));
      const [lanes = 0, what = ''] = variant.split(' ').map((word) => (/^\d+$/.test(word) ? Number(word) : word));
      const isLed = Number(lanes) > 0;
      await Promise.all(
        ['events', 'event_segments', 'event_lanes', 'deliveries', ...bookNames].map((name) =>
          connection.collection(name).deleteMany({}),
        ),
      );
      await events.prepare(isLed ? Number(lanes) : 1);
      batch = eventsOf(
        count,
        what === 'callbacks' ? 'called' : 'quiet',
        what === 'callbacks' ? tokenEvent : chargeEvent,
      );
      running = isLed ? [startOutboxWorker(deps)] : [];
      if (what === 'books')
        running.push(
          startFeedWorker({ kind: 'journal', connection, log, feeds: reporting.feeds, feedNext: reporting.bookNext }),
        );
      isDone = async () => {
        if (!isLed) return true;
        if (what === 'books') return (await entries.estimatedDocumentCount()) >= count;
        return (await events.unpositioned(1)).length === 0;
      };
      const held = () =>
        connection.collection('leases').countDocuments({ _id: /:\d+:\d+$/ as never, until: { $gt: new Date() } });
      await until(async () => !isLed || (await held()) >= Number(lanes) * running.length);
    },
    async run() {
      const startedAt = performance.now();
      for (let from = 0; from < batch.length; from += writtenAtOnce)
        await stored.insertMany(batch.slice(from, from + writtenAtOnce) as never);
      await until(isDone);
      return (performance.now() - startedAt) / 1_000;
    },
  });
  sayReady();
}

const bookNames = ['journal_entries', 'journal_days', 'journal_books', 'journal_terms', 'journal_state'];

type Kind = (id: string, amount: number) => Record<string, unknown>;

/** As the committer writes them: each thing happens twice. */
function eventsOf(count: number, accountId: string, kind: Kind): Record<string, unknown>[] {
  const aggregates = Array.from({ length: Math.ceil(count / 2) }, randomUUID);
  return Array.from({ length: count }, (_, index) => {
    const aggregateId = String(aggregates[index % aggregates.length]);
    const merchantId = `merchant-${(index % aggregates.length) % merchantCount}`;
    return {
      _id: randomUUID(),
      environment: 'sandbox',
      accountId,
      merchantId,
      aggregateId,
      sequence: index < aggregates.length ? 1 : 2,
      version: 1,
      occurredAt: new Date(),
      requestId: randomUUID(),
      ...kind(aggregateId, 1_000 + index),
      slot: slotOf({ merchantId, accountId }),
      position: null,
    };
  });
}

function chargeEvent(paymentId: string, amount: number) {
  const data = {
    operationId: randomUUID(),
    paymentId,
    orderId: `order-${paymentId}`,
    operationType: 'CAPTURE',
    operationResult: 'EXECUTED',
    operationAmount: String(amount),
    operationCurrency: 'EUR',
    paymentMethod: 'CARD',
    paymentCircuit: 'VISA',
  };
  return { aggregateType: 'payment', type: 'operation.recorded', data };
}

function tokenEvent(virtualAccountId: string) {
  const data = {
    virtualAccountId,
    merchantId: 'merchant',
    acquirerId: 'acquirer',
    providerId: 'provider',
    pspId: 'psp',
    agreementId: 'agreement',
    state: 'SUSPENDED',
    accountMasked: '424242******4242',
    accountExpiry: '122030',
    tokenMasked: '999999******0001',
    tokenExpiry: '112028',
    tokenStatus: 'SUSPENDED',
  };
  return { aggregateType: 'virtualAccount', type: 'virtualAccount.suspended', data };
}

void start();
