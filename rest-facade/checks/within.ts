// The longest that anybody waits for an answer of ours.

import { inTime } from '../../subgraphs/shared/deadline';
import { DomainError } from '../../subgraphs/shared/errors';

/** The result, or `unavailable` when it takes too long; work that goes on ends by itself, and its effect is whole or absent. */
export function within<Result>(timeoutMs: number, work: Promise<Result> | Result): Promise<Result> {
  return inTime(Promise.resolve(work), timeoutMs, () => new DomainError('unavailable'));
}
