// Jobs in MongoDB: one document each, changed by its version; those that run are found by when they last went on.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, clientScopes, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { alongTime, type Slice, type TimePlace } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { createIdSearch } from '../../shared/lists/search-by-id';
import { withoutAbsent } from '../../shared/present-members';
import type { Find } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { allOf, anyOf } from '../../shared/store/conditions';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, orNull, storedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type CallbackSelection, type Job, type JobState, jobActNames, jobStates } from './job';

const collection = 'jobs';

type StoredJob = Omit<Job, 'jobId'> & { _id: string };

const schema = storedSchema<StoredJob>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  act: there(String, { enum: jobActNames }),
  isDryRun: there(Boolean),
  reason: storedText,
  state: there(String, { enum: jobStates }),
  startedBy: storedText,
  startedByName: storedText,
  scopes: there([{ type: String, enum: clientScopes }]),
  selection: orNull(
    storedPart<CallbackSelection>({
      since: there(Date),
      until: orNull(Date),
      endpointId: maybeText,
      merchantId: maybeText,
      includeDelivered: there(Boolean),
    }),
  ),
  gatheredTo: maybeText,
  isGathered: there(Boolean),
  hasMore: there(Boolean),
  total: there(Number),
  succeeded: there(Number),
  failed: there(Number),
  hindrance: maybeText,
  createdAt: there(Date),
  finishedAt: orNull(Date),
  updatedAt: there(Date),
  expiresAt: there(Date),
  sequence: there(Number),
  version: there(Number),
});
schema.index({ environment: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, createdAt: -1, _id: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export interface JobFilter {
  state?: JobState | null;
  /** Any of these. */
  states?: readonly JobState[] | null;
}

export interface JobRepository {
  search: Find;
  find(caller: Caller, jobIds: readonly string[]): Promise<Job[]>;
  /** Newest first. */
  list(caller: Caller, filter: JobFilter, slice: Slice<TimePlace>): Promise<Page<Job>>;
  /** For whoever carries jobs out: whosever it is. */
  read(environment: Environment, jobId: string): Promise<Job | null>;
  /** Those that run, oldest first; those that are held up last, so that they keep nobody waiting. */
  running(environment: Environment, limit: number): Promise<Job[]>;
  insert(job: Job): InsertWrite;
  /** Matches only the version before. */
  replace(job: Job): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createJobRepository(connection: Connection): JobRepository {
  const jobs: Model<StoredJob> = connection.model<StoredJob>('Job', schema);
  const listed = collectionOf<StoredJob>(connection, collection);
  return {
    search: createIdSearch(listed, 'Job'),
    async find(caller, jobIds) {
      const filter = { ...tenantFilter(caller), _id: trusted({ $in: [...jobIds] }) };
      return (await reading(jobs.find(filter).lean<StoredJob[]>())).map(fromStored);
    },
    async list(caller, { state, states }, slice) {
      const several = allOf(anyOf({ state: states }));
      const filter = { ...tenantFilter(caller), ...withoutAbsent({ state }), ...several };
      return listPage(listed, { filter, ...alongTime('createdAt', slice) }, fromStored);
    },
    async read(environment, jobId) {
      const found = await reading(jobs.findOne({ _id: jobId, environment }).lean<StoredJob>());
      return found ? fromStored(found) : null;
    },
    async running(environment, limit) {
      const found = jobs.find({ environment, state: 'RUNNING' }).sort({ hindrance: 1, createdAt: 1 }).limit(limit);
      return (await reading(found.lean<StoredJob[]>())).map(fromStored);
    },
    insert: ({ jobId, ...rest }) => ({ collection, document: { _id: jobId, ...rest } }),
    replace: ({ jobId, ...rest }) => ({
      collection,
      filter: { _id: jobId, environment: rest.environment, version: rest.version - 1 },
      update: { $set: rest },
    }),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

function fromStored({ _id, ...rest }: StoredJob): Job {
  return { ...rest, jobId: _id };
}
