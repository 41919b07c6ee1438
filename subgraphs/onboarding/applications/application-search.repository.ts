// Applications by their id and by the merchantId that they hold.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { type Find, hitsOf } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { applicationsCollection } from './stored-application.repository';

interface SearchedApplication {
  _id: string;
}

export function createApplicationSearch(connection: Connection): Find {
  const applications = collectionOf<SearchedApplication>(connection, applicationsCollection);

  return async (caller, { text, number, isReference }, max) => {
    const find = (filter: object) => {
      const own = { ...tenantFilter(caller), ...filter } as Filter<SearchedApplication>;
      return boundedList(applications, own, { projection: { _id: 1 }, limit: max });
    };
    const [own, holding] = await Promise.all([
      number === null ? [] : find({ _id: text }),
      isReference ? find({ isLive: true, merchantId: text }) : [],
    ]);
    return [...hitsOf('OnboardingApplication', 'ID', own), ...hitsOf('OnboardingApplication', 'MERCHANT', holding)];
  };
}
