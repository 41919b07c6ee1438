// Applications at rest: one document each, saved only where the version read is still the present one (onboarding interface; 2.3-B of the decision register).
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, type Environment, tenantFilter } from '../../shared/callers/caller';
import { boundedCount } from '../../shared/lists/bounded-count';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page, TotalCount } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { allOf, anyOf } from '../../shared/store/conditions';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type OnboardingStatus, onboardingStatuses } from '../../shared/vocabulary/onboarding-status';
import type { OnboardingCase } from './application';
import { applicationSchema, applicationsCollection, type StoredApplication } from './stored-application.repository';

interface ApplicationCounter {
  _id: string;
  value: number;
}

const counterSchema = storedSchema<ApplicationCounter>('onboarding_counters', {
  _id: storedText,
  value: there(Number),
});

/** Everything given must hold. */
export interface ApplicationFilter {
  status?: OnboardingStatus | null;
  /** Any of these. */
  statuses?: readonly OnboardingStatus[] | null;
}

export interface StatusCount {
  status: OnboardingStatus;
  total: TotalCount;
}

export type ApplicationRepository = ReturnType<typeof createApplicationRepository>;

export function createApplicationRepository(connection: Connection) {
  const records = collectionOf<StoredApplication>(connection, applicationsCollection);
  const counters = collectionOf<ApplicationCounter>(connection, 'onboarding_counters');

  async function findOne(filter: Filter<StoredApplication>): Promise<OnboardingCase | null> {
    const found = await reading(records.findOne(filter));
    return found && onboardingOf(found);
  }
  async function listCases(
    filter: Filter<StoredApplication>,
    sort: Record<string, 1 | -1>,
    limit: number,
  ): Promise<OnboardingCase[]> {
    return (await reading(findAll(records, filter, { sort, limit }))).map(onboardingOf);
  }

  return {
    /** The next id: increasing, never given twice; a refused creation leaves a gap. */
    async nextId(): Promise<string> {
      const count = () =>
        counters.findOneAndUpdate(
          { _id: 'application' },
          { $inc: { value: 1 } },
          { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } },
        );
      // Two first ones at once: the other made the counter.
      const counted = await reading(count().catch((error) => (error.code === 11000 ? count() : Promise.reject(error))));
      if (!counted) throw new Error('the counter of applications was not found after it was counted up');
      return String(counted.value);
    },
    /** Null when it is absent or belongs to somebody else. */
    find: (caller: Caller, applicationId: string): Promise<OnboardingCase | null> =>
      findOne({ ...tenantFilter(caller), _id: applicationId }),
    findMany: (caller: Caller, ids: readonly string[]): Promise<OnboardingCase[]> =>
      listCases({ ...tenantFilter(caller), _id: { $in: [...ids] } }, { _id: 1 }, ids.length),
    /** Those that hold one of the merchantIds. */
    findByMerchants: (caller: Caller, merchantIds: readonly string[]): Promise<OnboardingCase[]> =>
      listCases(
        { ...tenantFilter(caller), isLive: true, merchantId: { $in: [...merchantIds] } },
        { _id: 1 },
        merchantIds.length,
      ),
    /** Whether an application holds the merchantId, whoever's it is. */
    isHeld: async (environment: Environment, merchantId: string): Promise<boolean> =>
      (await findOne({ environment, isLive: true, merchantId })) !== null,
    /** By the hash of the token in its verification link. */
    findByLink: (environment: Environment, hash: string): Promise<OnboardingCase | null> =>
      findOne({ environment, 'link.hash': hash } as Filter<StoredApplication>),
    /** Newest first, or oldest. */
    async list(
      caller: Caller,
      { status, statuses }: ApplicationFilter,
      { isOldestFirst = false, ...slice }: Slice<number> & { isOldestFirst?: boolean },
    ): Promise<Page<OnboardingCase>> {
      const filter = { ...tenantFilter(caller), ...withoutAbsent({ status }), ...allOf(anyOf({ status: statuses })) };
      return listPage(records, { filter, ...alongKey('ordinal', slice, isOldestFirst ? 1 : -1) }, onboardingOf);
    },
    /** Each counted up to a bound. */
    countByStatus: (caller: Caller): Promise<StatusCount[]> =>
      Promise.all(
        onboardingStatuses.map(async (status) => {
          const filter = { ...tenantFilter(caller), status };
          return { status, total: await boundedCount(records, filter, { sort: { ordinal: -1 } }) };
        }),
      ),
    /** Open ones that nobody has touched since `before`, oldest first. */
    listIdle: (environment: Environment, before: Date, limit: number): Promise<OnboardingCase[]> =>
      listCases(
        {
          environment,
          status: { $in: ['INITIATED', 'AWAITING_SIGNATURE', 'SIGNATURE_FAILED'] },
          touchedAt: { $lte: before },
        },
        { touchedAt: 1 },
        limit,
      ),
    /** Approvals that are on their way. */
    listApprovals: (environment: Environment, limit: number): Promise<OnboardingCase[]> =>
      listCases(
        {
          environment,
          status: 'PROCESSING',
          'approval.step': { $in: ['REQUESTED', 'PROVISIONED'] },
        } as Filter<StoredApplication>,
        { touchedAt: 1 },
        limit,
      ),
    insertOf({ applicationId, ...rest }: OnboardingCase): InsertWrite {
      return {
        collection: applicationsCollection,
        document: { _id: applicationId, ordinal: Number(applicationId), ...rest },
      };
    },
    /** Saves `next` where the version read is still the present one; the version of `next` is one higher. */
    updateOf({ applicationId, environment, accountId, version }: OnboardingCase, next: OnboardingCase): UpdateWrite {
      const {
        applicationId: _id,
        environment: _environment,
        accountId: _accountId,
        createdAt: _createdAt,
        ...set
      } = next;
      return {
        collection: applicationsCollection,
        filter: { _id: applicationId, environment, accountId, version },
        update: { $set: set },
      };
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, counterSchema);
      await prepareCollection(connection, applicationSchema);
    },
  };
}

function onboardingOf({ _id, ordinal: _ordinal, ...rest }: StoredApplication): OnboardingCase {
  return { applicationId: _id, ...rest };
}
