// What a search finds by its id alone, of what the caller may see: the one look-up of most kinds of things.
import type { Collection, Filter } from 'mongodb';
import { tenantFilter } from '../callers/caller';
import { type Find, hitsOf, type SearchedType } from '../search';
import { boundedList } from './bounded-list';

export function createIdSearch<Stored extends { _id: string }>(records: Collection<Stored>, type: SearchedType): Find {
  return async (caller, { uuid }, max) => {
    if (uuid === null) return [];
    const own = { ...tenantFilter(caller), _id: uuid } as unknown as Filter<Stored>;
    return hitsOf(type, 'ID', await boundedList(records, own, { projection: { _id: 1 }, limit: max }));
  };
}
