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
  aggregateId: string;
  sequence: number;
  position: number | null;
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

/** Throws at the first inversion; events without a place are the business of others. */
export async function auditOrder(database: Db): Promise<Figures> {
  const events = await database
    .collection<StoredEvent>('events')
    .find({ position: { $ne: null } }, { projection: { aggregateId: 1, sequence: 1, position: 1 } })
    .toArray();
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
