// Rows of jobs in MongoDB, in their order: written before their job is there, and each ended once.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import type { Page } from '../../shared/store/page';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { UpdateWrite } from '../../shared/store/unit-of-work';
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
  list(
    caller: Caller,
    query: { jobId: string; outcome: RowOutcome | null; size: number; afterNumber: number },
  ): Promise<Page<JobRow>>;
  /** What those that succeeded moved, or would, by currency. */
  sums(jobId: string): Promise<{ currency: string; amount: string }[]>;
  /** Those that failed or are unknown, by code, the most first. */
  refusals(jobId: string): Promise<{ code: string; message: string; count: number }[]>;
  waiting(jobId: string, limit: number): Promise<JobRow[]>;
  /** Those of the numbers that wait still. */
  stillWaiting(jobId: string, numbers: readonly number[]): Promise<ReadonlySet<number>>;
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
  return {
    async list(caller, { jobId, outcome, size, afterNumber }) {
      const found = await reading(
        rows
          .find({
            ...tenantFilter(caller),
            jobId,
            ...(outcome === null ? {} : { outcome }),
            number: trusted({ $gt: afterNumber }),
          })
          .sort({ number: 1 })
          .limit(size + 1)
          .lean<StoredRow[]>(),
      );
      return { items: found.slice(0, size).map(fromStored), hasNextPage: found.length > size };
    },
    async sums(jobId) {
      const found = rows.aggregate<{ _id: string; sum: bigint | number }>([
        { $match: { jobId, outcome: 'SUCCEEDED', currency: { $ne: null } } },
        { $group: { _id: '$currency', sum: { $sum: { $toLong: '$amount' } } } },
        { $sort: { _id: 1 } },
      ]);
      return (await reading(found)).map(({ _id, sum }) => ({ currency: _id, amount: sum.toString() }));
    },
    async refusals(jobId) {
      const found = rows.aggregate<{ _id: string; message: string; count: number }>([
        { $match: { jobId, outcome: { $in: ['FAILED', 'UNKNOWN'] } } },
        { $group: { _id: '$code', message: { $first: '$message' }, count: { $sum: 1 } } },
        { $sort: { count: -1, _id: 1 } },
      ]);
      return (await reading(found)).map(({ _id, message, count }) => ({ code: _id, message, count }));
    },
    async waiting(jobId, limit) {
      const found = rows.find({ jobId, outcome: 'WAITING' }).sort({ number: 1 }).limit(limit);
      return (await reading(found.lean<StoredRow[]>())).map(fromStored);
    },
    async stillWaiting(jobId, numbers) {
      const ids = numbers.map((number) => idOf({ jobId, number }));
      const found = rows.find({ _id: trusted({ $in: ids }), outcome: 'WAITING' }, { number: 1 });
      return new Set((await reading(found.lean<Pick<StoredRow, 'number'>[]>())).map(({ number }) => number));
    },
    async add(added) {
      const writes = added.map((row) => ({
        updateOne: { filter: { _id: idOf(row) }, update: { $setOnInsert: row }, upsert: true },
      }));
      if (writes.length > 0) await reading(rows.collection.bulkWrite(writes as never, { ordered: false, ...durable }));
    },
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
