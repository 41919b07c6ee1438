// What a book has by serial: sums per day of the actions that no payout has taken, the serials of some days, and pages of actions (reporting interface, Payout).
import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { reading } from '../../shared/store/reading';
import { addSums, noSums, type OpenDay, type PayoutSums, sumsOf } from '../payouts/payout';
import type { Run } from '../payouts/runs';
import { type BookSet, bookCollection } from './collections.repository';
import type { Book, JournalEntry, PayableAction } from './journal';
import { entryOf } from './journal.repository';

type StoredOpenActions = Omit<JournalEntry, 'entryId'> & { _id: string };

interface Group {
  _id: { merchantId: string; currency: string; day: string; action: PayableAction };
  amount: bigint | number;
  fees: bigint | number;
  count: number;
}

/** Ranges in one query; a set of more is asked for in parts. */
const runsPerQueryMax = 200;
const daysRunMsMax = 60_000;

const sumsByDay = {
  $group: {
    _id: { merchantId: '$merchantId', currency: '$currency', day: '$day', action: '$action' },
    amount: { $sum: '$amountMinor' },
    fees: { $sum: { $add: ['$flexibleFeeMinor', '$fixedFeeMinor'] } },
    count: { $sum: 1 },
  },
};

/** Ranges of serials of a book. */
export interface BookRuns {
  book: Book;
  runs: readonly Run[];
}

export type OpenActionsRepository = ReturnType<typeof createOpenActionsRepository>;

export function createOpenActionsRepository(connection: Connection, set: BookSet = 'live') {
  const entries = bookCollection<StoredOpenActions>(connection, 'journal_entries', set);

  /** The same for many books of one environment, in their order; a query serves as many of them as it can. */
  async function openDaysOfEach(books: readonly BookRuns[], throughDay: string): Promise<OpenDay[][]> {
    const days = new Map(books.map(({ book }) => [keyOf(book), new Map<string, PayoutSums>()]));
    for (const parts of queriesOf(books)) {
      const conditions = parts.map(({ book, runs }) => ({ ...among(book, runs), day: { $lte: throughDay } }));
      const [only] = conditions;
      const condition = only && conditions.length === 1 ? only : { $or: conditions };
      const groups = await reading(
        entries.aggregate<Group>([{ $match: condition }, sumsByDay], { maxTimeMS: daysRunMsMax }).toArray(),
      );
      for (const { _id, amount, fees, count } of groups) {
        const sums = sumsOf(_id.action, { amountMinor: BigInt(amount), feesMinor: BigInt(fees), count });
        const ofBook = days.get(keyOf(_id));
        ofBook?.set(_id.day, addSums(ofBook.get(_id.day) ?? noSums, sums));
      }
    }
    return books.map(({ book }) => [...(days.get(keyOf(book)) ?? [])].map(([day, sums]) => ({ day, sums })));
  }

  return {
    /** Sums by day of those serials, as far as their day is not after `throughDay`. */
    async openDays(book: Book, runs: readonly Run[], throughDay: string): Promise<OpenDay[]> {
      const [days] = await openDaysOfEach([{ book, runs }], throughDay);
      return days ?? [];
    },
    openDaysOfEach,
    /** The serials among `runs` whose day lies between the two, ascending; read from an index alone. */
    async *serials(book: Book, runs: readonly Run[], days: { from: string; to: string }): AsyncGenerator<number> {
      for (const part of partsOf(runs)) {
        const cursor = entries
          .find({ ...among(book, part), day: { $gte: days.from, $lte: days.to } }, { maxTimeMS: daysRunMsMax })
          .project<{ serial: number }>({ _id: 0, serial: 1 })
          .sort({ serial: 1 })
          .batchSize(10_000);
        for await (const { serial } of cursor) yield serial;
      }
    },
    /** By serial. */
    async list(book: Omit<Book, 'accountId'>, runs: readonly Run[]): Promise<JournalEntry[]> {
      const found: StoredOpenActions[] = [];
      for (const part of partsOf(runs))
        found.push(...(await reading(entries.find(among(book, part)).sort({ serial: 1 }).toArray())));
      return found.map(entryOf);
    },
  };
}

function among(
  { environment, merchantId, currency }: Omit<Book, 'accountId'>,
  runs: readonly Run[],
): Filter<StoredOpenActions> {
  const ranges: Document[] = runs.map(({ from, to }) => ({ serial: { $gte: from, $lte: to } }));
  // The bare range serves the common case, and keeps the index's bounds tight in the other.
  const whole = { serial: { $gte: runs[0]?.from ?? 1, $lte: runs.at(-1)?.to ?? 0 } };
  return { environment, merchantId, currency, ...whole, ...(ranges.length > 1 ? { $or: ranges } : {}) } as never;
}

function keyOf({ merchantId, currency }: Pick<Book, 'merchantId' | 'currency'>): string {
  return `${merchantId}:${currency}`;
}

/** Books side by side, as long as their ranges fit into one query. */
function queriesOf(books: readonly BookRuns[]): BookRuns[][] {
  const queries: BookRuns[][] = [];
  let room = 0;
  for (const { book, runs } of books)
    for (const part of partsOf(runs)) {
      if (part.length > room) {
        queries.push([]);
        room = runsPerQueryMax;
      }
      queries.at(-1)?.push({ book, runs: part });
      room -= part.length;
    }
  return queries;
}

function partsOf(runs: readonly Run[]): Run[][] {
  const count = Math.ceil(runs.length / runsPerQueryMax);
  return Array.from({ length: count }, (_, part) => runs.slice(part * runsPerQueryMax, (part + 1) * runsPerQueryMax));
}
