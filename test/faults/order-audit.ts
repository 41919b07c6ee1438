// The checker of order: in the log, among first attempts of callbacks, in the books and at a subscriber nothing stands before what happened to the same thing earlier.
import type { Db } from 'mongodb';
import { eventually } from '../support/stores';
import { expectNone, type Figures } from './proof';

/** Something of a life, where it stands, and its number in that life. */
export interface Placed {
  life: string;
  number: number;
  place: number;
}

/** What stands before something earlier of its life. */
export function inversions(placed: readonly Placed[]): string[] {
  const last = new Map<string, Placed>();
  return [...placed]
    .sort((one, other) => one.place - other.place)
    .flatMap((each) => {
      const before = last.get(each.life);
      if (!before || before.number <= each.number) {
        last.set(each.life, each);
        return [];
      }
      return [`${each.life}: ${each.number} at ${each.place}, behind ${before.number} at ${before.place}`];
    });
}

interface StoredEvent {
  _id: string;
  slot: number;
  aggregateId: string;
  sequence: number;
  position: number | null;
}

interface StoredSegment {
  _id: string;
  heads: { _id: string; slot: number; position: number }[];
}

interface StoredCallback {
  endpointId: string;
  orderingKey: string;
  position: number;
  attempts: { at: Date }[];
}

interface StoredEntry {
  _id: string;
  merchantId: string;
  currency: string;
  serial: number | null;
  position: number;
}

/** Each slot counts from 1 on without a gap. */
export function wrongPositions(events: readonly Pick<StoredEvent, 'slot' | 'position'>[]): string[] {
  const last = new Map<number, number>();
  return [...events]
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
    .flatMap(({ slot, position }) => {
      const due = (last.get(slot) ?? 0) + 1;
      last.set(slot, position ?? 0);
      return position === due ? [] : [`slot ${slot}: ${position} where ${due} was due`];
    });
}

/** Segments follow each other on their lane without a gap, tell each event once and each slot in its order, over all layouts. */
export function wrongSegments(
  segments: readonly StoredSegment[],
  events: readonly Omit<StoredEvent, 'aggregateId' | 'sequence'>[],
): string[] {
  const numbers = new Map<string, number>();
  const told = new Map(events.map(({ _id, slot, position }) => [_id, { slot, position }]));
  const last = new Map<number, number>();
  const faults: string[] = [];
  // In the order of layouts, lanes and numbers, which is that of their ids: slots of one layout share no lane.
  for (const { _id, heads } of segments) {
    const [layout, lane, number] = _id.split(':');
    const name = `${layout}:${lane}`;
    if (Number(number) !== (numbers.get(name) ?? 0) + 1) faults.push(`${_id} behind ${numbers.get(name)}`);
    numbers.set(name, Number(number));
    for (const head of heads) {
      const event = told.get(head._id);
      if (event?.slot !== head.slot || event.position !== head.position) faults.push(`${head._id} in ${_id}`);
      if (head.position !== (last.get(head.slot) ?? 0) + 1) faults.push(`${head._id} at ${head.position} in ${_id}`);
      last.set(head.slot, head.position);
      told.delete(head._id);
    }
  }
  const untold = [...told].filter(([, { slot, position }]) => (position ?? 0) <= (last.get(slot) ?? 0));
  return [...faults, ...untold.map(([id]) => `${id} is in no segment`)];
}

/** Throws at the first inversion; events without a place are the business of others. */
export async function auditOrder(database: Db): Promise<Figures> {
  // Before the events: what is published meanwhile is in no segment that was read.
  const segments = await database.collection<StoredSegment>('event_segments').find().sort({ _id: 1 }).toArray();
  const events = await database
    .collection<StoredEvent>('events')
    .find({ position: { $ne: null } }, { projection: { aggregateId: 1, sequence: 1, slot: 1, position: 1 } })
    .toArray();
  expectNone('positions of a slot that are missing or given twice', wrongPositions(events));
  expectNone('what segments tell otherwise than the events', wrongSegments(segments, events));
  expectNone('inversions in the log', inversions(events.map(placeInLog)));
  const callbacks = await database
    .collection<StoredCallback>('deliveries')
    .find(
      { 'attempts.0': { $exists: true } },
      { projection: { endpointId: 1, orderingKey: 1, position: 1, attempts: { $slice: 1 } } },
    )
    .toArray();
  expectNone('inversions among first attempts of callbacks', inversions(callbacks.map(firstAttempt)));
  const entries = await database.collection<StoredEntry>('journal_entries').find().toArray();
  expectNone('inversions in the books', inversions(entries.flatMap(placeInBook)));
  const placeOf = new Map(events.map(({ _id, position }) => [_id, position]));
  expectNone(
    'entries of the books at another place than their event',
    entries.filter(({ _id, position }) => placeOf.get(_id) !== position),
  );
  return { inversions: 0 };
}

/** What a follower of a merchant's operations saw, by ids: all that has its place by now, each once, in order. */
export async function auditFollowed(database: Db, merchantId: string, seen: readonly string[]): Promise<void> {
  const told = { merchantId, type: { $in: ['operation.recorded', 'operation.resultChanged'] } };
  const events = await eventually(
    async () => {
      const found = await database.collection<StoredEvent>('events').find(told).toArray();
      const unseen = found.filter(({ _id }) => !seen.includes(_id));
      if (unseen.length > 0) throw new Error(`${unseen.length} of ${found.length} events were not seen`);
      return found;
    },
    { timeoutMs: 60_000, everyMs: 250 },
  );
  const byId = new Map(events.map((event) => [event._id, event]));
  const placed = seen.flatMap((id, place) => {
    const event = byId.get(id);
    return event ? [{ life: event.aggregateId, number: event.sequence, place }] : [];
  });
  expectNone('inversions at a subscriber', inversions(placed));
  expectNone(
    'events that a subscriber saw twice',
    seen.filter((id, index) => seen.indexOf(id) !== index),
  );
}

function placeInLog({ aggregateId, sequence, position }: StoredEvent): Placed {
  return { life: aggregateId, number: sequence, place: position ?? 0 };
}

function firstAttempt({ endpointId, orderingKey, position, attempts }: StoredCallback): Placed {
  return { life: `${endpointId} ${orderingKey}`, number: position, place: attempts[0]?.at.getTime() ?? 0 };
}

function placeInBook({ merchantId, currency, serial, position }: StoredEntry): Placed[] {
  return serial === null ? [] : [{ life: `${merchantId} ${currency}`, number: position, place: serial }];
}
