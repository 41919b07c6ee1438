// Callbacks by their id and by the event that they tell.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { type Find, hitsOf } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';

interface SearchedCallback {
  _id: string;
}

export function createCallbackSearch(connection: Connection): Find {
  const callbacks = collectionOf<SearchedCallback>(connection, 'deliveries');

  return async (caller, { uuid }, max) => {
    if (uuid === null) return [];
    const find = (filter: object) => {
      const own = { ...tenantFilter(caller), ...filter } as Filter<SearchedCallback>;
      return boundedList(callbacks, own, { projection: { _id: 1 }, limit: max });
    };
    const [own, telling] = await Promise.all([find({ _id: uuid }), find({ eventId: uuid })]);
    return [...hitsOf('Callback', 'ID', own), ...hitsOf('Callback', 'EVENT', telling)];
  };
}
