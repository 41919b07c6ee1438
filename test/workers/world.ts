// A small world for the workers: stores of its own, one account with an endpoint, a movable clock, and events written through the one seam.
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createAudit } from '../../subgraphs/access/audit/audit';
import {
  type Callback,
  createNotifications,
  type DeliveryLog,
  type EventLogRepository,
  type Notifications,
  newSigningSecret,
} from '../../subgraphs/notifications';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import type { Clock } from '../../subgraphs/shared/clock';
import { createVault, type Vault } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import { createLog, type Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openRedis } from '../../subgraphs/shared/store/redis';
import type { InTransaction, NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { endpointsIn, eventsChannel, type Running, startCallbackWorker, startOutboxWorker } from '../../workers';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';
import { newStoreAddresses, openStores, type Stores } from '../support/stores';
import { keyringFor } from '../support/vault';

export interface World {
  stores: TracedStores;
  log: Log;
  notifications: Notifications;
  inTransaction: InTransaction;
  vault: Vault;
  clock: Clock & { advance(ms: number): void };
  secret: string;
  staff: Caller;
  setAddress(address: string, accountId?: string): Promise<string>;
  /** Commits one event each and returns them. */
  happen(...events: Partial<NewEvent>[]): Promise<NewEvent[]>;
  startOutbox(options?: { redis?: Redis; events?: EventLogRepository }): Running;
  /** What the workers said as warnings and errors. */
  said: Said[];
  /** What a watchdog counted. */
  restarts(): object[];
  /** Aggregates whose events wait for a predecessor, as the metric has it. */
  held(): number;
  startCallbacks(options?: {
    redis?: Redis;
    perEndpoint?: number;
    sweepEveryMs?: number;
    drainStillMsMax?: number;
    deliveries?: DeliveryLog;
    leases?: Notifications['stores']['leases'];
    clock?: Clock;
    told?: 'exceptions' | 'all';
    /** Of the sandbox's own receiver. */
    receiver?: { REST_URL: string; REST_PORT: number };
  }): Running;
  callbacks(): Promise<Callback[]>;
  close(): Promise<void>;
}

interface Said {
  fields: Record<string, unknown>;
  message: string;
}

export const account = 'alpha';

/** Worlds of one file may share a Redis number: there are few, and everything in it carries the name of its database. */
export async function openWorld(sharedRedisUrl?: string, lanes = 1): Promise<World> {
  const stores = await openTracedStores(sharedRedisUrl ? () => openStoresBeside(sharedRedisUrl) : openStores);
  const { product: connection } = stores;
  const { inTransaction } = createCommitter(connection);
  const clock = runningClock();
  const vault = createVault(connection, keyringFor({ current: randomBytes(32).toString('base64'), previous: '' }));
  const config = {
    environment: 'sandbox',
    isSandbox: true,
    REST_URL: '',
    REST_PORT: 8080,
    EVENT_REPLAY_DAYS: 30,
    LANES: lanes,
    CURSOR_KEY: randomBytes(32).toString('base64'),
    CALLBACK_CONCURRENCY: 16,
  } as const;
  const said: Said[] = [];
  const log = listened(createLog(process.env['TEST_LOG'] ?? 'silent', 'test'), said);
  const { metrics, heard } = heardMetrics();
  const notifications = createNotifications({
    audit: createAudit(clock),
    isAccount: async (_environment, accountId) => accountId !== 'nobody',
    connection,
    inTransaction,
    idempotent: (_context, _field, run) => run(() => []),
    clock,
    vault,
    config,
  });
  await notifications.ensureIndexes();
  const secret = newSigningSecret();
  await notifications.seedEndpoint({ accountId: account, kind: 'notify-update', secret });
  const staff: Caller = { ...systemCaller('sandbox', 'test'), scopes: ['graph:read', 'graph:admin'] };
  const redises: Redis[] = [];
  const running = new Set<Running>();
  const open = (use: 'requests' | 'workers') => {
    const redis = openRedis(stores.redisUrl, use);
    redises.push(redis);
    return redis;
  };
  const onWakeUp = (wake: (endpointIds: readonly string[]) => void) => {
    const subscriber = open('workers');
    subscriber.on('message', (_channel, message) => wake(endpointsIn(message)));
    void subscriber.subscribe(eventsChannel);
    return () => void subscriber.removeAllListeners('message');
  };
  const started = (worker: Running): Running => {
    running.add(worker);
    return { stop: () => worker.stop().finally(() => running.delete(worker)) };
  };
  const sequences = new Map<string, number>();

  return {
    stores,
    notifications,
    inTransaction,
    vault,
    clock,
    secret,
    staff,
    async setAddress(address, accountId = account) {
      const key = { accountId, kind: 'notify-update' };
      return (await notifications.endpoints.setAddress(requestContext(staff, newId()), key, address)).endpointId;
    },
    async happen(...partials) {
      const events = partials.map((partial) => {
        const aggregateId = partial.aggregateId ?? newId();
        const sequence = (sequences.get(aggregateId) ?? 0) + 1;
        sequences.set(aggregateId, sequence);
        return virtualAccountEvent({ aggregateId, sequence, occurredAt: clock.now(), ...partial });
      });
      await Promise.all(events.map((event) => inTransaction({ events: [event] })));
      return events;
    },
    log,
    said,
    ...heard,
    startOutbox: ({ redis = open('requests'), events = notifications.stores.events } = {}) =>
      started(
        startOutboxWorker({
          connection,
          redis,
          clock,
          log,
          stores: { ...notifications.stores, events },
          metrics,
        }),
      ),
    startCallbacks: ({
      redis = open('requests'),
      perEndpoint = 16,
      sweepEveryMs = 1_000,
      drainStillMsMax = 20_000,
      deliveries = notifications.stores.deliveries,
      leases = notifications.stores.leases,
      told = 'exceptions',
      clock: ownClock = clock,
      receiver = config,
    } = {}) =>
      started(
        startCallbackWorker({
          redis,
          sweepEveryMs,
          drainStillMsMax,
          metrics,
          onWakeUp,
          blockingRedis: open('workers'),
          stores: { ...notifications.stores, deliveries, leases },
          vault,
          clock: ownClock,
          log,
          config: {
            ...config,
            REST_URL: receiver.REST_URL,
            REST_PORT: receiver.REST_PORT,
            CALLBACK_CONCURRENCY_PER_ENDPOINT: perEndpoint,
            CALLBACK_EVENTS: told,
          },
        }),
      ),
    async callbacks() {
      const found = await stores.connection.collection('deliveries').find().sort({ position: 1 }).toArray();
      return found.map(({ _id, ...rest }) => ({ callbackId: String(_id), ...rest }) as unknown as Callback);
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.stop()));
      for (const redis of redises) redis.disconnect();
      await stores.close();
    },
  };
}

async function openStoresBeside(redisUrl: string): Promise<Stores> {
  const { mongoUri, databaseName } = await newStoreAddresses();
  const mongo = await openMongo(mongoUri, 'test');
  const redis = openRedis(redisUrl, 'workers');
  return {
    mongoUri,
    databaseName,
    redisUrl,
    connection: mongo.connection,
    redis,
    close: async () => {
      await mongo.connection.dropDatabase();
      await mongo.close();
      redis.disconnect();
    },
  };
}

/** Metrics of which the test reads what it asks for. */
function heardMetrics() {
  let held = 0;
  const restarts: object[] = [];
  const nothing = () => undefined;
  const hold = (_labels: object, count: number) => {
    held = count;
  };
  const metrics = {
    outboxLag: { set: nothing },
    oldestUndelivered: { set: nothing },
    operations: { inc: nothing },
    callbackAttempts: { inc: nothing },
    outboxHeld: { set: hold },
    watchdogRestarts: { inc: (labels: object) => restarts.push(labels) },
  } as unknown as Metrics;
  return { metrics, heard: { held: () => held, restarts: () => restarts } };
}

/** The log, with its warnings and errors written down. */
function listened(log: Log, said: Said[]): Log {
  const hear = (level: 'warn' | 'error') => (fields: Record<string, unknown>, message: string) => {
    said.push({ fields, message });
    log[level](fields, message);
  };
  return Object.assign(Object.create(log), { warn: hear('warn'), error: hear('error') });
}

/** Real time plus what it was advanced by. */
function runningClock(): Clock & { advance(ms: number): void } {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    offsetMs: () => offsetMs,
    advance(ms) {
      offsetMs += ms;
    },
  };
}

export function virtualAccountEvent(partial: Partial<NewEvent>): NewEvent {
  const aggregateId = partial.aggregateId ?? newId();
  return {
    _id: newId(),
    environment: 'sandbox',
    accountId: account,
    merchantId: 'merchant-alpha-1',
    aggregateType: 'virtualAccount',
    sequence: 1,
    type: 'virtualAccount.suspended',
    version: 1,
    occurredAt: new Date(),
    requestId: newId(),
    ...partial,
    aggregateId,
    data: {
      virtualAccountId: aggregateId,
      merchantId: 'merchant-alpha-1',
      acquirerId: 'acquirer-alpha',
      providerId: 'provider-alpha',
      pspId: 'psp-alpha',
      agreementId: 'agreement-alpha',
      state: 'SUSPENDED',
      accountMasked: '424242******4242',
      accountExpiry: '122030',
      tokenMasked: '999999******0001',
      tokenExpiry: '112028',
      tokenStatus: 'SUSPENDED',
      ...partial.data,
    },
  };
}
