// What an attempt came to, in the person's language.
import { type CallbackAttemptResult } from '../graph/contract';
import type { Tone } from '../kit/tone';
import { words } from '../strings/language';
import type { EndpointRowFragment } from './queries';

export function attemptWord(result: CallbackAttemptResult): string {
  return words().callbacks.results[result];
}

export function attemptTone(result: CallbackAttemptResult): Tone {
  if (result === 'delivered') return 'good';
  return result === 'inFlight' ? 'info' : 'bad';
}

/** What came back at last: a status, or why there is none. */
export function answerOf(last: { result: CallbackAttemptResult; status: number | null } | null | undefined): string {
  if (!last) return words().callbacks.notYet;
  return last.status === null ? attemptWord(last.result) : `HTTP ${last.status}`;
}

export type AttemptedEndpoint = Pick<EndpointRowFragment, 'health' | 'lastOutcomes' | 'lastAttempt'>;

/** Since it was made or enabled its last attempt failed; one callback that a receiver refuses for good among others that it takes is no failing. */
export function isFailing({ health, lastOutcomes, lastAttempt }: AttemptedEndpoint): boolean {
  if (health.state !== 'HEALTHY' || !lastAttempt || lastAttempt.at <= health.changedAt) return false;
  if (lastAttempt.result === 'delivered' || lastAttempt.result === 'inFlight') return false;
  return lastOutcomes.delivered === 0 || lastAttempt.status === null || lastAttempt.status >= 500;
}
