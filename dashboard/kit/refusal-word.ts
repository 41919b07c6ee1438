// A refusal in the person's language, by its code; null for a code that has no words there.
import { words } from '../strings/language';

export function refusalWord(code: string): string | null {
  const { faults, refusals } = words();
  const known: Partial<Record<string, string>> = { ...refusals, ...faults.codes };
  return known[code] ?? null;
}
