// A first look at what was typed into a card form, the same in the browser and before the graph is asked: brand, length, check digit, date.
import { type CardBrand, cardBrandOf } from '../subgraphs/shared/card-brand';
import { passesLuhn } from '../subgraphs/shared/luhn';
import { brandName } from './brands';

export type InputName = 'number' | 'expiry' | 'cvv' | 'holder' | 'email';

/** Why a value cannot be right, as a key of the texts; null when it may be. */
export type CardFault =
  | 'numberMissing'
  | 'numberInvalid'
  | 'expiryMissing'
  | 'expiryInvalid'
  | 'expiryPast'
  | 'cvvMissing'
  | 'cvvInvalid'
  | 'holderMissing'
  | 'holderInvalid'
  | 'emailInvalid'
  | null;

/** For the brand that is shown while the payer types; the server's answer counts. */
export function brandOf(number: string): CardBrand | undefined {
  return cardBrandOf(digitsOf(number));
}

export function shownBrand(number: string): string {
  const brand = brandOf(number);
  return brand ? brandName(brand.circuit) : '';
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Of any part as typed: an e-mail address has at most 254 characters (RFC 5321). */
export const partLengthMax = 254;

const tooLong: Readonly<Record<InputName, CardFault>> = {
  number: 'numberInvalid',
  expiry: 'expiryInvalid',
  cvv: 'cvvInvalid',
  holder: 'holderInvalid',
  email: 'emailInvalid',
};

/** `now` by the payer's own clock; the server judges again by its own. */
export function faultOf(
  name: InputName,
  value: string,
  { cvvDigits, now }: { cvvDigits: number; now: Date },
): CardFault {
  // Before any pattern sees it: whoever has a link may post 32 kB here.
  if (value.length > partLengthMax) return tooLong[name];
  const text = value.trim();
  const digits = digitsOf(text);
  switch (name) {
    case 'number':
      if (text === '') return 'numberMissing';
      return hasLength(digits) && passesLuhn(digits) ? null : 'numberInvalid';
    case 'expiry':
      return text === '' ? 'expiryMissing' : expiryFault(text, now);
    case 'cvv':
      if (text === '') return 'cvvMissing';
      return digits.length === cvvDigits ? null : 'cvvInvalid';
    case 'holder':
      if (text === '') return 'holderMissing';
      return /\d{6}/.test(text) ? 'holderInvalid' : null;
    case 'email':
      return text === '' || /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) ? null : 'emailInvalid';
  }
}

/** As long as its brand's numbers are; a brand that is not known may have twelve digits and more. */
function hasLength(digits: string): boolean {
  return brandOf(digits)?.lengths.includes(digits.length) ?? digits.length >= 12;
}

function expiryFault(text: string, now: Date): CardFault {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (!match) return 'expiryInvalid';
  // As long as the server takes it, wherever this runs: the day line lies twelve hours behind UTC.
  const goodUntilMs = Date.UTC(2000 + Number(match[2]), Number(match[1]), 1, 12);
  return goodUntilMs > now.getTime() ? null : 'expiryPast';
}
