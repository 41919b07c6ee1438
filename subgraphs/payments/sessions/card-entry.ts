// A card as a payer types it, part by part: what each part must be, and which brand a number shows (hosted checkout, field set; ISO/IEC 7812-1).

import { cardBrandOf, cardBrands } from '../../shared/card-brand';
import type { Sealed } from '../../shared/crypto/vault';
import { passesLuhn } from '../../shared/luhn';
import type { CardFieldId } from './checkout-session';

/** On the one clock, from the last part that was entered. */
export const cardEntryMsMax = 30 * 60_000;

export interface CardEntry {
  sessionId: string;
  parts: Partial<Record<CardFieldId, Sealed>>;
  /** Of the number, in the clear: the code's length depends on it. */
  circuit: string | null;
  securityCodeLength: number | null;
  /** On the one clock: older parts count as absent and are wiped. */
  expiresAt: Date;
  version: number;
}

/** What a session starts with. */
export function emptyEntry(sessionId: string, now: Date): CardEntry {
  const expiresAt = new Date(now.getTime() + cardEntryMsMax);
  return { sessionId, parts: {}, circuit: null, securityCodeLength: null, expiresAt, version: 1 };
}

/** Why a part is refused; the pages have a sentence for each. */
const cardFieldErrors = ['required', 'incomplete', 'invalid', 'unsupportedCard', 'rejectedCard', 'expired'] as const;
export type CardFieldErrorCode = (typeof cardFieldErrors)[number];

/** The circuit that the leading digits show, or null while they show none. */
export function enteredCircuitOf(digits: string): string | null {
  return cardBrandOf(digits)?.circuit ?? null;
}

export function securityCodeLengthOf(circuit: string | null): 3 | 4 | null {
  if (circuit === null) return null;
  return cardBrands.find((brand) => brand.circuit === circuit)?.securityCodeDigits ?? 3;
}

/** A part in the spelling that is kept, or why it is refused. */
export type EnteredPart = { value: string; error: null } | { value: null; error: CardFieldErrorCode };

export interface PartRules {
  /** Of the number entered before, or null. */
  circuit: string | null;
  /** Brands that the shop takes. */
  circuits: readonly string[];
  /** On the one clock. */
  now: Date;
}

/** Judges one part. An empty e-mail address is a good one: the field is optional. */
export function decidePart(field: CardFieldId, typed: string, rules: PartRules): EnteredPart {
  const value = typed.trim();
  if (value === '' && field !== 'CARDHOLDER_EMAIL') return refused('required');
  switch (field) {
    case 'CARD_NUMBER':
      return number(value.replace(/[\s-]/g, ''), rules.circuits);
    case 'EXPIRATION_DATE':
      return expiry(value.replace(/\s/g, ''), rules.now);
    case 'SECURITY_CODE':
      return securityCode(value, rules.circuit);
    case 'CARDHOLDER_NAME':
      return /^[^\p{Cc}<>]{2,100}$/u.test(value) && !/\d{12}/.test(value.replace(/\s/g, ''))
        ? taken(value)
        : refused('invalid');
    case 'CARDHOLDER_EMAIL':
      return value === '' || (value.length <= 254 && /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(value))
        ? taken(value)
        : refused('invalid');
  }
}

function number(digits: string, circuits: readonly string[]): EnteredPart {
  if (!/^\d{1,19}$/.test(digits)) return refused('invalid');
  const brand = cardBrandOf(digits);
  const lengths = brand?.lengths ?? [16];
  if (digits.length < Math.min(...lengths)) return refused('incomplete');
  if (!lengths.includes(digits.length) || !passesLuhn(digits)) return refused('invalid');
  return brand && circuits.includes(brand.circuit) ? taken(digits) : refused('unsupportedCard');
}

/** MM/YY; MMYY, MM/YYYY and a one-digit month are read too. */
function expiry(value: string, now: Date): EnteredPart {
  const match = /^(0?[1-9]|1[0-2])[/-](?:20)?(\d{2})$/.exec(value) ?? /^(0[1-9]|1[0-2])(\d{2})$/.exec(value);
  if (!match) return refused(/^\d{0,2}[/-]?\d{0,1}$/.test(value) ? 'incomplete' : 'invalid');
  const [month, year] = [Number(match[1]), 2000 + Number(match[2])];
  // A card is good to the end of its month wherever the payer is: the day line lies twelve hours behind UTC.
  const goodUntilMs = Date.UTC(year, month, 1, 12);
  if (now.getTime() >= goodUntilMs) return refused('expired');
  return taken(`${String(month).padStart(2, '0')}/${match[2]}`);
}

function securityCode(value: string, circuit: string | null): EnteredPart {
  if (!/^\d{1,4}$/.test(value)) return refused('invalid');
  const length = securityCodeLengthOf(circuit);
  if (value.length < (length ?? 3)) return refused('incomplete');
  return length === null || value.length === length ? taken(value) : refused('invalid');
}

const taken = (value: string): EnteredPart => ({ value, error: null });
const refused = (error: CardFieldErrorCode): EnteredPart => ({ value: null, error });
