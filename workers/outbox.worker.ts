// The one reader of the log: gives every event its place in commit order and, in the same transaction, the callbacks it sets in motion; then it
// rings (2.4-A of the decision register). One leader at a time, under a lease with a fencing number and a watchdog.
import type { Redis } from 'ioredis';
import { createWatchdog, type Turn } from '../subgraphs/shared/log/watchdog';
import { isPrimaryReachable } from '../subgraphs/shared/store/mongo';
import { createLease } from './lease';
import type { OutboxWorkerDeps } from './outbox-deps';
import { reignOverLog } from './outbox-reign';
import { orElseAfter, pause, type Running } from './running';
import { createDoorbell, type Doorbell, printPublished } from './wake-up';

export const eventsChannel = 'events';
const leaseName = 'outbox';
/** With a look every second by those who do not lead, and the watchdog before it: an event of a leader that died or hangs waits less than 8 s. */
const leaseTtlMs = 4_000;
const stillMsMax = 3_000;
const lookMs = 1_000;
const answerMsMax = 1_000;
const publishMsMax = 1_000;

/** Runs until stopped; in every process, of which one leads. */
export function startOutboxWorker(deps: OutboxWorkerDeps): Running {
  const { connection, log, metrics } = deps;
  const lease = createLease(connection, leaseName, leaseTtlMs);
  const answers = () => isPrimaryReachable(connection, answerMsMax);
  const watch = createWatchdog({ loop: 'outbox', stillMsMax, log, metrics, answers });
  const doorbell = createDoorbell(deps.redis, deps.stores.databaseName);
  const stopping = new AbortController();
  const tellers = new Set<Promise<void>>();
  const running = lead().finally(async () => {
    await Promise.all(tellers);
    await doorbell.close();
  });

  /** While everybody is told of one batch, the next one gets its positions. */
  function tell(position: number, endpointIds: readonly string[]): void {
    const telling = tellAll(deps.redis, doorbell, position, endpointIds)
      .catch((error: unknown) => log.warn({ error }, 'published events were not told'))
      .finally(() => tellers.delete(telling));
    tellers.add(telling);
  }

  async function lead(): Promise<void> {
    while (!stopping.signal.aborted) {
      await watch(runExclusive, stopping.signal).catch((error: unknown) =>
        log.error({ error }, 'the outbox worker starts over'),
      );
      await pause(lookMs, stopping.signal);
    }
    await orElseAfter(answerMsMax, lease.release(), undefined).catch(() => undefined);
  }

  /** Leads if nobody does. */
  async function runExclusive(turn: Turn): Promise<void> {
    const reign = await lease.take().catch(() => null);
    turn.moved();
    if (reign) await reignOverLog(deps, { turn, reign, renew: () => lease.renew(reign.fence), tell });
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Doorbells only: whoever misses them finds the same in the log and in the sweep. */
async function tellAll(
  redis: Redis,
  doorbell: Doorbell,
  position: number,
  endpointIds: readonly string[],
): Promise<void> {
  const rung = [...new Set(endpointIds)];
  await Promise.all([
    orElseAfter(publishMsMax, redis.publish(eventsChannel, printPublished(position, rung)), 0).catch(() => 0),
    doorbell.ring(rung),
  ]);
}
