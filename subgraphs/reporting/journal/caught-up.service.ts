// Waiting until the event log has a place for everything, and the journal has booked it (2.6 of the decision register).
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { allEnds } from './feed.service';
import type { JournalRepository } from './journal.repository';
import type { ReadLog } from './read-log';

export interface CaughtUpDeps {
  environment: Environment;
  journal: JournalRepository;
  log: Pick<ReadLog, 'lanes' | 'unpositioned' | 'stillUnpositioned'>;
}

const pollMs = 10;
const waitingMax = 20_000;

/** Resolves when everything that was committed before the call is booked. Refuses with `unavailable` once nobody waits any more. */
export async function journalIsFed({ log, journal, environment }: CaughtUpDeps, over: AbortSignal): Promise<void> {
  await logIsPublished(log, over);
  let behind = await allEnds(log);
  for (;;) {
    const booked = await journal.checkpoints(environment, behind);
    behind = behind.filter(({ number }, index) => (booked[index] ?? 0) < number);
    if (behind.length === 0) return;
    await pauseUnless(over, 'The journal has not caught up with the events.');
  }
}

/** Resolves when everything that was committed before the call has its place in the log. Refuses with `unavailable` once nobody waits any more. */
export async function logIsPublished(
  log: Pick<ReadLog, 'unpositioned' | 'stillUnpositioned'>,
  over: AbortSignal,
): Promise<void> {
  for (let left = await log.unpositioned(waitingMax); left.length > 0; ) {
    await pauseUnless(over, 'Events wait for their place in the log.');
    const still = await log.stillUnpositioned(left);
    left = left.filter(({ _id }) => still.has(_id));
  }
}

async function pauseUnless(over: AbortSignal, reason: string): Promise<void> {
  if (over.aborted) throw new DomainError('unavailable', reason, { retryAfterSeconds: 2 });
  await new Promise((resolve) => setTimeout(resolve, pollMs));
}
