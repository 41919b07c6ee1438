// The callback worker: answers rings, wakes for planned retries, and sweeps every second for what nobody rang for; with Redis away it serves what the
// sweep finds by itself.
import { setMaxListeners } from 'node:events';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { NotificationsStores } from '../subgraphs/notifications';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog } from '../subgraphs/shared/log/watchdog';
import { createDrain } from './drain';
import type { DrainDeps } from './drain-deps';
import { createEgress, type Egress } from './egress';
import { orElseAfter, pause, type Running } from './running';
import { createDoorbell, type WakeUpData, wakeUpPrefix, wakeUpQueueName } from './wake-up';

const sweepMs = 1_000;
/** Farther ahead the sweep is precise enough: a tenth of the second wait is half a second, of the third half a minute. */
const wakeAheadMsMax = 60_000;
const wakeSlotMs = 100;
const ageEveryMs = 15_000;
const lingerMs = 100;
/** One step of serving an endpoint is an attempt of 10 s at most and what is recorded of it. */
const drainStillMsMax = 20_000;
const sweepStillMsMax = 5_000;
const answerMsMax = 1_000;

export interface CallbackWorkerDeps
  extends Omit<DrainDeps, 'egress' | 'wakeAt' | 'concurrencyPerEndpoint' | 'lingerMs' | 'metrics' | 'stores'> {
  stores: Pick<NotificationsStores, 'databaseName' | 'deliveries' | 'leases' | 'health' | 'signingEndpoint'>;
  /** Waits for Redis (openRedis 'workers'). */
  blockingRedis: Redis;
  /** Fails fast (openRedis 'requests'). */
  redis: Redis;
  config: { isSandbox: boolean; CALLBACK_CONCURRENCY: number; CALLBACK_CONCURRENCY_PER_ENDPOINT: number };
  metrics?: Pick<Metrics, 'callbackAttempts' | 'oldestUndelivered' | 'watchdogRestarts'>;
  /**
   * Calls back with the endpoints of each batch that the outbox published; returns how to stop that. Whoever serves one of them looks again, without
   * a job of the queue; without it an endpoint is let go as soon as nothing of it is due.
   */
  onRung?(heard: (endpointIds: readonly string[]) => void): () => void;
  /** Made here unless given. */
  egress?: Egress;
  /** Real time between sweeps; a second unless a test wants rings alone. */
  sweepEveryMs?: number;
  /** Real time without a step after which serving an endpoint is begun anew. */
  drainStillMsMax?: number;
}

export function startCallbackWorker(deps: CallbackWorkerDeps): Running {
  const { stores, clock, log, config } = deps;
  const stopping = new AbortController();
  // One listener per endpoint that is served: more than node's default is no leak.
  setMaxListeners(0, stopping.signal);
  const egress = deps.egress ?? createEgress({ sandbox: config.isSandbox });
  const doorbell = createDoorbell(deps.redis, stores.databaseName);
  const wakes = new Map<string, NodeJS.Timeout>();
  const serving = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();

  const answers = () =>
    orElseAfter(
      answerMsMax,
      stores.deliveries.oldestOpenSince().then(() => true),
      false,
    ).catch(() => false);
  const limits = { log, metrics: deps.metrics, answers };
  const watchDrain = createWatchdog({
    ...limits,
    loop: 'callback drain',
    stillMsMax: deps.drainStillMsMax ?? drainStillMsMax,
  });
  const watchSweep = createWatchdog({ ...limits, loop: 'callback sweep', stillMsMax: sweepStillMsMax });

  const drain = createDrain({
    ...deps,
    egress,
    concurrencyPerEndpoint: config.CALLBACK_CONCURRENCY_PER_ENDPOINT,
    lingerMs: deps.onRung ? lingerMs : 0,
    wakeAt,
  });

  /** Serves the endpoint in this process; never rejects: what failed is found again by the sweep. */
  function serve(endpointId: string): Promise<unknown> {
    if (drain.lookAgain(endpointId)) return Promise.resolve();
    serving.set(endpointId, (serving.get(endpointId) ?? 0) + 1);
    const served = watchDrain(async (turn) => void (await drain.serve(endpointId, turn)), stopping.signal)
      .catch((error: unknown) => log.error({ error, endpointId }, 'serving an endpoint failed'))
      .finally(() => {
        underWay.delete(served);
        const count = (serving.get(endpointId) ?? 1) - 1;
        if (count === 0) serving.delete(endpointId);
        else serving.set(endpointId, count);
      });
    underWay.add(served);
    return served;
  }

  /** One timer per endpoint and tenth of a second. */
  function wakeAt(endpointId: string, dueAt: Date): void {
    const slot = Math.ceil(dueAt.getTime() / wakeSlotMs) * wakeSlotMs;
    const waitMs = slot - clock.now().getTime();
    const key = `${endpointId} ${slot}`;
    if (waitMs > wakeAheadMsMax || wakes.has(key) || stopping.signal.aborted) return;
    const timer = setTimeout(
      () => {
        wakes.delete(key);
        void serve(endpointId);
      },
      Math.max(0, waitMs),
    );
    wakes.set(key, timer);
  }

  const worker = new Worker<WakeUpData>(wakeUpQueueName, async ({ data }) => void (await serve(data.endpointId)), {
    connection: deps.blockingRedis,
    prefix: wakeUpPrefix(stores.databaseName),
    concurrency: config.CALLBACK_CONCURRENCY,
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  // Redis away, or emptied under a job: the sweep covers both.
  worker.on('error', (error) => log.debug({ error }, 'the ring worker met an error'));
  const sweeping = sweep();
  const silence = deps.onRung?.((endpointIds) => {
    for (const endpointId of endpointIds) drain.lookAgain(endpointId);
  });

  async function sweep(): Promise<void> {
    let unserved = new Set<string>();
    let ageAtMs = 0;
    while (!stopping.signal.aborted) {
      await pause(deps.sweepEveryMs ?? sweepMs, stopping.signal);
      try {
        await watchSweep(async () => {
          unserved = await sweepOnce(unserved);
        }, stopping.signal);
        if (performance.now() - ageAtMs > ageEveryMs) {
          ageAtMs = performance.now();
          await measureAge();
        }
      } catch (error) {
        log.warn({ error }, 'the sweep for due callbacks failed');
      }
    }
  }

  /** Rings for what is due and unserved; what was so at the last sweep too is served here. Returns what is unserved now. */
  async function sweepOnce(before: ReadonlySet<string>): Promise<Set<string>> {
    const found = await stores.deliveries.unservedEndpoints(clock.now());
    const unserved = found.filter((endpointId) => !serving.has(endpointId));
    const fresh = unserved.filter((endpointId) => !before.has(endpointId));
    const isRung = await doorbell.ring(fresh);
    const own = isRung ? unserved.filter((endpointId) => before.has(endpointId)) : unserved;
    for (const endpointId of own) {
      if (serving.size >= config.CALLBACK_CONCURRENCY) break;
      if (!serving.has(endpointId)) void serve(endpointId);
    }
    return new Set(unserved);
  }

  async function measureAge(): Promise<void> {
    if (!deps.metrics) return;
    const since = await stores.deliveries.oldestOpenSince();
    deps.metrics.oldestUndelivered.set(since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0);
  }

  return {
    async stop() {
      stopping.abort();
      silence?.();
      for (const timer of wakes.values()) clearTimeout(timer);
      await sweeping;
      await Promise.all(underWay);
      await closeWorker(worker);
      await doorbell.close();
      if (!deps.egress) await egress.close();
    },
  };
}

/** A worker without Redis cannot take its leave: what it holds there is nothing that is needed. */
async function closeWorker(worker: Worker): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, 3_000).unref());
  await Promise.race([worker.close().catch(() => undefined), late]);
}
