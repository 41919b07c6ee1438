// Applications by their id, by the merchantId that they hold and by the number of their organization.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { type Find, hitsOf } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import type { FindAllOptions } from '../../shared/store/reading';
import { applicationsCollection } from './stored-application.repository';

interface SearchedApplication {
  _id: string;
}

const newestFirst = { sort: { ordinal: -1 } } as const;

export function createApplicationSearch(connection: Connection): Find {
  const applications = collectionOf<SearchedApplication>(connection, applicationsCollection);

  return async (caller, { text, number, isReference, organizationNumbers }, max) => {
    const find = (filter: object, ordered: Pick<FindAllOptions, 'sort'> = {}) => {
      const own = { ...tenantFilter(caller), ...filter } as Filter<SearchedApplication>;
      return boundedList(applications, own, { projection: { _id: 1 }, limit: max, ...ordered });
    };
    const [own, holding, registered] = await Promise.all([
      number === null ? [] : find({ _id: text }),
      isReference ? find({ isLive: true, merchantId: text }) : [],
      organizationNumbers.length > 0
        ? find({ 'facts.company.organizationNumber': { $in: [...organizationNumbers] } }, newestFirst)
        : [],
    ]);
    return [
      ...hitsOf('OnboardingApplication', 'ID', own),
      ...hitsOf('OnboardingApplication', 'MERCHANT', holding),
      ...hitsOf('OnboardingApplication', 'ORGANIZATION', registered),
    ];
  };
}
