// Merchants by what somebody has in hand: their id, their number, that of their organization, the beginning of their name in whatever case.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../shared/callers/caller';
import { boundedList } from '../shared/lists/bounded-list';
import { beginningLike, nameOrder } from '../shared/lists/name-order';
import { type Find, type SearchHit, type SearchMatch } from '../shared/search';
import { collectionOf } from '../shared/store/collection-of';
import type { FindAllOptions } from '../shared/store/reading';

interface SearchedMerchant {
  _id: string;
  merchantId: string;
  accountId: string;
}

export function createMerchantSearch(connection: Connection): Find {
  const merchants = collectionOf<SearchedMerchant>(connection, 'merchants');

  return async (caller, { text, number, isReference, isName, organizationNumbers }, max) => {
    const find = (filter: object, ordered: Pick<FindAllOptions, 'sort' | 'collation'> = {}) =>
      boundedList(merchants, { ...tenantFilter(caller), ...filter } as Filter<SearchedMerchant>, {
        projection: { merchantId: 1, accountId: 1 },
        limit: max,
        ...ordered,
      });
    const byName = { collation: nameOrder, sort: { environment: 1, name: 1 } } as const;
    const [own, numbered, registered, named] = await Promise.all([
      isReference ? find({ merchantId: text }) : [],
      number === null ? [] : find({ merchantNumber: number }),
      organizationNumbers.length > 0 ? find({ orgNumber: { $in: [...organizationNumbers] } }) : [],
      isName ? find({ name: beginningLike(text) }, byName) : [],
    ]);
    // The order of names takes accounts for equal that differ in case only.
    const ofCaller = named.filter(({ accountId }) => caller.accountId === null || accountId === caller.accountId);
    return [
      ...hits('ID', own),
      ...hits('NUMBER', numbered),
      ...hits('ORGANIZATION', registered),
      ...hits('NAME', ofCaller),
    ];
  };
}

function hits(matchedBy: SearchMatch, found: readonly SearchedMerchant[]): SearchHit[] {
  return found.map(({ merchantId }) => ({ type: 'Merchant', matchedBy, id: merchantId }));
}
