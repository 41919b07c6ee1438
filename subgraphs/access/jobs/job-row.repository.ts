// Rows of jobs in MongoDB, in their order: written before their job is there, and each ended once.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import { childPages } from '../../shared/lists/child-pages';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type JobRow, type RowEnding, type RowOutcome, rowOutcomes } from './job-row';

const collection = 'job_rows';

interface StoredRow extends JobRow {
  _id: string;
}

const schema = storedSchema<StoredRow>(collection, {
  _id: storedText,
  jobId: storedText,
  number: there(Number),
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  key: storedText,
  asked: maybeText,
  outcome: there(String, { enum: rowOutcomes }),
  target: maybeText,
  attemptedAt: orNull(Date),
  amount: maybeText,
  currency: maybeText,
  operationId: maybeText,
  code: maybeText,
  message: maybeText,
  endedAt: orNull(Date),
  expiresAt: there(Date),
});
schema.index({ jobId: 1, number: 1 });
schema.index({ jobId: 1, outcome: 1, number: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

export interface JobRowRepository {
  /** A page of each job. */
  list(
    caller: Caller,
    query: { jobIds: readonly string[]; outcome: RowOutcome | null },
    slice: Slice<number>,
  ): Promise<Map<string, Page<JobRow>>>;
  /** What those that succeeded moved, or would, by job and currency. */
  sums(jobIds: readonly string[]): Promise<{ jobId: string; currency: string; amount: string }[]>;
  /** Those that failed or are unknown, by job and code, the most first. */
  refusals(jobIds: readonly string[]): Promise<{ jobId: string; code: string; message: string; count: number }[]>;
  /** Those of a job that wait, as far as it counts its rows. */
  waiting(job: { jobId: string; total: number }, limit: number): Promise<JobRow[]>;
  /** Those that wait and were begun. */
  begun(jobId: string, limit: number): Promise<JobRow[]>;
  /** Those of the numbers that wait still. */
  stillWaiting(jobId: string, numbers: readonly number[]): Promise<ReadonlySet<number>>;
  /** One of a job that is there. */
  insert(row: JobRow): InsertWrite;
  /** Puts them in the place of those that a release before has left there without counting them, and that nobody has begun. */
  putAnew(rows: readonly JobRow[]): Promise<void>;
  /** Adds them; those that are there already stay as they are. */
  add(rows: readonly JobRow[]): Promise<void>;
  /** Writes down what is about to be acted on; a majority has it when this resolves. */
  attempt(rows: readonly JobRow[]): Promise<void>;
  /** Matches only a row that waits. */
  end(row: JobRow, ending: RowEnding, at: Date): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

const idOf = ({ jobId, number }: Pick<JobRow, 'jobId' | 'number'>) => `${jobId}:${number}`;

export function createJobRowRepository(connection: Connection): JobRowRepository {
  const rows: Model<StoredRow> = connection.model<StoredRow>('JobRow', schema);
  async function waitingOf(wanted: object, limit: number): Promise<JobRow[]> {
    const found = rows
      .find({ outcome: 'WAITING', ...wanted })
      .sort({ number: 1 })
      .limit(limit);
    return (await reading(found.lean<StoredRow[]>())).map(fromStored);
  }
  async function add(added: readonly JobRow[]): Promise<void> {
    const writes = added.map((row) => ({
      updateOne: { filter: { _id: idOf(row) }, update: { $setOnInsert: row }, upsert: true },
    }));
    if (writes.length > 0) await reading(rows.collection.bulkWrite(writes as never, { ordered: false, ...durable }));
  }

  return {
    list: (caller, { jobIds, outcome }, slice) => {
      const filter = { ...tenantFilter(caller), ...withoutAbsent({ outcome }) };
      const query = { parentIds: jobIds, filter, ...alongKey('number', slice) };
      return reading(
        childPages<StoredRow, JobRow>({ connection, collection, parentField: 'jobId' }, query, fromStored),
      );
    },
    async sums(jobIds) {
      const found = rows.aggregate<{ _id: { jobId: string; currency: string }; sum: bigint | number }>([
        { $match: { jobId: { $in: [...jobIds] }, outcome: 'SUCCEEDED', currency: { $ne: null } } },
        { $group: { _id: { jobId: '$jobId', currency: '$currency' }, sum: { $sum: { $toLong: '$amount' } } } },
        { $sort: { '_id.currency': 1 } },
      ]);
      return (await reading(found)).map(({ _id, sum }) => ({ ..._id, amount: sum.toString() }));
    },
    async refusals(jobIds) {
      const found = rows.aggregate<{ _id: { jobId: string; code: string }; message: string; count: number }>([
        { $match: { jobId: { $in: [...jobIds] }, outcome: { $in: ['FAILED', 'UNKNOWN'] } } },
        {
          $group: {
            _id: { jobId: '$jobId', code: '$code' },
            message: { $first: '$message' },
            count: { $sum: 1 },
          },
        },
        { $sort: { count: -1, '_id.code': 1 } },
      ]);
      return (await reading(found)).map(({ _id, message, count }) => ({ ..._id, message, count }));
    },
    waiting: ({ jobId, total }, limit) => waitingOf({ jobId, number: trusted({ $lte: total }) }, limit),
    begun: (jobId, limit) => waitingOf({ jobId, attemptedAt: trusted({ $ne: null }) }, limit),
    async stillWaiting(jobId, numbers) {
      const ids = numbers.map((number) => idOf({ jobId, number }));
      const found = rows.find({ _id: trusted({ $in: ids }), outcome: 'WAITING' }, { number: 1 });
      return new Set((await reading(found.lean<Pick<StoredRow, 'number'>[]>())).map(({ number }) => number));
    },
    insert: (row) => ({ collection, document: { _id: idOf(row), ...row } }),
    async putAnew(added) {
      const writes = added.map((row) => ({
        updateOne: { filter: { _id: idOf(row), outcome: 'WAITING', attemptedAt: null }, update: { $set: row } },
      }));
      await reading(rows.collection.bulkWrite(writes as never, { ordered: false, ...durable }));
      await add(added);
    },
    add,
    async attempt(attempted) {
      const writes = attempted.map((row) => ({
        updateOne: {
          filter: { _id: idOf(row), outcome: 'WAITING' },
          update: { $set: { target: row.target, attemptedAt: row.attemptedAt } },
        },
      }));
      if (writes.length > 0) await reading(rows.collection.bulkWrite(writes as never, { ordered: false, ...durable }));
    },
    end: (row, ending, at) => ({
      collection,
      filter: { _id: idOf(row), outcome: 'WAITING' },
      update: { $set: { ...ending, endedAt: at } },
    }),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

function fromStored({ _id, ...rest }: StoredRow): JobRow {
  return rest;
}
