// What the books find: payouts by their id and by their reference on a bank statement, ledger entries by their id.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { createIdSearch } from '../../shared/lists/search-by-id';
import { type Find, findTogether, hitsOf } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { ofSlotOfEventIds, ofSlotOfIds } from '../../shared/store/of-slot';
import { readPayoutReference } from '../payouts/payout';

interface SearchedInBooks {
  _id: string;
}

export function createBookSearch(connection: Connection): Find {
  const payouts = collectionOf<SearchedInBooks>(connection, 'payouts');
  const entries = collectionOf<SearchedInBooks>(connection, 'journal_entries');

  /** A reference has the day and the beginning of the id, as the lists of payouts have them. */
  const byReference: Find = async (caller, { text }, max) => {
    const named = readPayoutReference(text);
    if (named === null) return [];
    const place = { date: named.date, _id: { $gte: named.idBegin, $lt: `${named.idBegin}g` } };
    const own = { ...tenantFilter(caller), ...place } as Filter<SearchedInBooks>;
    return hitsOf('Payout', 'REFERENCE', await boundedList(payouts, own, { projection: { _id: 1 }, limit: max }));
  };
  return findTogether(
    createIdSearch(payouts, 'Payout', { ofSlotOf: ofSlotOfIds }),
    createIdSearch(entries, 'LedgerEntry', { ofSlotOf: (ids) => ofSlotOfEventIds(ids, {}) }),
    byReference,
  );
}
