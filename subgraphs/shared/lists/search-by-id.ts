// What a search finds by its id alone, of what the caller may see: the one look-up of most kinds of things.
import type { Collection, Filter } from 'mongodb';
import { tenantFilter } from '../callers/caller';
import { type Find, hitsOf, type SearchedType, type SearchText } from '../search';
import { boundedList } from './bounded-list';

interface IdSearchOptions {
  /** What of a text may be an id; a UUID unless said. */
  idIn?: (searched: SearchText) => string | null;
  /** Names the slot that an id tells; absent where the records are in none. */
  ofSlotOf?: (ids: readonly string[]) => { slot?: object };
}

export function createIdSearch<Stored extends { _id: string }>(
  records: Collection<Stored>,
  type: SearchedType,
  { idIn = ({ uuid }) => uuid, ofSlotOf = () => ({}) }: IdSearchOptions = {},
): Find {
  return async (caller, searched, max) => {
    const id = idIn(searched);
    if (id === null) return [];
    const own = { ...tenantFilter(caller), _id: id, ...ofSlotOf([id]) } as unknown as Filter<Stored>;
    return hitsOf(type, 'ID', await boundedList(records, own, { projection: { _id: 1 }, limit: max }));
  };
}
