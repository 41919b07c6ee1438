// The leaders of the log: give every event its place in commit order and, in the same transaction, the callbacks it sets in motion; then they
// wake the others (2.4-A of the decision register). One leader for each lane at a time, under a lease with a fencing number and a watchdog.
import type { Redis } from 'ioredis';
import { startLanes } from './lanes';
import { reignOverLog } from './outbox-reign';
import type { OutboxWorkerDeps } from './publish';
import { eventsChannel, printPublished } from './published';
import { createTurns, orElseAfter, type Running } from './running';
import { createWakeUps, type WakeUps } from './wake-up';

/** With a look every second by those who do not lead, and the watchdog before it: an event of a leader that died or hangs waits less than 8 s. */
const leaseTtlMs = 4_000;
const stillMsMax = 3_000;
const publishMsMax = 1_000;
/** How long a lane waits for another one of this process: with eight of them each batch takes about 30 ms. */
const turnMsMax = 250;

/** Runs until stopped; in every process, which share the lanes. */
export function startOutboxWorker(deps: OutboxWorkerDeps): Running {
  const { connection, log, metrics } = deps;
  const wakeUps = createWakeUps(deps.redis, deps.stores.databaseName);
  const tellers = new Set<Promise<void>>();
  const takeTurn = createTurns(turnMsMax);
  const lanes = startLanes({
    connection,
    log,
    metrics,
    kind: 'outbox',
    ttlMs: leaseTtlMs,
    stillMsMax,
    list: () => deps.stores.events.lanes.lanes(),
    lead: (leading) => reignOverLog({ ...deps, takeTurn }, leading, tell),
  });

  /** While everybody is told of one batch, the next one gets its positions. */
  function tell(segment: number, endpointIds: readonly string[]): void {
    const telling = tellAll(deps.redis, wakeUps, segment, endpointIds)
      .catch((error: unknown) => log.warn({ error }, 'published events were not told'))
      .finally(() => tellers.delete(telling));
    tellers.add(telling);
  }

  return {
    async stop() {
      await lanes.stop();
      await Promise.all(tellers);
      await wakeUps.close();
    },
  };
}

/** Wake-ups only: whoever misses them finds the same in the log and in the sweep. */
async function tellAll(redis: Redis, wakeUps: WakeUps, segment: number, endpointIds: readonly string[]): Promise<void> {
  const woken = [...new Set(endpointIds)];
  await Promise.all([
    orElseAfter(publishMsMax, redis.publish(eventsChannel, printPublished(segment, woken)), 0).catch(() => 0),
    wakeUps.send(woken),
  ]);
}
