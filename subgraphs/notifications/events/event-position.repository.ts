// The one transaction that gives events their positions and inserts what they set in motion. It gives an event a place only behind its predecessor's, whoever asks
// and in whatever order: position order is sequence order within every aggregate by construction.
import type { ClientSession } from 'mongodb';
import type { Connection } from 'mongoose';
import type { EventRecord } from '../../shared/store/outbox';
import { platformSettings } from '../../shared/store/platform-settings';
import { inOneTransaction } from '../../shared/store/transaction';
import type { KeptCallback } from '../callbacks/callback';
import { collectionOf } from '../callbacks/collection';

export const counterId = 'eventPosition';

export interface Counter {
  _id: string;
  position: number;
  fence: number;
}

export interface PositionBatch {
  /** In the order in which the positions are given. */
  events: readonly EventRecord[];
  /** Callbacks of these events; they get their event's position. */
  callbacks: readonly KeptCallback[];
  /** Fencing number of the one leader; an older one than the counter has seen is refused. */
  fence: number;
  /** The leader's own, so that whoever comes after it can end what it left open. */
  session?: ClientSession;
}

/**
 * Unless positions were given, nothing was written. `taken`: somebody gave a position to one of the events meanwhile. `fenced`: there is a newer leader.
 * `early`: these aggregates have an event in the batch whose predecessor is neither placed nor right before it; see Early.
 */
export type PositionOutcome = { last: number } | Early | 'taken' | 'fenced';

export interface Early {
  early: string[];
  /** What of them may have its place now, from the one whose turn it is on. */
  ready: EventRecord[];
  /** Those whose next event is nowhere. */
  missing: string[];
}

type FreshCallback = Omit<KeptCallback, 'callbackId'> & { _id: string };
type InLife = Pick<EventRecord, 'aggregateId' | 'sequence'>;

/** Of what waits of an aggregate so much is fetched at once. */
const fetchedMax = 500;

export function assignPositions(connection: Connection, batch: PositionBatch): Promise<PositionOutcome> {
  return inOneTransaction(
    connection,
    (session) => assign(connection, batch, session),
    (outcome) => typeof outcome !== 'string' && 'last' in outcome,
    batch.session,
  );
}

async function assign(connection: Connection, batch: PositionBatch, session: ClientSession): Promise<PositionOutcome> {
  const counter = await platformSettings<Counter>(connection).findOneAndUpdate(
    { _id: counterId, fence: { $lte: batch.fence } },
    { $inc: { position: batch.events.length }, $set: { fence: batch.fence } },
    { session, returnDocument: 'after' },
  );
  if (!counter) return 'fenced';
  const early = await earlyIn(connection, batch.events, session);
  if (early.length > 0) return { early, ...(await judgeWaiting(connection, early, session)) };
  const first = counter.position - batch.events.length + 1;
  const positions = new Map(batch.events.map((event, index) => [event._id, first + index]));
  const { modifiedCount } = await collectionOf<EventRecord>(connection, 'events').bulkWrite(
    batch.events.map(({ _id }) => ({
      updateOne: { filter: { _id, position: null }, update: { $set: { position: positions.get(_id) ?? null } } },
    })),
    { session, ordered: true },
  );
  if (modifiedCount !== batch.events.length) return 'taken';
  if (batch.callbacks.length > 0) {
    const rows = batch.callbacks.map(({ callbackId, ...rest }) => ({
      _id: callbackId,
      ...rest,
      position: positions.get(rest.eventId) ?? 0,
    }));
    await collectionOf<FreshCallback>(connection, 'deliveries').insertMany(rows, { session, ordered: true });
  }
  return { last: counter.position };
}

/** The aggregates with an event that would have its place too soon. */
async function earlyIn(connection: Connection, events: readonly InLife[], session: ClientSession): Promise<string[]> {
  const early = new Set<string>();
  const heads = new Map<string, number>();
  const last = new Map<string, number>();
  for (const { aggregateId, sequence } of events) {
    const before = last.get(aggregateId);
    if (before === undefined) heads.set(aggregateId, sequence);
    else if (sequence !== before + 1) early.add(aggregateId);
    last.set(aggregateId, sequence);
  }
  const placed = await placedBefore(connection, heads, session);
  for (const [aggregateId, sequence] of heads) if (sequence > 1 && !placed.has(aggregateId)) early.add(aggregateId);
  return [...early];
}

/** Of these aggregates, each with a sequence, those whose event before that one has its place: one walk over the index of sequences. */
async function placedBefore(
  connection: Connection,
  heads: ReadonlyMap<string, number>,
  session: ClientSession,
): Promise<Set<string>> {
  const later = [...heads].filter(([, sequence]) => sequence > 1);
  if (later.length === 0) return new Set();
  const found = await collectionOf<EventRecord>(connection, 'events')
    .find(
      {
        aggregateId: { $in: later.map(([aggregateId]) => aggregateId) },
        sequence: { $in: [...new Set(later.map(([, sequence]) => sequence - 1))] },
        position: { $gt: 0 },
      },
      { session, projection: { _id: 0, aggregateId: 1, sequence: 1 } },
    )
    .hint({ aggregateId: 1, sequence: 1 })
    .toArray();
  return new Set(
    found.flatMap(({ aggregateId, sequence }) => (heads.get(aggregateId) === sequence + 1 ? [aggregateId] : [])),
  );
}

/** What of these aggregates waits: ready is each in sequence, from the one whose turn it is to the first that is missing. */
async function judgeWaiting(
  connection: Connection,
  aggregateIds: readonly string[],
  session: ClientSession,
): Promise<Omit<Early, 'early'>> {
  const waiting = await collectionOf<EventRecord>(connection, 'events')
    .find({ aggregateId: { $in: [...aggregateIds] }, position: null }, { session })
    .sort({ aggregateId: 1, sequence: 1 })
    .limit(fetchedMax)
    .toArray();
  const heads = new Map<string, number>();
  for (const { aggregateId, sequence } of waiting) if (!heads.has(aggregateId)) heads.set(aggregateId, sequence);
  const placed = await placedBefore(connection, heads, session);
  const next = new Map([...heads].filter(([id, sequence]) => sequence === 1 || placed.has(id)));
  const missing = [...heads.keys()].filter((id) => !next.has(id));
  const ready = waiting.filter(({ aggregateId, sequence }) => {
    if (next.get(aggregateId) !== sequence) return false;
    next.set(aggregateId, sequence + 1);
    return true;
  });
  return { ready, missing };
}
