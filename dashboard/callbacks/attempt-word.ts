// What an attempt came to, in the person's language.
import { stateWord } from '../kit/chip';
import { words } from '../strings/language';

export function attemptWord(result: string): string {
  const known: Partial<Record<string, string>> = words().callbacks.results;
  return known[result] ?? stateWord(result);
}
