// Jobs in MongoDB: one document each, changed by its version; those that run are found by when they last went on.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, clientScopes, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { alongTime, type Slice, type TimePlace } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { createIdSearch } from '../../shared/lists/search-by-id';
import { withoutAbsent } from '../../shared/present-members';
import { processName } from '../../shared/process-name';
import type { Find } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { allOf, anyOf } from '../../shared/store/conditions';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import {
  absentOr,
  maybeText,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type CallbackSelection, type Job, type JobState, jobActNames, jobStates } from './job';

const collection = 'jobs';

type StoredJob = Omit<Job, 'jobId'> & { _id: string; claimedUntil?: Date; claimedBy?: string; settledAt?: Date };

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
  refusal: absentOr(String),
  createdAt: there(Date),
  finishedAt: orNull(Date),
  updatedAt: there(Date),
  expiresAt: there(Date),
  sequence: there(Number),
  version: there(Number),
  // Which process carries it out.
  claimedUntil: absentOr(Date),
  claimedBy: absentOr(String),
  // Of one that was cancelled: since when no row that was begun waits for its outcome.
  settledAt: absentOr(Date),
});
schema.index({ environment: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, state: 1, settledAt: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export interface JobFilter {
  state?: JobState | null;
  /** Any of these. */
  states?: readonly JobState[] | null;
}

/** A job in the hands of one process, which goes on with it until then, by the database's clock. */
export interface ClaimedJob {
  job: Job;
  claimedUntil: Date;
  /** Whether anything is left to do: it runs, or it was cancelled and rows of it may have been begun. */
  isOpen: boolean;
}

/** Longer than most steps take: a process that died keeps its job no longer than that. Two at once would be harmless, as each row is done once. */
const claimMs = 15_000;
const claimedAnew = [{ $set: { claimedUntil: { $add: ['$$NOW', claimMs] }, claimedBy: processName } }];
/** Those with something to do, unless they are settled. */
const openStates = ['RUNNING', 'CANCELLED'] as const satisfies readonly JobState[];
const isUnclaimed = { $expr: { $lte: [{ $ifNull: ['$claimedUntil', new Date(0)] }, '$$NOW'] } };

export interface JobRepository {
  search: Find;
  find(caller: Caller, jobIds: readonly string[]): Promise<Job[]>;
  /** Newest first. */
  list(caller: Caller, filter: JobFilter, slice: Slice<TimePlace>): Promise<Page<Job>>;
  /** For whoever carries jobs out: whosever it is. */
  read(environment: Environment, jobId: string): Promise<Job | null>;
  /** Claims the oldest of those that run, or were cancelled and are not settled, and that nobody has claimed; those that are held up come last, so that they keep nobody waiting. Null when there is none. */
  claim(environment: Environment): Promise<ClaimedJob | null>;
  /** Claims it for longer, and reads it anew; null when the claim was over and somebody else has it. */
  claimOn(claimed: ClaimedJob): Promise<ClaimedJob | null>;
  /** Says of a cancelled job that no row that was begun waits any more: nobody claims it again. */
  settle(claimed: ClaimedJob): Promise<void>;
  /** Lets another process go on with it at once. */
  release(claimed: ClaimedJob): Promise<void>;
  insert(job: Job): InsertWrite;
  /** Matches only the version before. */
  replace(job: Job): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createJobRepository(connection: Connection): JobRepository {
  const jobs: Model<StoredJob> = connection.model<StoredJob>('Job', schema);
  const stored = collectionOf<StoredJob>(connection, collection);
  return {
    search: createIdSearch(stored, 'Job'),
    async find(caller, jobIds) {
      const filter = { ...tenantFilter(caller), _id: trusted({ $in: [...jobIds] }) };
      return (await reading(jobs.find(filter).lean<StoredJob[]>())).map(fromStored);
    },
    async list(caller, { state, states }, slice) {
      const several = allOf(anyOf({ state: states }));
      const filter = { ...tenantFilter(caller), ...withoutAbsent({ state }), ...several };
      return listPage(stored, { filter, ...alongTime('createdAt', slice) }, fromStored);
    },
    async read(environment, jobId) {
      const found = await reading(jobs.findOne({ _id: jobId, environment }).lean<StoredJob>());
      return found ? fromStored(found) : null;
    },
    async claim(environment) {
      const wanted = { environment, state: { $in: [...openStates] }, settledAt: { $exists: false }, ...isUnclaimed };
      const options = { sort: { hindrance: 1, createdAt: 1 }, returnDocument: 'after' } as const;
      return claimedOf(await stored.findOneAndUpdate(wanted, claimedAnew, options));
    },
    async claimOn({ job: { jobId }, claimedUntil }) {
      const mine = { _id: jobId, claimedUntil };
      return claimedOf(await stored.findOneAndUpdate(mine, claimedAnew, { returnDocument: 'after' }));
    },
    async settle({ job: { jobId }, claimedUntil }) {
      await stored.updateOne({ _id: jobId, claimedUntil, state: 'CANCELLED' }, [{ $set: { settledAt: '$$NOW' } }]);
    },
    async release({ job: { jobId }, claimedUntil }) {
      await stored.updateOne({ _id: jobId, claimedUntil }, { $unset: { claimedUntil: 1, claimedBy: 1 } });
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

function fromStored({ _id, claimedUntil: _until, claimedBy: _by, settledAt: _settled, ...rest }: StoredJob): Job {
  return { ...rest, jobId: _id };
}

function claimedOf(stored: StoredJob | null): ClaimedJob | null {
  if (!stored?.claimedUntil) return null;
  const { claimedUntil, settledAt, state } = stored;
  const isOpen = !settledAt && (openStates as readonly JobState[]).includes(state);
  return { job: fromStored(stored), claimedUntil, isOpen };
}
