// What an attempt came to, in the person's language.
import { type CallbackAttemptResult } from '../graph/contract';
import type { Tone } from '../kit/tone';
import { words } from '../strings/language';

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
