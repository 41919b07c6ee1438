// What releases before left in the books: without a slot, or without what the merchant is owed; given both at the start, and where a batch meets it.
import type { Collection, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { inOneOf, ofSlotOf } from '../../shared/store/of-slot';
import { findAll, reading } from '../../shared/store/reading';
import { slotOf, slotOfHolder } from '../../shared/store/slot';
import { type BookSet, bookCollection } from './collections.repository';
import { byBalance, holderOf, type StoredBook, type StoredDay } from './stored-journal.repository';

/** Where a document of the books is. */
export interface PlaceInBooks {
  _id: string;
  slot: number;
}

/** Books that are given what they lack in one write. */
const formerPerWrite = 500;

export function createFormerBookRepository(connection: Connection, set: BookSet) {
  const books = bookCollection<StoredBook>(connection, 'journal_books', set);
  const days = bookCollection<StoredDay>(connection, 'journal_days', set);
  /** The books of a release before that gave them neither. */
  const lacking = { balanceMinor: { $exists: false }, slot: { $exists: false } };

  const giveSlots = (former: readonly StoredBook[]) =>
    giveSlotsTo(
      books,
      former.map((book) => ({ _id: book._id, slot: slotOf(book) })),
    );
  /** By book; added up from the days where a release before has left none. */
  async function balancesOf(found: readonly StoredBook[]): Promise<Map<string, bigint>> {
    const without = found.filter(({ balanceMinor }) => balanceMinor === undefined);
    const holders = without.map(({ environment, merchantId }) => holderOf(environment, 'merchant', merchantId));
    const ofSlots = inOneOf(holders.map(slotOfHolder));
    const net = { $sum: { $subtract: ['$creditsMinor', '$debitsMinor'] } };
    const groups =
      without.length === 0
        ? []
        : await days
            .aggregate<{ _id: { holder: string; currency: string }; net: bigint | number }>([
              { $match: { holder: { $in: [...new Set(holders)] }, ...ofSlots } },
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
      const give = former.map(({ _id, serial, merchantId }) => ({
        updateOne: {
          filter: { _id, serial, balanceMinor: { $exists: false }, ...ofSlotOf(merchantId) },
          update: { $set: { balanceMinor: balances.get(_id) ?? 0n } },
        },
      }));
      await books.bulkWrite(give as never, { ordered: false });
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
    /** Those without a slot; by id. */
    list: (environment: Environment, afterId: string, limit: number): Promise<StoredBook[]> =>
      reading(
        findAll(
          books,
          { environment, ...lacking, _id: { $gt: afterId } },
          { sort: { _id: 1 }, hint: byBalance, limit },
        ),
      ),
    giveSlots,
    balancesOf,
    /** Slots, then balances, to all of them. */
    async prepare(environment: Environment): Promise<void> {
      await giveAllSlots(environment);
      await giveAllBalances(environment);
    },
  };
}

/** As far as they have none; resolves with how many were given one. */
export async function giveSlotsTo<Stored extends { _id: string; slot?: number }>(
  collection: Collection<Stored>,
  places: readonly PlaceInBooks[],
): Promise<number> {
  const give = places.map(({ _id, slot }) => ({
    updateOne: { filter: { _id, slot: null } as unknown as Filter<Stored>, update: { $set: { slot } } },
  }));
  if (give.length === 0) return 0;
  return (await collection.bulkWrite(give as never, { ordered: false })).modifiedCount;
}
