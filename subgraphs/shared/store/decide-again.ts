// Two requests will race: whoever loses the conditional write loads and decides again, within bounds.

import { createDeadline } from '../deadline';
import { DomainError } from '../errors';
import { conflictRetriesMax, DuplicateKey, WriteConflict } from './unit-of-work';

/** How long losers try: what beat them can be read only once the disk has it. */
const deadlineMs = 5_000;
/** Longest pause before the first repetition; the later ones grow with it, so that many losers do not meet again. */
const pauseMsMax = { first: 10, most: 100 } as const;

/** Runs load-decide-save until its write meets the state that it read; refuses with `conflict` when that never happens. */
export async function decideAgain<Result>(loadDecideSave: () => Promise<Result>): Promise<Result> {
  const isOver = createDeadline(deadlineMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadDecideSave();
    } catch (error) {
      if (!(error instanceof WriteConflict || error instanceof DuplicateKey)) throw error;
      const isSpent = attempt >= conflictRetriesMax;
      // A key that is still taken after so many looks is taken for good.
      if (isSpent && (error instanceof DuplicateKey || isOver()))
        throw new DomainError('conflict', undefined, { retryAfterSeconds: 1 });
    }
    const pauseMs = Math.min(pauseMsMax.first * attempt, pauseMsMax.most);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
  }
}
