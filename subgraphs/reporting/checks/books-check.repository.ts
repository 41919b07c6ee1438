// What the books add up to, counted from the entries themselves: for the check that nothing was made or lost (reporting interface; balance arithmetic of 2.3-C of the decision register).
import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { inOneOf, ofSlotOf, ofSlotOfCaller } from '../../shared/store/of-slot';
import { findAll, reading } from '../../shared/store/reading';
import { slotOfHolder } from '../../shared/store/slot';
import { bookCollection } from '../journal/collections.repository';
import { type Book, bookId, type LedgerAccount, ledgerAccounts } from '../journal/journal';
import { holderOf, type StoredBook, type StoredDay } from '../journal/stored-journal.repository';
import type { DayKey } from '../payouts/day.repository';

/** Balances of the ledger accounts of one book; debits are positive. */
type AccountSums = Record<LedgerAccount, bigint>;

export interface CountedBook extends Book {
  accounts: AccountSums;
  /** Entries whose own postings do not sum to zero. */
  unbalanced: number;
  /** Payable entries, and the highest serial among them: the same where none is missing. */
  payable: number;
  highestSerial: number;
}

/** Up to a day and with it; all of them where none is named. */
export function through(day: string | undefined): { day?: { $lte: string } } {
  return day ? { day: { $lte: day } } : {};
}

interface BookGroup {
  _id: Book;
  unbalanced: number;
  payable: number;
  highestSerial: number | null;
}

const runMsMax = 600_000;

export type BooksCheckRepository = ReturnType<typeof createBooksCheckRepository>;

export function createBooksCheckRepository(connection: Connection) {
  const entries = bookCollection<Document>(connection, 'journal_entries', 'live');
  const days = bookCollection<StoredDay>(connection, 'journal_days', 'live');
  const books = bookCollection<StoredBook>(connection, 'journal_books', 'live');

  return {
    /** Of the environment, or of what the filter leaves of it. */
    async countBooks(
      filter: Partial<Pick<Book, 'accountId' | 'merchantId'>> & { environment: Environment; day?: Document },
    ) {
      const groups = await reading(
        entries
          .aggregate<BookGroup & Record<LedgerAccount, bigint | number>>(
            [
              { $match: { ...filter, ...ofSlotOfCaller(filter) } },
              {
                $group: {
                  _id: {
                    environment: '$environment',
                    accountId: '$accountId',
                    merchantId: '$merchantId',
                    currency: '$currency',
                  },
                  ...Object.fromEntries(ledgerAccounts.map((account) => [account, { $sum: sumOf(account) }])),
                  unbalanced: { $sum: { $cond: [{ $eq: [{ $sum: '$postings.minor' }, 0] }, 0, 1] } },
                  payable: { $sum: { $cond: [{ $gt: ['$serial', null] }, 1, 0] } },
                  highestSerial: { $max: '$serial' },
                },
              },
              { $sort: { '_id.merchantId': 1, '_id.currency': 1 } },
            ],
            { maxTimeMS: runMsMax },
          )
          .toArray(),
      );
      return groups.map(({ _id, unbalanced, payable, highestSerial, ...sums }): CountedBook => {
        const accounts = ledgerAccounts.map((account) => [account, BigInt(sums[account])]);
        return {
          ..._id,
          unbalanced,
          payable,
          highestSerial: highestSerial ?? 0,
          accounts: Object.fromEntries(accounts) as AccountSums,
        };
      });
    },
    /** What the book says that its merchant is owed. */
    async balanceOf(book: Book): Promise<bigint> {
      const found = await reading(
        books.findOne({ _id: bookId(book), ...ofSlotOf(book.merchantId) } as Filter<StoredBook>),
      );
      return BigInt(found?.balanceMinor ?? 0);
    },
    /** The days of one merchant and currency that have totals. */
    async listDays(
      { environment, merchantId, currency }: Omit<Book, 'accountId'>,
      throughDay?: string,
    ): Promise<(StoredDay & DayKey)[]> {
      const holder = holderOf(environment, 'merchant', merchantId);
      const filter = { holder, currency, ...through(throughDay), ...inOneOf([slotOfHolder(holder)]) };
      const found = await reading(findAll(days, filter, { sort: { day: 1 } }));
      return found.map((day) => ({ ...day, merchantId }));
    },
    /** Credits less debits of an account, by currency. */
    async netOfAccounts(environment: Environment, throughDay?: string): Promise<Map<string, bigint>> {
      const groups = await reading(
        days
          .aggregate<{ _id: { accountId: string; currency: string }; net: bigint | number }>([
            {
              $match: {
                holder: { $regex: `^${environment}:account:` },
                ...through(throughDay),
              },
            },
            {
              $group: {
                _id: { accountId: '$accountId', currency: '$currency' },
                net: { $sum: { $subtract: ['$creditsMinor', '$debitsMinor'] } },
              },
            },
          ])
          .toArray(),
      );
      return new Map(groups.map(({ _id, net }) => [`${_id.accountId}:${_id.currency}`, BigInt(net)]));
    },
  };
}

/** The sum of an entry's postings to one account. */
function sumOf(account: LedgerAccount): Document {
  const own = { $filter: { input: '$postings', cond: { $eq: ['$$this.account', account] } } };
  return { $sum: { $map: { input: own, in: '$$this.minor' } } };
}
