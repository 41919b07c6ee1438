// The one reader of the log: gives every event its place in commit order and, in the same transaction, the callbacks it sets in motion; then it
// rings (2.4-A of the decision register). One leader at a time, under a lease with a fencing number.
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { NotificationsStores } from '../subgraphs/notifications';
import type { Clock } from '../subgraphs/shared/clock';
import type { Log } from '../subgraphs/shared/log';
import type { Metrics } from '../subgraphs/shared/metrics';
import type { EventRecord } from '../subgraphs/shared/outbox';
import { buildCallbacks } from './callback-rows';
import { createLease } from './lease';
import { keepOperationFigures } from './operation-figures';
import { createDoorbell, type Doorbell, printPublished } from './ring';
import { pause, type Running, within } from './running';

export const eventsChannel = 'events';
const leaseName = 'outbox';
const leaseTtlMs = 5_000;
const heartbeatMs = 1_000;
const publishMsMax = 1_000;
const batchMax = 500;
/** Beyond this the worker starts over: what waits is then read from the log in pages. */
const bufferedMax = 20_000;

export interface OutboxWorkerDeps {
  connection: Connection;
  /** Fails fast (openRedis 'requests'). */
  redis: Redis;
  stores: Pick<NotificationsStores, 'databaseName' | 'events' | 'endpoints'>;
  clock: Clock;
  log: Log;
  metrics?: Pick<Metrics, 'outboxLag' | 'operations'>;
}

/** Runs until stopped; in every process, of which one leads. */
export function startOutboxWorker(deps: OutboxWorkerDeps): Running {
  const lease = createLease(deps.connection, leaseName, leaseTtlMs);
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
      .catch((error: unknown) => deps.log.warn({ error }, 'published events were not told'))
      .finally(() => tellers.delete(telling));
    tellers.add(telling);
  }

  async function lead(): Promise<void> {
    while (!stopping.signal.aborted) {
      const fence = await lease.hold().catch(() => null);
      try {
        if (fence !== null) await readAsLeader(deps, tell, lease.hold, fence, stopping.signal);
      } catch (error) {
        deps.log.error({ error }, 'the outbox worker starts over');
      }
      await pause(heartbeatMs, stopping.signal);
    }
    await lease.release().catch(() => undefined);
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Serves as the leader until the lease is lost, the stream breaks or the worker stops. */
async function readAsLeader(
  deps: OutboxWorkerDeps,
  tell: Tell,
  hold: () => Promise<number | null>,
  fence: number,
  stopping: AbortSignal,
): Promise<void> {
  const { events } = deps.stores;
  const over = new AbortController();
  const end = () => over.abort();
  stopping.addEventListener('abort', end, { once: true });
  const buffer: EventRecord[] = [];
  let wake: () => void = () => undefined;
  const stream = await events.watch({
    onInsert(event) {
      if (buffer.push(event) > bufferedMax) over.abort();
      wake();
    },
    onEnd: (error) => {
      deps.log.warn({ error }, 'the change stream of events ended');
      over.abort();
    },
  });
  over.signal.addEventListener('abort', () => wake());
  const missed = createSweeper(deps);
  const heart = setInterval(() => void beat(), heartbeatMs);

  async function beat(): Promise<void> {
    try {
      if ((await hold()) !== fence) return over.abort();
      buffer.push(...(await missed(buffer)));
      wake();
    } catch (error) {
      deps.log.warn({ error }, 'the outbox worker could not renew its lease');
      over.abort();
    }
  }

  try {
    // What was there before the stream goes first, however much it is: an event never gets its place before an older one of its aggregate.
    for (let waiting = await events.unpositioned(batchMax); waiting.length > 0 && !over.signal.aborted; ) {
      await publish(deps, tell, waiting, fence);
      waiting = waiting.length < batchMax ? [] : await events.unpositioned(batchMax);
    }
    while (!over.signal.aborted) {
      const batch = buffer.splice(0, batchMax);
      if (batch.length > 0) await publish(deps, tell, batch, fence);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    clearInterval(heart);
    stopping.removeEventListener('abort', end);
    await stream.close().catch(() => undefined);
  }
}

type Tell = (position: number, endpointIds: readonly string[]) => void;

/** Gives the batch its positions, then has everybody told. Events that have one already are left out. */
async function publish(deps: OutboxWorkerDeps, tell: Tell, batch: EventRecord[], fence: number): Promise<void> {
  let events = withoutRepeats(batch);
  let callbacks = await buildCallbacks(deps, events);
  for (;;) {
    const outcome = await deps.stores.events.assignPositions({ events, callbacks, fence });
    if (outcome === 'fenced') throw new Error('another process leads the outbox');
    if (outcome !== 'taken') {
      keepOperationFigures(deps, events);
      tell(
        outcome.last,
        callbacks.map(({ endpointId }) => endpointId),
      );
      return;
    }
    const free = await deps.stores.events.stillUnpositioned(events.map(({ _id }) => _id));
    events = events.filter(({ _id }) => free.has(_id));
    callbacks = callbacks.filter(({ eventId }) => free.has(eventId));
    if (events.length === 0) return;
  }
}

function withoutRepeats(batch: readonly EventRecord[]): EventRecord[] {
  return [...new Map(batch.map((event) => [event._id, event])).values()];
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
    within(publishMsMax, redis.publish(eventsChannel, printPublished(position, rung)), 0).catch(() => 0),
    doorbell.ring(rung),
  ]);
}

/** Each call returns the events that had no position at the last call either and that the stream did not bring. */
function createSweeper(deps: OutboxWorkerDeps): (buffered: readonly EventRecord[]) => Promise<EventRecord[]> {
  let seen = new Set<string>();
  return async (buffered) => {
    const found = await deps.stores.events.unpositioned(batchMax);
    const known = new Set(buffered.map(({ _id }) => _id));
    const missed = found.filter(({ _id }) => seen.has(_id) && !known.has(_id));
    seen = new Set(found.map(({ _id }) => _id));
    const oldest = found[0];
    deps.metrics?.outboxLag.set(
      oldest ? Math.max(0, deps.clock.now().getTime() - oldest.occurredAt.getTime()) / 1_000 : 0,
    );
    return missed;
  };
}
