// Waiting until the journal has booked what the event log has (2.6 of the decision register).
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { allEnds } from './feed.service';
import type { JournalRepository } from './journal.repository';
import type { ReadLog } from './read-log';

export interface CaughtUpDeps {
  environment: Environment;
  journal: JournalRepository;
  log: Pick<ReadLog, 'lanes' | 'unpositioned' | 'stillUnpositioned'>;
  /** Longest wait for the journal to have booked what was committed before the call; 8 s when absent. */
  feedWaitMsMax?: number;
}

const feedWaitMsMax = 8_000;
const pollMs = 10;
const waitingMax = 20_000;

/** Resolves when everything that was committed before the call is booked. Refuses with `unavailable` after the bounded wait. */
export async function journalIsFed(deps: CaughtUpDeps): Promise<void> {
  const { log, journal, environment } = deps;
  const until = performance.now() + (deps.feedWaitMsMax ?? feedWaitMsMax);
  const waiting = (await log.unpositioned(waitingMax)).map(({ _id }) => _id);
  let left = new Set(waiting);
  while (left.size > 0) {
    await pauseUntil(until);
    left = await log.stillUnpositioned([...left]);
  }
  let behind = await allEnds(log);
  for (;;) {
    const booked = await journal.checkpoints(environment, behind);
    behind = behind.filter(({ number }, index) => (booked[index] ?? 0) < number);
    if (behind.length === 0) return;
    await pauseUntil(until);
  }
}

async function pauseUntil(until: number): Promise<void> {
  if (performance.now() >= until)
    throw new DomainError('unavailable', 'The journal has not caught up with the events.', { retryAfterSeconds: 2 });
  await new Promise((resolve) => setTimeout(resolve, pollMs));
}
