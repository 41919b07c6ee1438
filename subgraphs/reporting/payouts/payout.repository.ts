// Payouts at rest, and how far each book is paid out; both change in one unit of work, guarded by the book's version (reporting interface, Payout).
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { boundedCount } from '../../shared/lists/bounded-count';
import { boundedList } from '../../shared/lists/bounded-list';
import { childPages } from '../../shared/lists/child-pages';
import { alongTime, type Slice } from '../../shared/lists/list-order';
import { placed } from '../../shared/lists/list-page';
import type { Page, TotalCount } from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { allOf, anyOf, between } from '../../shared/store/conditions';
import { ofSlotOf, ofSlotOfIds, ofSlotOfList } from '../../shared/store/of-slot';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { slotOf } from '../../shared/store/slot';
import { absentOr, maybeText, storedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import {
  type BookSet,
  bookCollection,
  bookCollectionName,
  bookLines,
  type InSlot,
} from '../journal/collections.repository';
import { type Book, bookId } from '../journal/journal';
import type { Run } from '../journal/runs';
import type { Payout } from './payout';

type StoredPayout = Omit<Payout, 'payoutId'> & InSlot;
type StoredPaidBook = PaidBook & InSlot;

/** What a book has paid out. */
export interface PaidBook extends Omit<Book, 'accountId'> {
  /** Number of its last payout. */
  number: number;
  /** Every serial up to this one was looked at by a payout. */
  settledTo: number;
  /** Those among them that none has taken. */
  open: Run[];
}

const runPart = storedPart<Run>({ from: there(Number), to: there(Number) });
const payoutSchema = storedSchema<StoredPayout>('payouts', {
  _id: storedText,
  slot: absentOr(Number),
  ...bookLines,
  number: there(Number),
  date: storedText,
  reference: storedText,
  iban: maybeText,
  bic: maybeText,
  amountMinor: there(BigInt),
  chargedMinor: there(BigInt),
  refundedMinor: there(BigInt),
  depositedMinor: there(BigInt),
  feesMinor: there(BigInt),
  chargebacksMinor: there(BigInt),
  adjustmentsMinor: there(BigInt),
  chargeCount: there(Number),
  refundCount: there(Number),
  depositCount: there(Number),
  actionCount: there(Number),
  runs: there([runPart]),
  upToSerial: there(Number),
  closedAt: there(Date),
});
payoutSchema.index({ environment: 1, merchantId: 1, date: 1, _id: 1 });
payoutSchema.index({ environment: 1, accountId: 1, date: 1, _id: 1 });
payoutSchema.index({ environment: 1, date: 1, _id: 1 });
payoutSchema.index({ slot: 1, environment: 1, merchantId: 1, currency: 1, number: 1 }, { unique: true });
payoutSchema.index({ environment: 1, merchantId: 1, currency: 1, 'runs.from': 1 });

const paidBookSchema = storedSchema<StoredPaidBook>('payout_books', {
  _id: storedText,
  slot: absentOr(Number),
  environment: there(String, { enum: environments }),
  merchantId: storedText,
  currency: storedText,
  number: there(Number),
  settledTo: there(Number),
  open: there([runPart]),
});

/** Whose payouts: a merchant's, an account's, or (staff) everyone's of an environment. */
export interface PayoutOwner {
  environment: Environment;
  accountId?: string;
  merchantId?: string;
}

export interface PayoutFilter {
  owner: PayoutOwner;
  /** By date, both inclusive. */
  from?: string | null;
  to?: string | null;
  currency?: string | null;
  /** Any of these. */
  merchantIds?: readonly string[] | null;
  currencies?: readonly string[] | null;
  /** Minor units, both inclusive; a negative one took something back. */
  minAmount?: string | null;
  maxAmount?: string | null;
}

export type PayoutRepository = ReturnType<typeof createPayoutRepository>;

/** Up to `size` payouts behind a place in the list; null starts at its head, or backward at its end. */
export type PayoutSlice = Slice<{ date: string; payoutId: string }>;

const inOrder = { date: 1, _id: 1 } as const;
const newestFirst = { date: -1, _id: -1 } as const;

export function createPayoutRepository(connection: Connection, set: BookSet = 'live') {
  const payouts = bookCollection<StoredPayout>(connection, 'payouts', set);
  const paid = bookCollection<StoredPaidBook>(connection, 'payout_books', set);

  /** In the order of the books. */
  async function findManyPaid(books: readonly Omit<Book, 'accountId'>[]): Promise<PaidBook[]> {
    const ids = books.map(bookId);
    const ofSlots = ofSlotOf(...books.map(({ merchantId }) => merchantId));
    const found = await reading(findAll(paid, { _id: { $in: ids }, ...ofSlots }));
    const byId = new Map<string, PaidBook>(found.map(({ _id, slot: _slot, ...rest }) => [_id, rest]));
    return books.map((book, index) => byId.get(ids[index] as string) ?? nothingPaid(book));
  }

  return {
    /** A book without payouts has paid nothing. */
    async findPaid(book: Omit<Book, 'accountId'>): Promise<PaidBook> {
      const [found] = await findManyPaid([book]);
      return found as PaidBook;
    },
    findManyPaid,
    /** Matches only while nobody has made another payout of the book. */
    closingOf(payout: Payout, before: PaidBook, after: PaidBook): { inserts: InsertWrite[]; updates: UpdateWrite[] } {
      const inserts: InsertWrite[] = [
        { collection: bookCollectionName('payouts', set), document: storedPayoutOf(payout) },
      ];
      const collection = bookCollectionName('payout_books', set);
      if (before.number === 0) inserts.push({ collection, document: storedBookOf(payout, after) });
      const { number, settledTo, open } = after;
      const update = {
        collection,
        filter: { _id: bookId(payout), number: before.number, ...ofSlotOf(payout.merchantId) },
        update: { $set: { number, settledTo, open } },
      };
      return { inserts, updates: before.number === 0 ? [] : [update] };
    },
    /** Writes a payout that the log tells of, and how far its book is paid. */
    async put(payout: Payout, after: PaidBook): Promise<void> {
      const { _id: payoutId, ...stored } = storedPayoutOf(payout);
      await payouts.replaceOne({ _id: payoutId, slot: stored.slot }, stored, { upsert: true });
      const { _id: paidBookId, ...book } = storedBookOf(payout, after);
      await paid.replaceOne({ _id: paidBookId, slot: book.slot }, book, { upsert: true });
    },
    /** Null when it is absent or somebody else's. */
    async find(owner: PayoutOwner, payoutId: string): Promise<Payout | null> {
      const found = await reading(
        payouts.findOne({ ...owner, _id: payoutId, ...ofSlotOfIds([payoutId], owner) } as Filter<StoredPayout>),
      );
      return found && payoutOf(found);
    },
    async findMany(owner: PayoutOwner, ids: readonly string[]): Promise<Payout[]> {
      const named = { ...owner, _id: { $in: [...ids] }, ...ofSlotOfIds(ids, owner) } as Filter<StoredPayout>;
      const found = await reading(findAll(payouts, named));
      return found.map(payoutOf);
    },
    count: (filter: PayoutFilter): Promise<number> => reading(payouts.countDocuments(conditionOf(filter))),
    /** By date, those of one day by id. */
    async list(filter: PayoutFilter, { skip, size }: { skip: number; size: number }): Promise<Payout[]> {
      const found = await reading(
        findAll(payouts, inSlots(filter), { projection: { runs: 0 }, sort: inOrder, skip, limit: size }),
      );
      return found.map(payoutOf);
    },
    /** Newest first, after a place in that order; `size` of them. Refuses with `unavailable` where too few are found in time. */
    async listAfter(filter: PayoutFilter, slice: PayoutSlice): Promise<Payout[]> {
      const { beyond, sort, size } = alongDate(slice);
      const condition = placed(inSlots(filter), beyond) as Filter<StoredPayout>;
      return (await boundedList(payouts, condition, { sort, limit: size })).map(payoutOf);
    },
    /** Up to a bound. */
    countForList: (filter: PayoutFilter): Promise<TotalCount> =>
      boundedCount(payouts, conditionOf(filter), { sort: newestFirst }),
    /** The same for each of many merchants, in one query. */
    listEachAfter(
      filter: PayoutFilter,
      merchantIds: readonly string[],
      slice: PayoutSlice,
    ): Promise<Map<string, Page<Payout>>> {
      const target = {
        connection,
        collection: bookCollectionName('payouts', set),
        parentField: 'merchantId',
        useBigInt64: true,
      };
      const slots = ofSlotOf(...merchantIds);
      const query = { parentIds: merchantIds, filter: conditionOf(filter), slots, ...alongDate(slice) };
      return reading(childPages<StoredPayout, Payout>(target, query, payoutOf));
    },
    /** The payouts that took these serials, in any order. */
    async findByActions(actions: readonly (Omit<Book, 'accountId'> & { serial: number })[]): Promise<Payout[]> {
      if (actions.length === 0) return [];
      const conditions = actions.map(({ environment, merchantId, currency, serial }) => ({
        environment,
        merchantId,
        currency,
        runs: { $elemMatch: { from: { $lte: serial }, to: { $gte: serial } } },
      }));
      const ofSlots = ofSlotOf(...actions.map(({ merchantId }) => merchantId));
      const found = await reading(findAll(payouts, { $or: conditions, ...ofSlots } as Filter<StoredPayout>));
      return found.map(payoutOf);
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, payoutSchema, bookCollectionName('payouts', set));
      await prepareCollection(connection, paidBookSchema, bookCollectionName('payout_books', set));
    },
  };
}

function nothingPaid({ environment, merchantId, currency }: Omit<Book, 'accountId'>): PaidBook {
  return { environment, merchantId, currency, number: 0, settledTo: 0, open: [] };
}

function alongDate({ after, ...slice }: PayoutSlice) {
  return alongTime('date', { ...slice, after: after && { at: after.date, id: after.payoutId } });
}

function conditionOf({ owner, from, to, currency, ...rest }: PayoutFilter): Filter<StoredPayout> {
  const { merchantIds, currencies, minAmount, maxAmount } = rest;
  return {
    ...owner,
    ...between('date', from, to),
    ...withoutUndefined({ currency: currency || undefined }),
    ...between('amountMinor', minAmount && BigInt(minAmount), maxAmount && BigInt(maxAmount)),
    ...allOf(anyOf({ merchantId: merchantIds, currency: currencies })),
  } as Filter<StoredPayout>;
}

/** The same in the slots of its merchants; what counts goes by keys, which do not hold the slot. */
function inSlots(filter: PayoutFilter): Filter<StoredPayout> {
  const { owner, merchantIds = null } = filter;
  return { ...conditionOf(filter), ...ofSlotOfList({ ...owner, merchantIds }) } as Filter<StoredPayout>;
}

function storedPayoutOf({ payoutId, ...payout }: Payout) {
  return { _id: payoutId, ...payout, slot: slotOf(payout) };
}

function storedBookOf(book: Book, paid: PaidBook) {
  return { _id: bookId(book), ...paid, slot: slotOf(book) };
}

/** Sums of 64 bits come back as bigints; a list leaves the runs out. */
function payoutOf({ _id, slot: _slot, ...stored }: StoredPayout): Payout {
  return { payoutId: _id, ...stored, runs: stored.runs ?? [] };
}
