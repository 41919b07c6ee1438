// Totals of lists: exact up to a bound, and then "at least".
import type { AggregateOptions, Document } from 'mongodb';
import { withoutAbsent } from '../present-members';
import { maxTimeMsExpired } from '../store/mongo';
import { reading } from '../store/reading';
import type { TotalCount } from './page';

/** Farther than that a total is not counted. */
export const totalMax = 1_000;
/** A filter that no index serves is given up then: nobody waits for a number. */
export const countMsMax = 1_000;

export interface Countable {
  aggregate(stages: Document[], options: AggregateOptions): { toArray(): Promise<Document[]> };
}

/** How the documents are found: by an index, or along the order of their list, by whichever serves that. */
type Along = { hint: string } | { sort: Record<string, 1 | -1> };

/** How many documents of a collection fit. */
export async function boundedCount(records: Countable, filter: Document, along: Along): Promise<TotalCount> {
  const { hint, sort } = { hint: null, sort: null, ...along };
  const stages = [{ $match: filter }, ...countStages(sort)];
  const rows = await countedInTime(
    records.aggregate(stages, { maxTimeMS: countMsMax, ...withoutAbsent({ hint }) }).toArray(),
  );
  return totalOf(rows && countIn(rows));
}

/** Counts what was found, along an order. */
export function countStages(sort: Record<string, 1 | -1> | null): Document[] {
  return [...(sort ? [{ $sort: sort }] : []), { $limit: totalMax + 1 }, { $count: 'count' }];
}

/** No row comes of nothing. */
export function countIn([row]: readonly Document[]): number {
  return row ? Number(row['count']) : 0;
}

/** Nothing is known but that there are no fewer than none. */
export const unknownTotal: TotalCount = { value: 0, isExact: false };

export function totalOf(counted: number | null): TotalCount {
  if (counted === null) return unknownTotal;
  return { value: Math.min(counted, totalMax), isExact: counted <= totalMax };
}

/** What the database answered; null where it gave up. */
export function countedInTime<Answer>(query: PromiseLike<Answer>): Promise<Answer | null> {
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
