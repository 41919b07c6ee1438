// Lists over all merchants: what no index serves is looked for along the order, for so long and no longer.
import type { FindCursor } from 'mongodb';
import { DomainError } from './errors';
import { reading } from './reading';

/** Less than what a read waits for a subgraph (SUBGRAPH_TIMEOUT_MS), so that the refusal says what to do. */
export const listMsMax = 4_000;
/** The server's code for an operation that took longer than its `maxTimeMS`. */
const maxTimeMsExpired = 50;

/** The rows of a list; refuses with `unavailable` and what to do about it when the database finds too few in `msMax`. */
export async function boundedList<Row>(cursor: FindCursor<Row>, msMax = listMsMax): Promise<Row[]> {
  return reading(cursor.maxTimeMS(msMax).toArray().catch(refuseSlow));
}

function refuseSlow(error: unknown): never {
  if ((error as { code?: unknown }).code !== maxTimeMsExpired) throw error;
  throw new DomainError(
    'unavailable',
    'too few fit this filter to be found in time over all merchants; name a merchantId, or a shorter time',
    { retryAfterSeconds: 1 },
  );
}
