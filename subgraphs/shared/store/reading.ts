// Reads: one refusal while the database is away, which every surface turns into 503 with Retry-After; and finds whose whole result is wanted, as one command.
import {
  type Collection,
  type Document,
  type Filter,
  type FindOptions,
  Long,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import { databaseUnavailable, isDatabaseUnavailable, maxTimeMsExpired } from './mongo';

/** The answer of a read; rejects with DomainError('unavailable') when the database cannot serve now. */
export async function reading<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable() : error;
  }
}

export interface FindAllOptions
  extends Pick<
    FindOptions,
    'projection' | 'hint' | 'min' | 'max' | 'skip' | 'limit' | 'collation' | 'maxTimeMS' | 'session'
  > {
  sort?: Readonly<Record<string, 1 | -1>>;
}

/** More than any answer has room for: what ends it is `limit`, or its 16 MB. */
const batchSize = 2 ** 31 - 1;

interface FirstAnswer {
  cursor: { id: unknown; firstBatch: Document[] };
}

/**
 * What the driver's `find(filter, options).toArray()` resolves with, by one command, the answer to which is decoded in one piece: its cursors take
 * each document out of it on its own, which costs this process twice as much for many of them (docs/benchmark-log.md, Reads of many documents).
 */
export async function findAll<Stored extends Document, Found extends Document = Stored>(
  collection: Collection<Stored>,
  filter: Filter<Stored>,
  options: FindAllOptions = {},
): Promise<Found[]> {
  const known = await firstAnswer(collection, filter, options);
  return (known ?? (await collection.find(filter, options).toArray())) as Found[];
}

/** Null: the database has more than one answer holds, or was lost meanwhile, and the driver knows how to go on. */
async function firstAnswer<Stored extends Document>(
  collection: Collection<Stored>,
  filter: Filter<Stored>,
  { session, ...options }: FindAllOptions,
): Promise<Document[] | null> {
  const { db: database, collectionName, bsonOptions, readConcern } = collection;
  const command = { find: collectionName, filter, ...options, batchSize };
  const concern = readConcern && !session?.inTransaction() ? { readConcern: readConcern.toJSON() } : {};
  try {
    const answer = await database.command({ ...command, ...concern }, { ...bsonOptions, session });
    const { cursor } = answer as FirstAnswer;
    if (String(cursor.id) === '0') return cursor.firstBatch;
    const cursors = [Long.fromString(String(cursor.id))];
    await database.command({ killCursors: collectionName, cursors }, { session });
    return null;
  } catch (error) {
    if (!isLost(error) || session?.inTransaction()) throw error;
    return null;
  }
}

/** Where the driver tries a read once more: its connection broke, or the server that answered is none any more that may. */
function isLost(error: unknown): boolean {
  if (error instanceof MongoNetworkError) return true;
  return error instanceof MongoServerError && error.code !== maxTimeMsExpired && isDatabaseUnavailable(error);
}
