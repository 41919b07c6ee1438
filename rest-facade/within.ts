// The longest that anybody waits for an answer of ours.
import { DomainError } from '../subgraphs/shared/errors';

/** The result, or `unavailable` when it takes too long; work that goes on ends by itself, and its effect is whole or absent. */
export function within<Result>(timeoutMs: number, work: Promise<Result> | Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DomainError('unavailable')), timeoutMs);
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
