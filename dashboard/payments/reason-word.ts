// Why a payment was declined, in the person's language by its code; a code without words is told as the acquirer has it.
import { stateWord } from '../kit/chip';
import { words } from '../strings/language';

export function reasonWord(code: string, text: string | null = null): string {
  const known: Partial<Record<string, string>> = words().declineReasons;
  return known[code] ?? (text === null || text === code ? stateWord(code) : text);
}
