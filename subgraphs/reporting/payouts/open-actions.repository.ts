// What a book has by serial: sums per day of the actions that no payout has taken, the serials of some days, and pages of actions (reporting interface, Payout).
import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { withoutUndefined } from '../../shared/present-members';
import { ofSlotOf } from '../../shared/store/of-slot';
import { findAll, reading } from '../../shared/store/reading';
import { slotOf } from '../../shared/store/slot';
import { type BookSet, bookCollection } from '../journal/collections.repository';
import type { Book, JournalEntry, PayableAction } from '../journal/journal';
import { entryOf } from '../journal/journal.repository';
import type { Run } from '../journal/runs';
import type { StoredEntry } from '../journal/stored-journal.repository';
import { addSums, noSums, type OpenDay, type PayoutSums, sumsOf } from './payout';

interface ActionGroup {
  _id: { merchantId: string; currency: string; day: string; action: PayableAction };
  amount: bigint | number;
  fees: bigint | number;
  count: number;
  /** Serials. */
  first: number;
  last: number;
}

/** Ranges in one query; a set of more is asked for in parts. */
const runsPerQueryMax = 200;
const daysRunMsMax = 60_000;
/** Books in one query by day. */
const booksPerQueryMax = 500;
/** Serials of a book that are read together with those of others. */
const shortRunMax = 1_000;

const bySerial = { slot: 1, environment: 1, merchantId: 1, currency: 1, serial: 1, day: 1 };
const byDay = { environment: 1, merchantId: 1, currency: 1, day: 1 };

const sumsByDay = {
  $group: {
    _id: { merchantId: '$merchantId', currency: '$currency', day: '$day', action: '$action' },
    amount: { $sum: '$amountMinor' },
    fees: { $sum: { $add: ['$flexibleFeeMinor', '$fixedFeeMinor'] } },
    count: { $sum: 1 },
    first: { $min: '$serial' },
    last: { $max: '$serial' },
  },
};

/** By day. */
type OpenDays = Map<string, PayoutSums>;

function add(days: OpenDays | undefined, { _id, amount, fees, count }: ActionGroup): void {
  const sums = sumsOf(_id.action, { amountMinor: BigInt(amount), feesMinor: BigInt(fees), count });
  days?.set(_id.day, addSums(days.get(_id.day) ?? noSums, sums));
}

function openDaysOf(days: OpenDays | undefined): OpenDay[] {
  return [...(days ?? [])].map(([day, sums]) => ({ day, sums }));
}

function areTheRun(groups: readonly ActionGroup[], run: Run | undefined): boolean {
  const count = groups.reduce((total, group) => total + group.count, 0);
  const isWithin = ({ first, last }: ActionGroup) => run !== undefined && first >= run.from && last <= run.to;
  return run !== undefined && count === run.to - run.from + 1 && groups.every(isWithin);
}

/** Ranges of serials of a book. */
export interface BookRuns {
  book: Book;
  runs: readonly Run[];
}

export type OpenActionsRepository = ReturnType<typeof createOpenActionsRepository>;

export function createOpenActionsRepository(connection: Connection, set: BookSet = 'live') {
  const entries = bookCollection<StoredEntry>(connection, 'journal_entries', set);

  /** The same for many books of one environment, in their order; a query serves as many of them as it can. */
  async function openDaysOfEach(books: readonly BookRuns[], throughDay: string): Promise<OpenDay[][]> {
    const days = await daysSinceOfEach(books.filter(isShort), throughDay);
    const others = books.filter(({ book }) => !days.has(keyOf(book)));
    const asked = new Map([...days, ...(await daysOfRuns(others, throughDay))]);
    return books.map(({ book }) => openDaysOf(asked.get(keyOf(book))));
  }

  /** By the ranges of serials: nothing is read but what lies in them. */
  async function daysOfRuns(books: readonly BookRuns[], throughDay: string): Promise<Map<string, OpenDays>> {
    const days = new Map<string, OpenDays>(books.map(({ book }) => [keyOf(book), new Map()]));
    for (const parts of queriesOf(books)) {
      const conditions = parts.map(({ book, runs }) => ({ ...among(book, runs), day: { $lte: throughDay } }));
      const [only] = conditions;
      for (const group of await sum(only && conditions.length === 1 ? only : { $or: conditions }, bySerial))
        add(days.get(keyOf(group._id)), group);
    }
    return days;
  }

  /**
   * The common closing, in one walk over an index for many books: what is open is of the day that is closed, or later. Left out are books whose
   * actions since that day are not just their open serials; where first, last and number are those of the run, so is everything between.
   * A query by ranges of serials costs the database twenty times as much for each book, nearly all of it for planning.
   */
  async function daysSinceOfEach(books: readonly BookRuns[], day: string): Promise<Map<string, OpenDays>> {
    const days = new Map<string, OpenDays>();
    for (const part of alikeOf(books)) {
      const [{ environment, currency }] = part.map(({ book }) => book) as [Book];
      const merchantIds = part.map(({ book }) => book.merchantId);
      const ofMerchants = { environment, merchantId: { $in: merchantIds }, currency, ...ofSlotOf(...merchantIds) };
      const groups = await sum({ ...ofMerchants, day: { $gte: day }, serial: { $gt: 0 } }, byDay);
      const found = groupedBy(groups, ({ _id }) => keyOf(_id));
      for (const { book, runs } of part) {
        const own = found.get(keyOf(book)) ?? [];
        if (!areTheRun(own, runs[0])) continue;
        const open: OpenDays = new Map();
        for (const group of own) if (group._id.day === day) add(open, group);
        days.set(keyOf(book), open);
      }
    }
    return days;
  }

  function sum(condition: object, hint: Document): Promise<ActionGroup[]> {
    const options = { maxTimeMS: daysRunMsMax, hint };
    return reading(entries.aggregate<ActionGroup>([{ $match: condition }, sumsByDay], options).toArray());
  }

  return {
    /** Sums by day of those serials, as far as their day is not after `throughDay`. Whatever was booked later is not looked at: it may be years. */
    async openDays(book: Book, runs: readonly Run[], throughDay: string): Promise<OpenDay[]> {
      return openDaysOf((await daysOfRuns([{ book, runs }], throughDay)).get(keyOf(book)));
    },
    openDaysOfEach,
    /** The serials among `runs` whose day lies between the two, ascending; those with a slot are read from an index alone, which cannot show that one has none. */
    async serials(book: Book, runs: readonly Run[], days: { from: string; to: string }): Promise<number[]> {
      const found: number[] = [];
      for (const part of partsOf(runs))
        for (const slot of [slotOf(book), null]) {
          const own = { ...among(book, part), slot, day: { $gte: days.from, $lte: days.to } };
          const cursor = entries
            .find(own as Filter<StoredEntry>, { maxTimeMS: daysRunMsMax, hint: bySerial })
            .project<{ serial: number }>({ _id: 0, serial: 1 })
            .batchSize(10_000);
          for await (const { serial } of cursor) found.push(serial);
        }
      return found.sort((one, other) => one - other);
    },
    /** By serial. */
    async list(book: Omit<Book, 'accountId'>, runs: readonly Run[]): Promise<JournalEntry[]> {
      const found: StoredEntry[] = [];
      for (const part of partsOf(runs))
        found.push(...(await reading(findAll(entries, among(book, part), { sort: { serial: 1 } }))));
      return found.map(entryOf);
    },
  };
}

function among(
  { environment, merchantId, currency }: Omit<Book, 'accountId'>,
  runs: readonly Run[],
): Filter<StoredEntry> {
  const ranges: Document[] = runs.map(({ from, to }) => ({ serial: { $gte: from, $lte: to } }));
  // The bare range serves the common case, and keeps the index's bounds tight in the other.
  const whole = { serial: { $gte: runs[0]?.from ?? 1, $lte: runs.at(-1)?.to ?? 0 } };
  const others = withoutUndefined({ $or: ranges.length > 1 ? ranges : undefined });
  return { ...ofSlotOf(merchantId), environment, merchantId, currency, ...whole, ...others } as never;
}

function keyOf({ merchantId, currency }: Pick<Book, 'merchantId' | 'currency'>): string {
  return `${merchantId}:${currency}`;
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function isShort({ runs: [run, ...others] }: BookRuns): boolean {
  return run !== undefined && others.length === 0 && run.to - run.from < shortRunMax;
}

/** Books of one environment and currency, as many as go into one query. */
function alikeOf(books: readonly BookRuns[]): BookRuns[][] {
  const alike = groupedBy(books, ({ book: { environment, currency } }) => `${environment}:${currency}`);
  return [...alike.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / booksPerQueryMax) }, (_, part) =>
      group.slice(part * booksPerQueryMax, (part + 1) * booksPerQueryMax),
    ),
  );
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
