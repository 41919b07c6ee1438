// A subscription to the whole log: starts at a place in it, replays what its caller may see and its filter wants, and joins its group live.
import { setTimeout as pause } from 'node:timers/promises';
import {
  covers,
  type EventHead,
  type EventLog,
  isSamePlace,
  type LogPlace,
  type PositionedHead,
  type StreamPlace,
} from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { completedMax } from './event-completion';
import { type EventFilter, isWanted } from './event-filter';
import type { TailPlace } from './event-tail';
import { eventsOf, type PlacedEvent } from './log-walk';
import { ownedBatches, type SubscriberDeps, tell, tellGap } from './subscriber';
import type { SubscriberGroup } from './subscriber-group';
import { maySee } from './subscriber-groups';

/** How often a tail that is behind a cursor is looked at. */
const behindMs = 50;

export interface LogStart {
  filter: EventFilter;
  place: StreamPlace;
  /** Where a gap item says to go on; null when nothing is missing. */
  gap: string | null;
  /** Of a cursor among the events of the one merchant that is wanted: they are replayed by position first. */
  owned?: { merchantId: string; slot: number; from: number };
  /** Of what lies between `place` and there these are wanted, and nothing else. */
  latest?: { eventIds: ReadonlySet<string>; upTo: LogPlace };
}

interface AskedStart {
  caller: Caller;
  filter: EventFilter;
  after: string | null;
  /** How many of what came before are wanted first; 0 beside a cursor. */
  last: number;
}

/** Decides it by cursor; refuses cursors that are not of this log. */
export async function logStartOf(
  { events }: Pick<SubscriberDeps, 'events'>,
  { caller, filter, after, last }: AskedStart,
  arrived: TailPlace,
): Promise<LogStart> {
  if (after === null && last > 0) return latestStartOf(events, { caller, filter, last }, arrived);
  if (after === null) return { filter, place: arrived.place, gap: null };
  const place = events.parseStreamCursor(after);
  if (typeof place === 'number') return ownedStartOf(events, { filter, position: place }, arrived);
  // Another process may have read further than this one; nobody has read further than the log.
  if (!covers(arrived.place, place) && !(await events.hasReached(place))) throw notOurs('this log');
  const floor = await events.streamFloor(place);
  return { filter, place: floor ?? place, gap: floor && events.printPlace(floor) };
}

async function latestStartOf(
  events: SubscriberDeps['events'],
  { caller, filter, last }: Omit<AskedStart, 'after'>,
  { place: upTo }: TailPlace,
): Promise<LogStart> {
  const isSought = (event: EventHead) => maySee(caller, event) && isWanted(filter, event);
  const { from, eventIds } = await events.latest(upTo, { count: last, isWanted: isSought });
  return { filter, place: from, gap: null, latest: { eventIds, upTo } };
}

async function ownedStartOf(
  events: SubscriberDeps['events'],
  { filter, position }: { filter: EventFilter; position: number },
  arrived: TailPlace,
): Promise<LogStart> {
  const [merchantId, another] = filter.merchantIds ?? [];
  const slot = merchantId === undefined ? null : await events.slotOf({ merchantId });
  if (merchantId === undefined || another !== undefined || slot === null)
    throw notOurs('all events, but of those of one merchant or application');
  if (position > arrived.position(slot) && position > (await events.tailPosition(slot))) throw notOurs('this log');
  const floor = await events.replayFloor({ merchantId }, position);
  const owned = { merchantId, slot, from: floor ?? position };
  return { filter, place: arrived.place, gap: floor === null ? null : events.printCursor(floor), owned };
}

function notOurs(what: string): DomainError {
  return new DomainError('invalidInput', `after is not a cursor of ${what}`, { field: 'after' });
}

/** Brings the member up to date and puts it into the live group; stops early when `isOver`. */
export async function followLog(deps: SubscriberDeps, start: LogStart, isOver: () => boolean): Promise<void> {
  const { events, group, member, tail } = deps;
  let { place } = start;
  if (start.gap !== null) await tellGap(deps, start.gap);
  if (start.owned) place = await replayOwned(deps, start.filter, start.owned, isOver);
  if (start.latest) {
    const { eventIds, upTo } = start.latest;
    const latest = onlyOf(placedEvents(events, place, upTo), eventIds);
    await tell(deps, wantedOf(latest, group, start.filter), isOver);
    place = upTo;
  }
  for (;;) {
    const { place: goal } = tail.snapshot();
    if (covers(goal, place)) {
      await tell(deps, wantedOf(placedEvents(events, place, goal), group, start.filter), isOver);
      place = goal;
    } else await pause(behindMs);
    if (isOver()) return;
    // The tail moves and hands out events in one tick: whoever has everything up to it may join in that same tick.
    const now = tail.snapshot();
    if (!isSamePlace(place, now.place)) continue;
    member.from = now.serial;
    group.add(member);
    return;
  }
}

/** Answers the place up to which it has told what is wanted. */
async function replayOwned(
  deps: SubscriberDeps,
  filter: EventFilter,
  { merchantId, slot, from }: NonNullable<LogStart['owned']>,
  isOver: () => boolean,
): Promise<StreamPlace> {
  const { events, group, tail } = deps;
  while (tail.position(slot) < from && !isOver()) await pause(behindMs);
  const { place } = tail.snapshot();
  const owned = ownedBatches(events, { owner: { merchantId }, afterPosition: from, upTo: tail.position(slot) });
  await tell(deps, wantedOf(owned, group, filter), isOver);
  return place;
}

/** Never beyond the goal, so that what comes live begins right behind it on every lane. */
async function* placedEvents(
  events: Pick<EventLog, 'readOn'>,
  from: StreamPlace,
  goal: LogPlace,
): AsyncGenerator<readonly PlacedEvent[]> {
  let place = from;
  while (!isSamePlace(place, goal)) {
    const step = await events.readOn(place, nextGoal(place, goal));
    yield eventsOf(step, place);
    place = step.place;
  }
}

async function* onlyOf(
  read: AsyncIterable<readonly PlacedEvent[]>,
  eventIds: ReadonlySet<string>,
): AsyncGenerator<readonly PlacedEvent[]> {
  for await (const events of read) yield events.filter(({ _id }) => eventIds.has(_id));
}

/** In batches that are completed at once; of what has nothing wanted comes an empty one, so that its reader can stop. */
async function* wantedOf<Event extends PositionedHead>(
  read: AsyncIterable<readonly Event[]>,
  { caller, narrow }: Pick<SubscriberGroup, 'caller' | 'narrow'>,
  filter: EventFilter,
): AsyncGenerator<readonly Event[]> {
  for await (const events of read) {
    const wanted = events.filter((event) => maySee(caller, event) && isWanted(filter, event));
    let index = 0;
    do {
      yield narrow(wanted.slice(index, index + completedMax));
      index += completedMax;
    } while (index < wanted.length);
  }
}

/** A segment that a cursor lies in is read to its end before any other: a place names one such segment at most. */
export function nextGoal({ layout, numbers, part }: StreamPlace, goal: LogPlace): LogPlace {
  if (!part) return goal;
  return { layout, numbers: numbers.map((number, lane) => (lane === part.lane ? number + 1 : number)) };
}
