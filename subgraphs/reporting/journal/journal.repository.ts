// The journal at rest: a batch of entries with its day totals, serials, terms and checkpoint in one transaction; reads by serial (reporting interface).
import type { AnyBulkWriteOperation, ClientSession, Collection, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { findAll } from '../../shared/store/find-all';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { type SlotRange, slotOf } from '../../shared/store/slot';
import { inOneTransaction } from '../../shared/store/transaction';
import type { BookingState, Terms } from './booking';
import { termsId } from './booking';
import { createCheckpointRepository, durably } from './checkpoint.repository';
import { type BookSet, bookCollection, bookCollectionName } from './collections.repository';
import { type Book, bookId, type JournalEntry } from './journal';
import type { LogLane } from './read-log';
import {
  bookSchema,
  byBalance,
  daySchema,
  entrySchema,
  retiredBookIndexes,
  type StoredBook,
  type StoredDay,
  type StoredEntry,
  termsSchema,
} from './stored-journal.repository';

/** Books of a release before that are given what they lack in one write. */
const formerPerWrite = 500;

/** A merchant, or an account with all its merchants. */
export function holderOf(environment: Environment, kind: 'merchant' | 'account', id: string): string {
  return `${environment}:${kind}:${id}`;
}

/** Everything that booking some events writes. */
export interface JournalBatch {
  environment: Environment;
  /** The lane that it was read from. */
  feed: LogLane;
  /** The checkpoint that it continues; another one there means that somebody else was faster. */
  from: number;
  to: number;
  entries: JournalEntry[];
  days: Omit<StoredDay, '_id'>[];
  books: (Book & { serial: number; balanceMinor: bigint })[];
  terms: Terms[];
  /** The leader's own, so that whoever comes after it can end what it left open. */
  session?: ClientSession;
}

export type JournalRepository = ReturnType<typeof createJournalRepository>;

export function createJournalRepository(connection: Connection, set: BookSet = 'live') {
  const entries = bookCollection<StoredEntry>(connection, 'journal_entries', set);
  const books = bookCollection<StoredBook>(connection, 'journal_books', set);
  const terms = bookCollection<Terms & { _id: string }>(connection, 'journal_terms', set);
  const state = createCheckpointRepository(connection, set);
  const days = bookCollection<StoredDay>(connection, 'journal_days', set);

  const lacking = { balanceMinor: { $exists: false }, slot: { $exists: false } };
  /** Those that a release before wrote, which gave them no slot; by id. */
  const listFormerBooks = (environment: Environment, afterId: string, limit: number): Promise<StoredBook[]> =>
    reading(
      findAll(books, { environment, ...lacking, _id: { $gt: afterId } }, { sort: { _id: 1 }, hint: byBalance, limit }),
    );
  /** Gives them the slots that they lack. */
  async function giveSlots(former: readonly StoredBook[]): Promise<void> {
    const give = former.map((book) => ({
      updateOne: { filter: { _id: book._id }, update: { $set: { slot: slotOf(book) } } },
    }));
    if (give.length > 0) await books.bulkWrite(give, { ordered: false });
  }
  /** By book; added up from the days where a release before has left none. */
  async function balancesOf(found: readonly StoredBook[]): Promise<Map<string, bigint>> {
    const without = found.filter(({ balanceMinor }) => balanceMinor === undefined);
    const holders = without.map(({ environment, merchantId }) => holderOf(environment, 'merchant', merchantId));
    const net = { $sum: { $subtract: ['$creditsMinor', '$debitsMinor'] } };
    const groups =
      without.length === 0
        ? []
        : await days
            .aggregate<{ _id: { holder: string; currency: string }; net: bigint | number }>([
              { $match: { holder: { $in: [...new Set(holders)] } } },
              { $group: { _id: { holder: '$holder', currency: '$currency' }, net } },
            ])
            .toArray();
    const nets = new Map(groups.map(({ _id, net: sum }) => [`${_id.holder}:${_id.currency}`, BigInt(sum)]));
    const netOf = ({ environment, merchantId, currency }: StoredBook) =>
      nets.get(`${holderOf(environment, 'merchant', merchantId)}:${currency}`) ?? 0n;
    return new Map(found.map((one) => [one._id, BigInt(one.balanceMinor ?? netOf(one))]));
  }
  /** To those that a release before wrote, each unless it was booked to meanwhile. */
  async function giveAllBalances(environment: Environment): Promise<void> {
    for (;;) {
      const former = await findAll(
        books,
        { environment, balanceMinor: { $exists: false } },
        { hint: byBalance, limit: formerPerWrite },
      );
      if (former.length === 0) return;
      const balances = await balancesOf(former);
      const give = former.map(({ _id, serial }) => ({
        updateOne: {
          filter: { _id, serial, balanceMinor: { $exists: false } },
          update: { $set: { balanceMinor: balances.get(_id) ?? 0n } },
        },
      }));
      await books.bulkWrite(give, { ordered: false });
    }
  }
  async function giveAllSlots(environment: Environment): Promise<void> {
    for (;;) {
      const former = await findAll(books, { environment, ...lacking }, { hint: byBalance, limit: formerPerWrite });
      if (former.length === 0) return;
      await giveSlots(former);
    }
  }

  return {
    checkpoint: state.checkpoint,
    checkpoints: state.checkpoints,
    /** Terms and serials as the last batch left them. */
    async bookingState(
      environment: Environment,
      merchantIds: readonly string[],
    ): Promise<BookingState & { books: Map<string, StoredBook>; balances: Map<string, bigint> }> {
      if (merchantIds.length === 0)
        return { terms: new Map(), serials: new Map(), balances: new Map(), books: new Map() };
      const [foundTerms, foundBooks] = await Promise.all([
        findAll(terms, { _id: { $in: merchantIds.map((id) => termsId(environment, id)) } }),
        findAll(books, { environment, merchantId: { $in: [...merchantIds] } }),
      ]);
      return {
        terms: new Map(foundTerms.map(({ _id, ...rest }) => [_id, rest])),
        serials: new Map(foundBooks.map(({ _id, serial }) => [_id, serial])),
        balances: await balancesOf(foundBooks),
        books: new Map(foundBooks.map((one) => [one._id, one])),
      };
    },
    /** False: nothing was written, because the checkpoint is another one now. */
    commit: (batch: JournalBatch): Promise<boolean> => {
      if (isOnlyCheckpoint(batch)) return state.move(batch, durably);
      return inOneTransaction(
        connection,
        async (session) => {
          if (!(await state.move(batch, { session }))) return false;
          if (batch.entries.length > 0)
            await entries.insertMany(batch.entries.map(storedOf), { session, ordered: true });
          await writeAll(books, batch.books.map(numbering), session);
          await writeAll(terms, batch.terms.map(replacement), session);
          await writeAll(
            days,
            batch.days.map((day) => increment(day, batch)),
            session,
          );
          return true;
        },
        (isWritten) => isWritten,
        batch.session,
      );
    },
    /** In the order of the ids; null for a merchant without. */
    async findManyTerms(environment: Environment, merchantIds: readonly string[]): Promise<(Terms | null)[]> {
      const ids = merchantIds.map((merchantId) => termsId(environment, merchantId));
      const found = await reading(findAll(terms, { _id: { $in: ids } }));
      const byId = new Map<string, Terms>(found.map(({ _id, ...rest }) => [_id, rest]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    /**
     * The first of a lane that follow `after`, in the order of merchants, which the indexes have that closing a book writes to: in that of slots each
     * book would have leaves of its own. The books of other lanes are passed over.
     */
    listBooks(environment: Environment, { from, to }: SlotRange, after: StoredBook | null, limit: number) {
      const own = { $gt: after?._id ?? `${environment}:`, $lt: `${environment};` };
      const filter = { _id: own, environment, slot: { $gte: from, $lte: to } };
      return reading(findAll(books, filter, { sort: { _id: 1 }, hint: { _id: 1 }, limit }));
    },
    listFormerBooks,
    giveSlots,
    findBook: (book: Omit<Book, 'accountId'>): Promise<StoredBook | null> =>
      reading(books.findOne({ _id: bookId(book) })),
    /** Of several merchants, by the ids of the actions. */
    async findByActions(filter: Partial<Book>, actionIds: readonly string[]): Promise<JournalEntry[]> {
      const found = await reading(findAll(entries, { ...filter, actionId: { $in: [...actionIds] } }));
      return found.map(entryOf);
    },
    /** Collections with their indexes, books of a release before with their slots, and the checkpoint of before the log had lanes made that of its first part. */
    async prepare(environment: Environment): Promise<void> {
      await prepareCollection(connection, entrySchema, bookCollectionName('journal_entries', set));
      await prepareCollection(connection, daySchema, bookCollectionName('journal_days', set));
      await prepareCollection(connection, bookSchema, bookCollectionName('journal_books', set));
      await prepareCollection(connection, termsSchema, bookCollectionName('journal_terms', set));
      await dropIndexes(connection, bookCollectionName('journal_books', set), retiredBookIndexes);
      await giveAllSlots(environment);
      await giveAllBalances(environment);
      await state.prepare(environment);
    },
  };
}

/** Events that moved no money: there is nothing that the checkpoint must agree with. */
function isOnlyCheckpoint({ entries, days, books, terms }: JournalBatch): boolean {
  return [entries, days, books, terms].every((writes) => writes.length === 0);
}

async function writeAll<Stored extends Document>(
  collection: Collection<Stored>,
  operations: AnyBulkWriteOperation<Stored>[],
  session: ClientSession,
): Promise<void> {
  if (operations.length > 0) await collection.bulkWrite(operations, { session, ordered: false });
}

/** The totals of an account are of all its merchants, so each lane adds to a document of its own: in one for all, lanes would meet. */
function increment(
  day: Omit<StoredDay, '_id'>,
  { environment, feed }: Pick<JournalBatch, 'environment' | 'feed'>,
): AnyBulkWriteOperation<StoredDay> {
  const { holder, accountId, currency, creditsMinor, creditsCount, debitsMinor, debitsCount } = day;
  const isOfAccount = holder === holderOf(environment, 'account', accountId);
  const part = isOfAccount && feed.lane > 0 ? `:${feed.lane}` : '';
  return {
    updateOne: {
      filter: { _id: `${holder}:${currency}:${day.day}${part}` },
      update: {
        $inc: { creditsMinor, creditsCount, debitsMinor, debitsCount } as never,
        $setOnInsert: { holder, accountId, currency, day: day.day } as never,
      },
      upsert: true,
    },
  };
}

function numbering(book: JournalBatch['books'][number]): AnyBulkWriteOperation<StoredBook> {
  return { replaceOne: { filter: { _id: bookId(book) }, replacement: { ...book, slot: slotOf(book) }, upsert: true } };
}

function replacement(terms: Terms): AnyBulkWriteOperation<Terms & { _id: string }> {
  const _id = termsId(terms.environment, terms.merchantId);
  return { replaceOne: { filter: { _id }, replacement: terms, upsert: true } };
}

function storedOf({ entryId, ...entry }: JournalEntry): StoredEntry {
  return { _id: entryId, ...entry };
}

/** An entry as its collection holds it. */
export function entryOf({ _id, ...entry }: StoredEntry): JournalEntry {
  return { entryId: _id, ...entry };
}
