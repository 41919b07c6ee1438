// People by their id, their e-mail and the beginning of their name, these two in whatever case.
import type { Collection, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { beginningLike, nameOrder } from '../../shared/lists/name-order';
import { createIdSearch } from '../../shared/lists/search-by-id';
import { type Find, findTogether, hitsOf } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { type FindAllOptions } from '../../shared/store/reading';

interface SearchedPerson {
  _id: string;
  accountId: string | null;
  email: string | null;
}

export function createPersonSearch(connection: Connection): Find {
  const people = collectionOf<SearchedPerson>(connection, 'people');
  return findTogether(createIdSearch(people, 'Person'), byWhatTheyAreCalled(people));
}

function byWhatTheyAreCalled(people: Collection<SearchedPerson>): Find {
  return async (caller, { text, isName, isEmail }, max) => {
    const find = async (filter: object, ordered: Pick<FindAllOptions, 'sort'> = {}) => {
      const own = { ...tenantFilter(caller), ...filter } as Filter<SearchedPerson>;
      const projection = { accountId: 1, email: 1 };
      const found = await boundedList(people, own, { collation: nameOrder, projection, limit: max, ...ordered });
      // The order of names takes accounts for equal that differ in case only.
      return found.filter(({ accountId }) => caller.accountId === null || accountId === caller.accountId);
    };
    const [mailed, named] = await Promise.all([
      isEmail ? find({ email: text }) : [],
      isName ? find({ name: beginningLike(text) }, { sort: { name: 1 } }) : [],
    ]);
    // And e-mails that differ in accents only.
    const exactly = mailed.filter(({ email }) => email?.toLowerCase() === text.toLowerCase());
    return [...hitsOf('Person', 'EMAIL', exactly), ...hitsOf('Person', 'NAME', named)];
  };
}
