// Why a payment was refused: the acquirer's own word for it, as operations tell it and figures count it.
import { openWord } from './word-of';

/** What the acquirer, the method or the platform refused; what a payer broke off is none of them. */
const refusals: ReadonlySet<string> = new Set(['DECLINED', 'DENIED', 'DENIED_BY_RISK', 'THREEDS_FAILED', 'FAILED']);

export interface DeclineReason {
  /** A word; where the acquirer gave no reason it is our result. */
  code: string;
  /** As the acquirer gave it; null: it gave none. */
  text: string | null;
}

export function isRefusal(result: string): boolean {
  return refusals.has(result);
}

/** Null for what was not refused. */
export function declineReasonOf(
  result: string,
  { responseReason }: Readonly<Record<string, unknown>>,
): DeclineReason | null {
  if (!isRefusal(result)) return null;
  const known = result === 'THREEDS_FAILED' ? 'authentication_failed' : result.toLowerCase();
  const text = typeof responseReason === 'string' && responseReason !== '' ? responseReason : null;
  return { code: openWord(text) ?? known, text };
}
