// Totals of lists: exact up to a bound, and then "at least".
import type { Collection, Document } from 'mongodb';
import { withoutAbsent } from '../present-members';
import type { ChildTarget } from './child-pages';
import type { TotalCount } from './page';
import { reading } from './reading';

/** Farther than that a total is not counted. */
export const totalMax = 1_000;
/** A filter that no index serves is given up then: nobody waits for a number. */
const countMsMax = 1_000;
/** The server's code for an operation that took longer than its `maxTimeMS`. */
const maxTimeMsExpired = 50;

/** How many documents of a collection fit; the database chooses an index where none is named. */
export async function boundedCount(
  records: Collection,
  filter: Document,
  hint: string | null = null,
): Promise<TotalCount> {
  const options = { limit: totalMax + 1, maxTimeMS: countMsMax, ...withoutAbsent({ hint }) };
  const counted = records.countDocuments(filter, options);
  return totalOf(await endedInTime(counted));
}

/** The same for each of many parents, in one query. */
export async function childCounts({
  connection,
  collection,
  parentField,
  parentIds,
  filter,
}: ChildCount): Promise<Map<string, TotalCount>> {
  const database = connection.db;
  if (!database) throw new Error('the connection is not open');
  const pipeline = [{ $match: filter }, { $limit: totalMax + 1 }, { $count: 'count' }];
  const stages = [
    { $documents: parentIds.map((parentId) => ({ parentId })) },
    { $lookup: { from: collection, localField: 'parentId', foreignField: parentField, pipeline, as: 'counted' } },
  ];
  const found = database.aggregate<{ parentId: string; counted: { count: number }[] }>(stages, {
    maxTimeMS: countMsMax,
  });
  const rows = (await endedInTime(found.toArray())) ?? [];
  const counts = new Map(rows.map(({ parentId, counted }) => [parentId, totalOf(counted[0]?.count ?? 0)]));
  return new Map(parentIds.map((id) => [id, counts.get(id) ?? unknownTotal]));
}

interface ChildCount extends ChildTarget {
  parentIds: readonly string[];
  filter: Document;
}

/** Nothing is known but that there are no fewer than none. */
const unknownTotal: TotalCount = { value: 0, isExact: false };

export function totalOf(counted: number | null): TotalCount {
  if (counted === null) return unknownTotal;
  return { value: Math.min(counted, totalMax), isExact: counted <= totalMax };
}

function endedInTime<Answer>(query: PromiseLike<Answer>): Promise<Answer | null> {
  return reading(
    query.then(
      (answer) => answer,
      (error: { code?: unknown }) => {
        if (error.code === maxTimeMsExpired) return null;
        throw error;
      },
    ),
  );
}
