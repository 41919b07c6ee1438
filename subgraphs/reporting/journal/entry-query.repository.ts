// Reads of the journal's entries over many merchants: by filter, along the time or the amount, from either end.
import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { alongTime } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { allOf, anyOf, between } from '../../shared/store/conditions';
import { ofSlotOfEventIds, ofSlotOfList } from '../../shared/store/of-slot';
import { findAll, reading } from '../../shared/store/reading';
import { bookCollection } from './collections.repository';
import type { EntryFilter, EntrySlice } from './entry-query';
import type { JournalEntry } from './journal';
import { entryOf } from './journal.repository';
import { isNoCharge, type StoredEntry } from './stored-journal.repository';

const orderedField = { NEWEST: 'occurredAt', LARGEST: 'amountMinor' } as const;

export type EntryQueryRepository = ReturnType<typeof createEntryQueryRepository>;

export function createEntryQueryRepository(connection: Connection) {
  const entries = bookCollection<StoredEntry>(connection, 'journal_entries', 'live');

  return {
    async list(caller: Caller, filter: EntryFilter, slice: EntrySlice): Promise<Page<JournalEntry>> {
      const along = alongTime(orderedField[slice.order], slice);
      const slots = ofSlotOfList({ ...caller, ...filter });
      return listPage(entries, { filter: conditionOf(caller, filter), slots, ...along }, entryOf);
    },
    /** Those of the caller's; absent and foreign ones are left out. */
    async findMany(caller: Caller, ids: readonly string[]): Promise<JournalEntry[]> {
      const { merchantId } = caller;
      const own = { ...tenantFilter(caller), ...withoutUndefined({ merchantId }), _id: { $in: [...ids] } };
      const ofSlots = ofSlotOfEventIds(ids, caller);
      return (await reading(findAll(entries, { ...own, ...ofSlots } as Filter<StoredEntry>))).map(entryOf);
    },
  };
}

function conditionOf(caller: Caller, filter: EntryFilter): Document {
  const { from, to, minAmount, maxAmount, merchantIds, actions, currencies } = filter;
  // Said in the words of the index: MongoDB does not see that some of its actions are.
  const words = actions && !actions.includes('CHARGE') ? [isNoCharge] : [];
  return {
    ...tenantFilter(caller),
    ...between('occurredAt', from, to),
    ...between('amountMinor', minAmount && BigInt(minAmount), maxAmount && BigInt(maxAmount)),
    ...allOf([...anyOf({ merchantId: merchantIds, action: actions, currency: currencies }), ...words]),
  };
}
