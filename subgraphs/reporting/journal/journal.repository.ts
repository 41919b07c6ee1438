// The journal at rest: a batch of entries with its day totals, serials, terms and checkpoint in one transaction; reads by serial (reporting interface).
import type { AnyBulkWriteOperation, ClientSession, Collection, Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { ofSlotOf, ofSlotOfIds } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { type SlotRange, slotOf, slotOfHolder } from '../../shared/store/slot';
import { inOneTransaction } from '../../shared/store/transaction';
import type { BookingState, Terms } from './booking';
import { termsId } from './booking';
import { createCheckpointRepository, durably } from './checkpoint.repository';
import { type BookSet, bookCollection, bookCollectionName } from './collections.repository';
import { createFormerBookRepository, giveSlotsTo, type PlaceInBooks } from './former-books.repository';
import { type Book, bookId, type JournalEntry } from './journal';
import type { LogLane } from './read-log';
import {
  bookSchema,
  daySchema,
  entrySchema,
  holderOf,
  retiredBookIndexes,
  type StoredBook,
  type StoredDay,
  type StoredEntry,
  type StoredTerms,
  termsSchema,
} from './stored-journal.repository';

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
  const terms = bookCollection<StoredTerms>(connection, 'journal_terms', set);
  const state = createCheckpointRepository(connection, set);
  const days = bookCollection<StoredDay>(connection, 'journal_days', set);

  const former = createFormerBookRepository(connection, set);

  /** False: the checkpoint is another one now. */
  const write = (batch: JournalBatch): Promise<boolean> =>
    inOneTransaction(
      connection,
      async (session) => {
        if (!(await state.move(batch, { session }))) return false;
        if (batch.entries.length > 0) await entries.insertMany(batch.entries.map(storedOf), { session, ordered: true });
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
  /** To what a release before left under the ids of the batch; whether there was any. */
  async function giveSlots(batch: JournalBatch): Promise<boolean> {
    const given = await Promise.all([
      giveSlotsTo(books, batch.books.map(placeOfBook)),
      giveSlotsTo(terms, batch.terms.map(placeOfTerms)),
      giveSlotsTo(
        days,
        batch.days.map((day) => placeOfDay(day, batch)),
      ),
    ]);
    return given.some((count) => count > 0);
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
      const ofSlots = ofSlotOf(...merchantIds);
      const [foundTerms, foundBooks] = await Promise.all([
        findAll(terms, { _id: { $in: merchantIds.map((id) => termsId(environment, id)) }, ...ofSlots }),
        findAll(books, { environment, merchantId: { $in: [...merchantIds] }, ...ofSlots }),
      ]);
      return {
        terms: new Map(foundTerms.map((one) => [one._id, termsOf(one)])),
        serials: new Map(foundBooks.map(({ _id, serial }) => [_id, serial])),
        balances: await former.balancesOf(foundBooks),
        books: new Map(foundBooks.map((one) => [one._id, one])),
      };
    },
    /** False: nothing was written, because the checkpoint is another one now. */
    commit: async (batch: JournalBatch): Promise<boolean> => {
      if (isOnlyCheckpoint(batch)) return state.move(batch, durably);
      try {
        return await write(batch);
      } catch (error) {
        // What has no slot is not found where the batch adds to it, and its id is taken.
        if ((error as { code?: unknown }).code !== 11_000 || !(await giveSlots(batch))) throw error;
        return write(batch);
      }
    },
    /** In the order of the ids; null for a merchant without. */
    async findManyTerms(environment: Environment, merchantIds: readonly string[]): Promise<(Terms | null)[]> {
      const ids = merchantIds.map((merchantId) => termsId(environment, merchantId));
      const found = await reading(findAll(terms, { _id: { $in: ids }, ...ofSlotOf(...merchantIds) }));
      const byId = new Map<string, Terms>(found.map((one) => [one._id, termsOf(one)]));
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
    listFormerBooks: former.list,
    giveSlots: former.giveSlots,
    findBook: (book: Omit<Book, 'accountId'>): Promise<StoredBook | null> =>
      reading(books.findOne({ _id: bookId(book), ...ofSlotOf(book.merchantId) } as Filter<StoredBook>)),
    /** Of several merchants, by the ids of the actions. */
    async findByActions(filter: Partial<Book>, actionIds: readonly string[]): Promise<JournalEntry[]> {
      const ofSlots = ofSlotOfIds(actionIds, filter);
      const found = await reading(findAll(entries, { ...filter, actionId: { $in: [...actionIds] }, ...ofSlots }));
      return found.map(entryOf);
    },
    /** Collections with their indexes, books of a release before with their slots, and the checkpoint of before the log had lanes made that of its first part. */
    async prepare(environment: Environment): Promise<void> {
      await prepareCollection(connection, entrySchema, bookCollectionName('journal_entries', set));
      await prepareCollection(connection, daySchema, bookCollectionName('journal_days', set));
      await prepareCollection(connection, bookSchema, bookCollectionName('journal_books', set));
      await prepareCollection(connection, termsSchema, bookCollectionName('journal_terms', set));
      await dropIndexes(connection, bookCollectionName('journal_books', set), retiredBookIndexes);
      await former.prepare(environment);
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
function placeOfDay(
  { holder, accountId, currency, day }: Omit<StoredDay, '_id'>,
  { environment, feed }: Pick<JournalBatch, 'environment' | 'feed'>,
): PlaceInBooks {
  const isOfAccount = holder === holderOf(environment, 'account', accountId);
  const part = isOfAccount && feed.lane > 0 ? `:${feed.lane}` : '';
  return { _id: `${holder}:${currency}:${day}${part}`, slot: slotOfHolder(holder) };
}

function increment(
  total: Omit<StoredDay, '_id'>,
  batch: Pick<JournalBatch, 'environment' | 'feed'>,
): AnyBulkWriteOperation<StoredDay> {
  const { holder, accountId, currency, day, creditsMinor, creditsCount, debitsMinor, debitsCount } = total;
  return {
    updateOne: {
      filter: placeOfDay(total, batch),
      update: {
        $inc: { creditsMinor, creditsCount, debitsMinor, debitsCount } as never,
        $setOnInsert: { holder, accountId, currency, day } as never,
      },
      upsert: true,
    },
  };
}

function placeOfBook(book: Book): PlaceInBooks {
  return { _id: bookId(book), slot: slotOf(book) };
}

function numbering(book: JournalBatch['books'][number]): AnyBulkWriteOperation<StoredBook> {
  const place = placeOfBook(book);
  return { replaceOne: { filter: place, replacement: { ...book, slot: place.slot }, upsert: true } };
}

function placeOfTerms({ environment, merchantId }: Terms): PlaceInBooks {
  return { _id: termsId(environment, merchantId), slot: slotOf({ merchantId, accountId: merchantId }) };
}

function replacement(terms: Terms): AnyBulkWriteOperation<StoredTerms> {
  const place = placeOfTerms(terms);
  return { replaceOne: { filter: place, replacement: { ...terms, slot: place.slot }, upsert: true } };
}

function termsOf({ _id, slot: _slot, ...terms }: StoredTerms): Terms {
  return terms;
}

function storedOf({ entryId, ...entry }: JournalEntry): StoredEntry {
  return { _id: entryId, ...entry, slot: slotOf(entry) };
}

/** An entry as its collection holds it. */
export function entryOf({ _id, slot: _slot, ...entry }: StoredEntry): JournalEntry {
  return { entryId: _id, ...entry };
}
