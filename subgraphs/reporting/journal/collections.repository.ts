// The collections of the books and of the figures. A rebuild writes a second set of them, so their names are made in one place.
import type { Collection, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { environments } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { storedText, there } from '../../shared/store/stored-schema';

/** Everything that a rebuild of the books makes anew from the event log. */
export const bookCollections = [
  'journal_entries',
  'journal_days',
  'journal_books',
  'journal_terms',
  'journal_state',
  'payouts',
  'payout_books',
] as const;
/** The same of the figures. */
export const rollUpCollections = ['metric_sums', 'metric_state'] as const;
type BookCollection = (typeof bookCollections | typeof rollUpCollections)[number];

/** Whose money, in which currency: in every document of a book. */
export const bookLines = {
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  currency: storedText,
};

/** What has no slot is of a release before. */
export interface InSlot {
  _id: string;
  slot?: number;
}

/** What is in use, or the set that a rebuild writes beside them. */
export type BookSet = 'live' | 'rebuilt';

export function bookCollectionName(name: BookCollection, set: BookSet): string {
  return set === 'live' ? name : `${name}_rebuilt`;
}

/** Whole numbers of 64 bits are bigints in both directions. */
export function bookCollection<Stored extends Document>(
  connection: Connection,
  name: BookCollection,
  set: BookSet,
): Collection<Stored> {
  return collectionOf<Stored>(connection, bookCollectionName(name, set), { useBigInt64: true });
}
