// Lists: what no index serves is looked for along the order, for so long and no longer.
import type { Collection, Document, Filter } from 'mongodb';
import { DomainError } from '../errors';
import { maxTimeMsExpired } from '../store/mongo';
import { type FindAllOptions, findAll, reading } from '../store/reading';

/** Less than what a read waits for a subgraph (SUBGRAPH_TIMEOUT_MS), so that the refusal says what to do. */
export const listMsMax = 4_000;

/** The rows of a list; refuses with `unavailable` and what to do about it when the database finds too few in time. */
export function boundedList<Stored extends Document, Found extends Document = Stored>(
  records: Collection<Stored>,
  filter: Filter<Stored>,
  options: FindAllOptions,
): Promise<Found[]> {
  return endedInTime(findAll<Stored, Found>(records, filter, { maxTimeMS: listMsMax, ...options }));
}

/** The same for a query that was told `listMsMax` as its `maxTimeMS`. */
export function endedInTime<Answer>(query: PromiseLike<Answer>): Promise<Answer> {
  return reading(query.then(undefined, refuseSlow));
}

function refuseSlow(error: unknown): never {
  if ((error as { code?: unknown }).code !== maxTimeMsExpired) throw error;
  throw new DomainError(
    'unavailable',
    'too few fit this filter to be found in time; name a merchantId, or a shorter time',
    { retryAfterSeconds: 1 },
  );
}
