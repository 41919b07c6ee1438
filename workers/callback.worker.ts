// The callback worker: receives wake-ups, wakes for planned retries, and sweeps every second for what is due and nobody was woken for; with Redis away it serves
// what the sweep finds by itself.
import { setMaxListeners } from 'node:events';
import type { Redis } from 'ioredis';
import { callbackUrlRules, type DueTime, type NotificationsStores } from '../subgraphs/notifications';
import type { CallbackTally } from '../subgraphs/reporting';
import type { Config } from '../subgraphs/shared/config';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import { createWatchdog } from '../subgraphs/shared/log/watchdog';
import { createDrain } from './drain';
import type { DrainDeps, Traffic } from './drain-deps';
import { createEgress, type Egress } from './egress';
import { orElseAfter, pause, type Running } from './running';
import { createVisits } from './visits';
import { createWakeUps, receiveWakeUps } from './wake-up';

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
/** With so many callbacks on their way, each endpoint has one at a time. */
const inFlightMax = 1_024;

export interface CallbackWorkerDeps
  extends Omit<
    DrainDeps,
    | 'egress'
    | 'wakeAt'
    | 'tellsEveryAttempt'
    | 'concurrencyPerEndpoint'
    | 'traffic'
    | 'lingerMs'
    | 'metrics'
    | 'stores'
    | 'tally'
  > {
  stores: Pick<NotificationsStores, 'databaseName' | 'deliveries' | 'leases' | 'health' | 'signingEndpoint'>;
  /** What it adds up is written every few seconds, and at the end. */
  tally?: CallbackTally;
  /** Waits for Redis (openRedis 'workers'). */
  blockingRedis: Redis;
  /** Fails fast (openRedis 'requests'). */
  redis: Redis;
  config: Pick<
    Config,
    | 'isSandbox'
    | 'REST_URL'
    | 'REST_PORT'
    | 'CALLBACK_CONCURRENCY'
    | 'CALLBACK_CONCURRENCY_PER_ENDPOINT'
    | 'CALLBACK_EVENTS'
  >;
  metrics?: Pick<Metrics, 'callbackAttempts' | 'oldestUndelivered' | 'watchdogRestarts'>;
  /**
   * Calls back with the endpoints of each batch that the outbox published; returns how to stop that. Whoever serves one of them looks again, without
   * a job of the queue; without it an endpoint is let go as soon as nothing of it is due.
   */
  onWakeUp?(wake: (endpointIds: readonly string[]) => void): () => void;
  /** Made here unless given. */
  egress?: Egress;
  /** Real time between sweeps; a second unless a test wants wake-ups alone. */
  sweepEveryMs?: number;
  /** Real time without a step after which serving an endpoint is begun anew. */
  drainStillMsMax?: number;
}

/** What a sweep leaves to the next one. */
interface Swept {
  unserved: ReadonlySet<string>;
  next: DueTime | null;
}

export function startCallbackWorker(deps: CallbackWorkerDeps): Running {
  const { stores, clock, log, config } = deps;
  const stopping = new AbortController();
  // One listener per endpoint that is served: more than node's default is no leak.
  setMaxListeners(0, stopping.signal);
  const egress = deps.egress ?? createEgress({ ...callbackUrlRules(config), restPort: config.REST_PORT });
  const wakeUps = createWakeUps(deps.redis, stores.databaseName);
  const wakeTimers = new Map<string, NodeJS.Timeout>();
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

  const traffic: Traffic = {
    inFlight: 0,
    get limitPerEndpoint() {
      return this.inFlight < inFlightMax ? config.CALLBACK_CONCURRENCY_PER_ENDPOINT : 1;
    },
    get isCrowded() {
      return visits.free === 0;
    },
  };
  const drain = createDrain({
    ...deps,
    egress,
    tellsEveryAttempt: config.CALLBACK_EVENTS === 'all',
    concurrencyPerEndpoint: config.CALLBACK_CONCURRENCY_PER_ENDPOINT,
    traffic,
    lingerMs: deps.onWakeUp ? lingerMs : 0,
    wakeAt,
  });
  const visits = createVisits({
    drain,
    watch: watchDrain,
    log,
    stopping: stopping.signal,
    placesMax: config.CALLBACK_CONCURRENCY,
  });

  /** One timer per endpoint and tenth of a second. */
  function wakeAt(endpointId: string, dueAt: Date): void {
    const slot = Math.ceil(dueAt.getTime() / wakeSlotMs) * wakeSlotMs;
    const waitMs = slot - clock.now().getTime();
    const key = `${endpointId} ${slot}`;
    if (waitMs > wakeAheadMsMax || wakeTimers.has(key) || stopping.signal.aborted) return;
    const timer = setTimeout(
      () => {
        wakeTimers.delete(key);
        visits.call([endpointId]);
      },
      Math.max(0, waitMs),
    );
    wakeTimers.set(key, timer);
  }

  const receiving = receiveWakeUps(deps.blockingRedis, { wakeUps, visits, log, databaseName: stores.databaseName });
  const sweeping = sweep();
  const stopWakeUps = deps.onWakeUp?.((endpointIds) => {
    for (const endpointId of endpointIds) drain.lookAgain(endpointId);
  });

  async function sweep(): Promise<void> {
    let seen: Swept = { unserved: new Set(), next: null };
    let ageAtMs = 0;
    while (!stopping.signal.aborted) {
      await pause(deps.sweepEveryMs ?? sweepMs, stopping.signal);
      try {
        await watchSweep(async () => {
          seen = await sweepOnce(seen);
        }, stopping.signal);
        if (performance.now() - ageAtMs > ageEveryMs) {
          ageAtMs = performance.now();
          await measureAge();
        }
        await deps.tally?.write();
      } catch (error) {
        log.warn({ error }, 'the sweep for due callbacks failed');
      }
    }
  }

  /**
   * Wakes for what is due and unserved; what was so at the last sweep too is served here. It looks at what became due last and, where more is due than
   * one page holds, at one page more from where the last sweep ended: what it costs does not depend on how much there is.
   */
  async function sweepOnce(before: Swept): Promise<Swept> {
    const now = clock.now();
    const newest = await stores.deliveries.dueEndpoints(now);
    const further = before.next ? await stores.deliveries.dueEndpoints(now, before.next) : null;
    const found = new Set([...newest.endpointIds, ...(further?.endpointIds ?? [])]);
    const unserved = await stores.leases.unserved([...found].filter((endpointId) => !visits.has(endpointId)));
    const isSent = await wakeUps.send(unserved.filter((endpointId) => !before.unserved.has(endpointId)));
    const own = isSent ? unserved.filter((endpointId) => before.unserved.has(endpointId)) : unserved;
    visits.call(own.filter((endpointId) => !visits.has(endpointId)).slice(0, visits.free));
    return { unserved: new Set(unserved), next: further?.next ?? newest.next };
  }

  async function measureAge(): Promise<void> {
    if (!deps.metrics) return;
    const since = await stores.deliveries.oldestOpenSince();
    deps.metrics.oldestUndelivered.set(since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0);
  }

  return {
    async stop() {
      stopping.abort();
      stopWakeUps?.();
      for (const timer of wakeTimers.values()) clearTimeout(timer);
      await sweeping;
      await receiving.stop();
      // What is left waiting is left to others.
      await wakeUps.send(await visits.end());
      await deps.tally?.writeLast();
      await wakeUps.close();
      if (!deps.egress) await egress.close();
    },
  };
}
