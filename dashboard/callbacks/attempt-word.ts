// What an attempt came to, in the person's language.
import { words } from '../strings/language';
import type { CallbackAttemptResult } from './queries';

export function attemptWord(result: CallbackAttemptResult): string {
  return words().callbacks.results[result];
}
