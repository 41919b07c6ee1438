// A subscription to the whole log: starts at a place in it, replays what its caller may see and its filter wants, and joins its group live.
import { setTimeout as pause } from 'node:timers/promises';
import { covers, isSamePlace, type LogPlace, type StreamPlace } from '../../subgraphs/notifications';
import { DomainError } from '../../subgraphs/shared/errors';
import { type EventFilter, isWanted } from './event-filter';
import type { TailPlace } from './event-tail';
import { eventsOf } from './log-walk';
import { replayBatchMax, type SubscriberDeps, tell, tellGap } from './subscriber';
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
}

/** Decides it by cursor; refuses cursors that are not of this log. */
export async function logStartOf(
  { events }: Pick<SubscriberDeps, 'events'>,
  { filter, after }: { filter: EventFilter; after: string | null },
  arrived: TailPlace,
): Promise<LogStart> {
  if (after === null) return { filter, place: arrived.place, gap: null };
  const place = events.parseStreamCursor(after);
  if (typeof place === 'number') return ownedStartOf(events, { filter, position: place }, arrived);
  // Another process may have read further than this one; nobody has read further than the log.
  if (!covers(arrived.place, place) && !(await events.hasReached(place))) throw notOurs('this log');
  const floor = await events.streamFloor(place);
  return { filter, place: floor ?? place, gap: floor && events.printPlace(floor) };
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
  const { group, member, tail } = deps;
  let { place } = start;
  if (start.gap !== null) await tellGap(deps, start.gap);
  if (start.owned) place = await replayOwned(deps, start.filter, start.owned, isOver);
  for (;;) {
    const { place: goal } = tail.snapshot();
    if (covers(goal, place)) place = await replay(deps, { ...start, place, goal }, isOver);
    else await pause(behindMs);
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
  const upTo = tail.position(slot);
  let told = from;
  while (told < upTo && !isOver()) {
    const batch = await events.readEvents({ afterPosition: told, upTo, merchantId, limit: replayBatchMax });
    const wanted = batch.filter((event) => maySee(group.caller, event) && isWanted(filter, event));
    await tell(deps, await group.narrow(wanted), isOver);
    told = batch.length < replayBatchMax ? upTo : (batch.at(-1)?.position ?? upTo);
  }
  return place;
}

/** Never beyond the goal, so that what comes live begins right behind it on every lane. */
async function replay(
  deps: SubscriberDeps,
  { filter, place: from, goal }: LogStart & { goal: LogPlace },
  isOver: () => boolean,
): Promise<StreamPlace> {
  const { events, group } = deps;
  let place = from;
  while (!isSamePlace(place, goal) && !isOver()) {
    const step = await events.readOn(place, nextGoal(place, goal));
    const wanted = eventsOf(step, place).filter((event) => maySee(group.caller, event) && isWanted(filter, event));
    await tell(deps, await group.narrow(wanted), isOver);
    place = step.place;
  }
  return place;
}

/** A segment that a cursor lies in is read to its end before any other: a place names one such segment at most. */
export function nextGoal({ layout, numbers, part }: StreamPlace, goal: LogPlace): LogPlace {
  if (!part) return goal;
  return { layout, numbers: numbers.map((number, lane) => (lane === part.lane ? number + 1 : number)) };
}
