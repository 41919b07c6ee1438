// Two requests will race: whoever loses the conditional write loads and decides again, a bounded number of times.
import { DomainError } from './errors';
import { conflictRetriesMax, DuplicateKey, WriteConflict } from './outbox';

/** Longest pause before the first repetition; the later ones grow with it, so that many losers do not meet again. */
const pauseMsMax = 10;

/** Runs load-decide-save until its write meets the state that it read; refuses with `conflict` when that never happens. */
export async function decideAgain<Result>(loadDecideSave: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt <= conflictRetriesMax; attempt += 1) {
    try {
      return await loadDecideSave();
    } catch (error) {
      if (!(error instanceof WriteConflict || error instanceof DuplicateKey)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMsMax * attempt));
    }
  }
  throw new DomainError('conflict', undefined, { retryAfterSeconds: 1 });
}
