// Holds the attempts that callbacks record against the events that tell them: each of what should be told has exactly one, in order, and there is none without its attempt.
import type { Attempt } from '../../subgraphs/notifications';

/** As much of a database as the oracle reads, whichever driver opened it. */
interface Database {
  collection(name: string): { find(filter: object): { toArray(): Promise<object[]> } };
}

interface Row {
  _id: string;
  accountId: string;
  merchantId: string | null;
  kind: string;
  endpointId: string;
  attempts: Attempt[];
  attemptsMade: number;
  sequence?: number;
}

interface Told {
  aggregateId: string;
  sequence: number;
  position: number | null;
  accountId: string;
  merchantId: string | null;
  data: Record<string, unknown>;
}

const isOrdinary = ({ number, result, isManual }: Attempt) => number === 1 && result === 'delivered' && !isManual;

/** What is wrong, each in words. `all`: that attempts which went out as they should are told, too. */
export async function attemptFaults(database: Database, { all = false } = {}): Promise<string[]> {
  const rows = (await database.collection('deliveries').find({}).toArray()) as Row[];
  const events = (await database.collection('events').find({ aggregateType: 'callback' }).toArray()) as Told[];
  const known = new Map(rows.map((row) => [row._id, row]));
  const strangers = events.filter(({ aggregateId }) => !known.has(aggregateId));
  return [
    ...strangers.map(({ aggregateId, sequence }) => `event ${sequence} of ${aggregateId}, which is no callback`),
    ...rows.flatMap((row) => {
      const own = events.filter(({ aggregateId }) => aggregateId === row._id);
      return faultsOf(row, own, all).map((fault) => `callback ${row._id}: ${fault}`);
    }),
  ];
}

function faultsOf(row: Row, events: readonly Told[], all: boolean): string[] {
  const expected = row.attempts
    .filter((attempt) => all || !isOrdinary(attempt))
    .map((attempt) => factsOf(row, attempt));
  const inOrder = [...events].sort((one, other) => one.sequence - other.sequence);
  const told = inOrder.map(({ data }) => JSON.stringify(data));
  const sequences = inOrder.map(({ sequence }) => sequence);
  const positions = inOrder.flatMap(({ position }) => position ?? []);
  return [
    ...(told.join() === expected.join() ? [] : [`recorded ${expected.join()}, told ${told.join()}`]),
    ...(sequences.every((sequence, index) => sequence === index + 1) ? [] : [`sequences ${sequences}`]),
    ...((row.sequence ?? 0) === events.length ? [] : [`says ${row.sequence} of ${events.length} events`]),
    ...(positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0))
      ? []
      : [`positions ${positions}`]),
    ...(events.every(({ accountId, merchantId }) => accountId === row.accountId && merchantId === row.merchantId)
      ? []
      : ['of somebody else']),
  ];
}

function factsOf({ _id, endpointId, kind }: Row, { number, result, status, durationMs, nextAt }: Attempt): string {
  return JSON.stringify({ callbackId: _id, endpointId, kind, number, result, httpStatus: status, durationMs, nextAt });
}
