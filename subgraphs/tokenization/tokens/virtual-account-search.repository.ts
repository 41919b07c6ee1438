// Tokenized cards by their id. By the card's digits payments are found, and none of these: every creation would pay for an index of them.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { type Find, hitsOf } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { ofSlotOfIds } from '../../shared/store/of-slot';

interface SearchedVirtualAccount {
  _id: string;
}

export function createVirtualAccountSearch(connection: Connection): Find {
  const accounts = collectionOf<SearchedVirtualAccount>(connection, 'virtual_accounts');

  return async (caller, { text, uuid, isReference }, max) => {
    if (!isReference) return [];
    const id = uuid ?? text;
    const own = { ...tenantFilter(caller), _id: id, ...ofSlotOfIds([id], caller) } as Filter<SearchedVirtualAccount>;
    return hitsOf('VirtualAccount', 'ID', await boundedList(accounts, own, { projection: { _id: 1 }, limit: max }));
  };
}
