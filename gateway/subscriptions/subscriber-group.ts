// Subscribers that get equal bytes: one execution and one serialization per event for all of them, then ready frames.
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog, EventPlace } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { createLru } from '../plan/lru';
import { type Completable, createCompletion, type EventsViewer } from './event-completion';
import { soughtOf } from './event-filter';
import { eventFrame, type FramedEvent, type Payload, type SubscriptionId } from './event-frame';
import type { PlacedEvent } from './log-walk';
import type { PreparedSubscription } from './subscription-document';

/** Live events completed at once: a burst costs one query per collection, and the first of it does not wait for the last. */
const chunkMax = 16;
/** Frames written before whatever else the process serves has its turn: some five milliseconds. */
const framesAtOnce = 500;
/** Payloads kept for subscribers that resume. */
const payloadsKept = 256;

export interface Member {
  /** Id that the client gave to the subscription. */
  readonly id: SubscriptionId;
  readonly sink: Writable;
  /** Events up to this position are not for this member: they came before it, or were replayed to it. Of the whole log it is what the tail counts. */
  from: number;
  /** Closes the connection because its reader is too slow. */
  tooSlow(): void;
  /** Ends the connection because events cannot be completed for now; the client resumes by cursor. */
  giveUp(): void;
}

/** Stands for all members: same account, environment and scopes, and the same credential and address where looks are audited. */
export interface SubscriberGroupDeps extends EventsViewer {
  subscription: PreparedSubscription;
  events: Pick<EventLog, 'printCursor' | 'printPlace' | 'withWords'>;
  log: Log;
  bufferBytesMax: number;
  onSent?: (count: number) => void;
  /** Absent: nobody collects spans. */
  tracing?: Tracing | undefined;
}

/** An event of the past, with its place when it was read as one of the whole log. */
export type ToldEvent = Pick<PlacedEvent, '_id' | 'aggregateType' | 'type' | 'position'> & {
  place?: PlacedEvent['place'];
};

export interface PrintedEvent extends FramedEvent {
  /** Null for one that the caller may not see after all. */
  payload: Payload | null;
}

interface KeptPayload {
  payload: Payload | null;
  /** While it is printed, with the others of its batch. */
  printing: Promise<void> | null;
}

export interface SubscriberGroup {
  readonly size: number;
  readonly caller: Caller;
  add(member: Member): void;
  remove(member: Member): void;
  /** Queues events for all members, in order. */
  deliver(events: readonly PlacedEvent[]): void;
  print(events: readonly ToldEvent[]): Promise<PrintedEvent[]>;
  /** Those of the events that a filter wants which only their bodies can answer. */
  narrow<Event extends EventPlace>(events: readonly Event[]): Promise<readonly Event[]>;
}

export function createSubscriberGroup({
  subscription,
  caller,
  address,
  events: eventLog,
  log,
  bufferBytesMax,
  onSent,
  tracing,
}: SubscriberGroupDeps): SubscriberGroup {
  const { follows } = subscription;
  const buckets = new Map<SubscriptionId, Set<Member>>();
  const kept = createLru<KeptPayload>(payloadsKept);
  const complete = createCompletion(subscription, { caller, address }, tracing);
  const sought = 'filter' in follows ? soughtOf(follows.filter) : null;
  let size = 0;
  let queue: Promise<void> = Promise.resolve();

  /** The same event is told with another cursor to whoever has read the lanes in another order. */
  const completable = ({ _id, aggregateType, place }: ToldEvent): Completable =>
    'filter' in follows && place ? { _id, aggregateType, cursor: eventLog.printPlace(place) } : { _id, aggregateType };
  const keyOf = ({ _id, cursor = '' }: Completable) => `${_id} ${cursor}`;
  /** Behind an event: of the whole log, or, where it was read as one of its owner's, among those. */
  const cursorBehind = ({ position, place }: ToldEvent) =>
    place ? eventLog.printPlace(place) : eventLog.printCursor(position);

  async function narrow<Event extends EventPlace>(events: readonly Event[]): Promise<readonly Event[]> {
    if (sought === null || events.length === 0) return events;
    const wanted = await eventLog.withWords(events, sought);
    return events.filter(({ _id }) => wanted.has(_id));
  }

  /** Between two turns members may leave, and who joins has what is told here behind him. */
  async function broadcast(event: PlacedEvent, payload: Payload): Promise<void> {
    const position = 'filter' in follows ? event.serial : event.position;
    let sent = 0;
    for (const [id, members] of buckets) {
      let frame: Buffer | null = null;
      for (const member of members) {
        if (position <= member.from) continue;
        frame ??= eventFrame(id, payload, { type: event.type, cursor: cursorBehind(event) });
        member.sink.write(frame);
        sent += 1;
        if (member.sink.writableLength > bufferBytesMax) member.tooSlow();
        if (sent % framesAtOnce === 0) await nextTurn();
      }
    }
    onSent?.(sent);
  }

  async function run(events: readonly PlacedEvent[]): Promise<void> {
    const wanted = await narrow(events);
    for (let index = 0; index < wanted.length && size > 0; index += chunkMax) {
      const chunk = wanted.slice(index, index + chunkMax);
      const asked = chunk.map(completable);
      const printed = await complete(asked);
      for (const [at, event] of chunk.entries()) {
        const payload = printed[at] ?? null;
        kept.set(keyOf(asked[at] as Completable), { payload, printing: null });
        if (payload !== null) await broadcast(event, payload);
      }
    }
  }

  /** Printed together, and kept for whoever asks meanwhile. */
  function begin(keys: readonly string[], asked: readonly Completable[]): KeptPayload[] {
    const fresh: KeptPayload[] = asked.map(() => ({ payload: null, printing: null }));
    const printing = complete(asked).then((printed) => {
      fresh.forEach((each, index) => {
        each.payload = printed[index] ?? null;
        each.printing = null;
      });
    });
    printing.catch(() => keys.forEach(kept.delete));
    fresh.forEach((each, index) => {
      each.printing = printing;
      kept.set(keys[index] as string, each);
    });
    return fresh;
  }

  async function payloadsOf(asked: readonly Completable[]): Promise<(Payload | null)[]> {
    const keys = asked.map(keyOf);
    const known = keys.map(kept.get);
    const isUnknown = (_: unknown, index: number) => known[index] === undefined;
    const unknown = asked.filter(isUnknown);
    const fresh = unknown.length === 0 ? [] : begin(keys.filter(isUnknown), unknown);
    let taken = 0;
    const all = known.map((each) => each ?? (fresh[taken++] as KeptPayload));
    await Promise.all(new Set(all.map(({ printing }) => printing)));
    return all.map(({ payload }) => payload);
  }

  return {
    get size() {
      return size;
    },
    caller,
    add(member) {
      const bucket = buckets.get(member.id);
      if (bucket) bucket.add(member);
      else buckets.set(member.id, new Set([member]));
      size += 1;
    },
    remove(member) {
      const bucket = buckets.get(member.id);
      if (!bucket?.delete(member)) return;
      size -= 1;
      if (bucket.size === 0) buckets.delete(member.id);
    },
    deliver(events) {
      queue = queue
        .then(() => run(events))
        .catch((error: unknown) => {
          log.error({ error, code: 'internal' }, 'events could not be completed for subscribers');
          for (const members of buckets.values()) for (const member of members) member.giveUp();
        });
    },
    async print(events) {
      const payloads = await payloadsOf(events.map(completable));
      return events.map((event, index) => ({
        type: event.type,
        cursor: cursorBehind(event),
        payload: payloads[index] ?? null,
      }));
    },
    narrow,
  };
}
