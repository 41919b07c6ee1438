// What an attempt came to, in the person's language.
import { type CallbackAttemptResult } from '../graph/contract';
import { words } from '../strings/language';

export function attemptWord(result: CallbackAttemptResult): string {
  return words().callbacks.results[result];
}

/** What came back at last: a status, or why there is none. */
export function answerOf(last: { result: CallbackAttemptResult; status: number | null } | null | undefined): string {
  if (!last) return words().callbacks.notYet;
  return last.status === null ? attemptWord(last.result) : `HTTP ${last.status}`;
}
