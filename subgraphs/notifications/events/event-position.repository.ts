// The one transaction that gives events their positions and inserts what they set in motion. It gives an event a place only behind its predecessor's, whoever asks
// and in whatever order: position order is sequence order within every aggregate by construction.
import type { ClientSession, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../shared/store/collection-of';
import { inOneOf } from '../../shared/store/of-slot';
import { findAll } from '../../shared/store/reading';
import { inOneTransaction } from '../../shared/store/transaction';
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { KeptCallback } from '../callbacks/callback';
import { ofLane } from './event-place.repository';
import { type Lane, laneId, lanesMax } from './lane';
import type { StoredLane } from './lane.repository';
import { type EventHead, type StoredSegment, segmentOf } from './segment.repository';

export interface PositionBatch {
  /** All events are of its slots. */
  lane: Lane;
  /** In the order in which the positions are given. */
  events: readonly EventRecord[];
  /** Callbacks of these events. */
  callbacks: readonly KeptCallback[];
  /** Fencing number of the one leader of the lane; an older one than the lane has seen is refused. */
  fence: number;
  /** The leader's own, so that whoever comes after it can end what it left open. */
  session?: ClientSession;
}

/**
 * Unless positions were given, nothing was written. `taken`: somebody gave a position to one of the events meanwhile. `fenced`: there is a newer leader, or the lane is closed.
 * `early`: these aggregates have an event in the batch whose predecessor is neither placed nor right before it; see Early.
 */
export type PositionOutcome = { segment: number } | Early | 'taken' | 'fenced';

export interface Early {
  early: string[];
  /** What of them may have its place now, from the one whose turn it is on. */
  ready: EventRecord[];
  /** Those whose next event is nowhere. */
  missing: string[];
}

type FreshCallback = Omit<KeptCallback, 'callbackId'> & { _id: string; slot: number | undefined };
type InLife = Pick<EventRecord, 'aggregateType' | 'aggregateId' | 'sequence' | 'slot'>;

/** The index that holds each aggregate's events in their order, once each. */
export const inSequence = { slot: 1, aggregateId: 1, sequence: 1 } as const;

/** An application has a number, which does not tell the slot that the other index begins with. */
export const application = { aggregateType: 'application' } as const;
export const ofApplication = 'applications';

/** Of what waits of an aggregate so much is fetched at once. */
const fetchedMax = 500;

export function assignPositions(connection: Connection, batch: PositionBatch): Promise<PositionOutcome> {
  return inOneTransaction(
    connection,
    (session) => assign(connection, batch, session),
    (outcome) => typeof outcome !== 'string' && 'segment' in outcome,
    batch.session,
  );
}

async function assign(connection: Connection, batch: PositionBatch, session: ClientSession): Promise<PositionOutcome> {
  const { events, callbacks, lane } = batch;
  const counts = countsOf(batch);
  const taken = await takePlaces(connection, { ...batch, counts }, session);
  if (!taken) return 'fenced';
  const early = await earlyIn(connection, events, session);
  if (early.length > 0) return { early, ...(await judgeWaiting(connection, { lane, early }, session)) };
  const heads = headsOf(events, counts, taken);
  const ids = { $literal: heads.map(({ _id }) => _id) };
  const positions = { $literal: heads.map(({ position }) => position) };
  // One command for all of them: as many of their own cost the database a quarter more, and this process twice as much.
  const { modifiedCount } = await collectionOf<EventRecord>(connection, 'events').updateMany(
    { _id: { $in: ids.$literal }, ...ofLane(lane), position: null },
    [{ $set: { position: { $arrayElemAt: [positions, { $indexOfArray: [ids, '$_id'] }] } } }],
    { session, hint: { _id: 1 } },
  );
  if (modifiedCount !== events.length) return 'taken';
  await collectionOf<StoredSegment>(connection, 'event_segments').insertOne(segmentOf(lane, taken.number, heads), {
    session,
  });
  if (callbacks.length > 0) {
    const slots = new Map(heads.map(({ _id, slot }) => [_id, slot]));
    const first = taken.ticks - callbacks.length;
    const rows = callbacks.map(({ callbackId, ...rest }, index) => ({
      _id: callbackId,
      ...rest,
      slot: slots.get(rest.eventId),
      position: callbackPlace(first + index, lane),
      dueAt: firstDueAt(first + index),
    }));
    await collectionOf<FreshCallback>(connection, 'deliveries').insertMany(rows, { session, ordered: true });
  }
  return { segment: taken.number };
}

/** Events by slot. */
function countsOf({ events, lane }: PositionBatch): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { _id, slot } of events) {
    if (slot === undefined || slot < lane.from || slot > lane.to)
      throw new Error(`event ${_id} of slot ${slot} is none of lane ${laneId(lane)}`);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return counts;
}

type Taken = Pick<StoredLane, 'base' | 'given' | 'number' | 'ticks'>;

/** Moves the lane on by the batch; null when somebody else leads it, or nobody any more. */
async function takePlaces(
  connection: Connection,
  { lane, fence, callbacks, counts }: PositionBatch & { counts: ReadonlyMap<number, number> },
  session: ClientSession,
): Promise<Taken | null> {
  const lanes = collectionOf<StoredLane>(connection, 'event_lanes');
  const own = { _id: laneId(lane), next: null, fence: { $lte: fence } };
  const perSlot = [...counts].map(([slot, count]) => [`given.${slot}`, count] as const);
  const projection = { base: 1, number: 1, ticks: 1, ...Object.fromEntries(perSlot.map(([path]) => [path, 1])) };
  const move = (after: Filter<StoredLane>, ticks: number) =>
    lanes.findOneAndUpdate(
      { ...own, ...after },
      {
        $inc: { number: 1, ...Object.fromEntries(perSlot) },
        $set: callbacks.length > 0 ? { fence, ticks } : { fence },
      },
      { session, returnDocument: 'after', projection },
    );
  if (callbacks.length === 0) return move({}, 0);
  const ticks = Math.floor(Date.now() * ticksPerMs);
  const moved = await move({ ticks: { $lte: ticks } }, ticks + callbacks.length);
  if (moved) return moved;
  // Another clock runs before ours, or more callbacks came than ticks went by.
  const ahead = await lanes.findOne(own, { session, projection: { ticks: 1 } });
  return ahead && move({}, ahead.ticks + callbacks.length);
}

/** The events as the segment tells them, each slot's in its own row of positions. */
function headsOf(
  events: readonly EventRecord[],
  counts: ReadonlyMap<number, number>,
  { base, given }: Pick<Taken, 'base' | 'given'>,
): EventHead[] {
  const last = new Map([...counts].map(([slot, count]) => [slot, base + (given[slot] ?? 0) - count]));
  return events.map(({ _id, environment, accountId, merchantId, aggregateType, aggregateId, type, slot = -1 }) => {
    const position = (last.get(slot) ?? 0) + 1;
    last.set(slot, position);
    return { _id, environment, accountId, merchantId, aggregateType, aggregateId, type, slot, position };
  });
}

/** Finer than any lane makes callbacks for long. */
const ticksPerMs = 32;

/** Callbacks of all lanes are ordered by about when they were made, those of a lane exactly, and no two have the same place. */
function callbackPlace(ticks: number, { lane }: Lane): number {
  return ticks * lanesMax + lane;
}

/** So far apart the clocks of hosts are at most where all is well: a wake-up comes sooner. */
const usualSkewMs = 100;
/** Nothing waits for a lane that some leader's clock took farther ahead. */
const aheadMsMax = 5_000;

/**
 * When a callback is due first: at once on every host, and on a lane in the order of places, since what is due is read by time: two leaders may differ in
 * what time it is. It is real time: the one clock is never behind it.
 */
function firstDueAt(ticks: number): Date {
  const nowMs = Date.now();
  const placeMs = Math.floor(ticks / ticksPerMs);
  return new Date((placeMs - nowMs > aheadMsMax ? nowMs : placeMs) - usualSkewMs);
}

/** The aggregates with an event that would have its place too soon. */
async function earlyIn(connection: Connection, events: readonly InLife[], session: ClientSession): Promise<string[]> {
  const early = new Set<string>();
  const heads = new Map<string, InLife>();
  const last = new Map<string, InLife>();
  for (const event of events) {
    const before = last.get(event.aggregateId);
    if (before === undefined) heads.set(event.aggregateId, event);
    else if (event.sequence !== before.sequence + 1 || event.slot !== before.slot) early.add(event.aggregateId);
    last.set(event.aggregateId, event);
  }
  const placed = await placedBefore(connection, heads, session);
  for (const [id, { sequence }] of heads) if (sequence > 1 && !placed.has(id)) early.add(id);
  return [...early];
}

/** Of these aggregates, each with an event, those whose event before that one has its place, in the same slot: one walk over the index of sequences. */
async function placedBefore(
  connection: Connection,
  heads: ReadonlyMap<string, InLife>,
  session: ClientSession,
): Promise<Set<string>> {
  const events = collectionOf<EventRecord>(connection, 'events');
  const later = [...heads.values()].filter(({ sequence }) => sequence > 1);
  const before = (of: readonly InLife[], where: Filter<EventRecord>, hint: typeof inSequence | string) =>
    findAll(
      events,
      {
        ...where,
        aggregateId: { $in: of.map(({ aggregateId }) => aggregateId) },
        sequence: { $in: [...new Set(of.map(({ sequence }) => sequence - 1))] },
        position: { $gt: 0 },
      },
      { session, projection: { _id: 0, aggregateId: 1, sequence: 1, slot: 1 }, hint },
    );
  if (later.length === 0) return new Set();
  const found = await before(later, inOneOf(later.map(({ slot = null }) => slot)), inSequence);
  const placed = found.filter(({ aggregateId, sequence, slot }) => {
    const head = heads.get(aggregateId);
    // What has its place from before the log was cut has no slot.
    return head?.sequence === sequence + 1 && (slot === undefined || slot === head.slot);
  });
  const ids = new Set(placed.map(({ aggregateId }) => aggregateId));
  // Releases before put an application that was given another merchantId into another slot.
  const moved = later.filter((each) => each.aggregateType === 'application' && !ids.has(each.aggregateId));
  if (moved.length === 0) return ids;
  for (const { aggregateId, sequence } of await before(moved, application, ofApplication))
    if (heads.get(aggregateId)?.sequence === sequence + 1) ids.add(aggregateId);
  return ids;
}

/** What of these aggregates waits: ready is each in sequence, from the one whose turn it is to the first that is missing. */
async function judgeWaiting(
  connection: Connection,
  { lane, early }: { lane: Lane; early: readonly string[] },
  session: ClientSession,
): Promise<Omit<Early, 'early'>> {
  const waiting = await findAll(
    collectionOf<EventRecord>(connection, 'events'),
    { aggregateId: { $in: [...early] }, ...ofLane(lane), position: null },
    { session, sort: { aggregateId: 1, sequence: 1 }, limit: fetchedMax },
  );
  const heads = new Map<string, EventRecord>();
  for (const event of waiting) if (!heads.has(event.aggregateId)) heads.set(event.aggregateId, event);
  const placed = await placedBefore(connection, heads, session);
  const next = new Map(
    [...heads.values()]
      .filter(({ aggregateId, sequence }) => sequence === 1 || placed.has(aggregateId))
      .map(({ aggregateId, sequence, slot }) => [aggregateId, { sequence, slot }]),
  );
  const missing = [...heads.keys()].filter((id) => !next.has(id));
  const ready = waiting.filter(({ aggregateId, sequence, slot }) => {
    const turn = next.get(aggregateId);
    if (turn?.sequence !== sequence || turn.slot !== slot) return false;
    next.set(aggregateId, { sequence: sequence + 1, slot });
    return true;
  });
  return { ready, missing };
}
