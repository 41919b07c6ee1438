// Publishing a batch of events: each aggregate's in sequence, callbacks built, positions given in one transaction, then everybody told. What comes
// before its predecessor is put behind it; what has none anywhere is held back and said, and never stepped over.
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Early, Lane, NotificationsStores } from '../subgraphs/notifications';
import type { Clock } from '../subgraphs/shared/clock';
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import type { EventRecord } from '../subgraphs/shared/store/unit-of-work';
import { buildCallbacks, type CallbackRow } from './callback-rows';
import type { Reign } from './lease';
import { recordOperationMetrics } from './operation-metrics';

/** What the outbox worker is handed. */
export interface OutboxWorkerDeps {
  connection: Connection;
  /** Fails fast (openRedis 'requests'). */
  redis: Redis;
  stores: Pick<NotificationsStores, 'databaseName' | 'events' | 'endpoints'>;
  clock: Clock;
  log: Log;
  metrics?: Pick<Metrics, 'outboxLag' | 'outboxHeld' | 'operations' | 'watchdogRestarts'>;
}

/** `segment`: the number of what was published on its lane. */
export type Tell = (segment: number, endpointIds: readonly string[]) => void;

export interface Publisher {
  /** Gives what may have its place that place. Events that have one already are left out. Throws when another process leads. */
  publish(batch: readonly EventRecord[]): Promise<void>;
  /** Aggregates whose next event is missing. */
  heldIds(): string[];
  /** One event of each, to be tried again. */
  held(): EventRecord[];
}

type PublisherDeps = Pick<OutboxWorkerDeps, 'stores' | 'clock' | 'log' | 'metrics'>;

export function createPublisher(
  deps: PublisherDeps,
  { lane, reign, tell }: { lane: Lane; reign: Reign; tell: Tell },
): Publisher {
  const { events: log } = deps.stores;
  const held = new Map<string, EventRecord>();

  async function publish(batch: readonly EventRecord[]): Promise<void> {
    let events = inSequence(withoutRepeats(batch));
    let callbacks = await buildCallbacks(deps, events);
    while (events.length > 0) {
      const outcome = await log.assignPositions({ lane, events, callbacks, ...reign });
      if (outcome === 'fenced') throw new Error('another process leads this lane, or it is closed');
      if (outcome === 'taken') {
        ({ events, callbacks } = await leaveOutTaken(events, callbacks));
      } else if ('early' in outcome) {
        events = putInFront(events, outcome);
        callbacks = await buildCallbacks(deps, events);
      } else {
        return published(events, callbacks, outcome.segment);
      }
    }
  }

  function published(events: readonly EventRecord[], callbacks: readonly CallbackRow[], number: number): void {
    for (const { aggregateId } of events) held.delete(aggregateId);
    deps.metrics?.outboxHeld.set({ lane: String(lane.lane) }, held.size);
    recordOperationMetrics(deps, events);
    tell(
      number,
      callbacks.map(({ endpointId }) => endpointId),
    );
  }

  async function leaveOutTaken(events: readonly EventRecord[], callbacks: readonly CallbackRow[]) {
    const free = await log.stillUnpositioned(events);
    // Given by a transaction that no majority has yet: whoever begins anew sees it then.
    if (free.size === events.length) throw new Error('events are given their positions by somebody else');
    return {
      events: events.filter(({ _id }) => free.has(_id)),
      callbacks: callbacks.filter(({ eventId }) => free.has(eventId)),
    };
  }

  /** What is ready of the early aggregates goes first; of those that have nothing ready nothing goes. */
  function putInFront(events: readonly EventRecord[], { early, ready, missing }: Early): EventRecord[] {
    for (const id of missing) {
      const waiting = events.find(({ aggregateId }) => aggregateId === id);
      if (waiting) hold(waiting);
    }
    const out = new Set(early);
    return [...ready, ...events.filter(({ aggregateId }) => !out.has(aggregateId))];
  }

  function hold(event: EventRecord): void {
    if (!held.has(event.aggregateId)) {
      const { _id: eventId, type: eventType, requestId } = event;
      const line = { operation: 'outbox', eventId, eventType, requestId };
      deps.log.error(line, 'an event has no place because its predecessor is missing: a person must look');
    }
    held.set(event.aggregateId, event);
    deps.metrics?.outboxHeld.set({ lane: String(lane.lane) }, held.size);
  }

  return { publish, heldIds: () => [...held.keys()], held: () => [...held.values()] };
}

function withoutRepeats(batch: readonly EventRecord[]): EventRecord[] {
  return [...new Map(batch.map((event) => [event._id, event])).values()];
}

/** The same batch, the events of each aggregate in sequence; each aggregate keeps its places. */
function inSequence(batch: readonly EventRecord[]): EventRecord[] {
  const lives = new Map<string, EventRecord[]>();
  for (const event of batch) lives.set(event.aggregateId, [...(lives.get(event.aggregateId) ?? []), event]);
  for (const life of lives.values()) life.sort((one, other) => one.sequence - other.sequence);
  return batch.map((event) => lives.get(event.aggregateId)?.shift() ?? event);
}
