// Money: whole minor units as bigint with an ISO 4217 currency; nothing is ever rounded or passes through a double (T9 of the decision register).
import { codes as allCodes, code as byCode, number as byNumber } from 'currency-codes';
import { DomainError } from './errors';

/** Largest amount of any surface: twelve digits, as in the tokenization interface. */
export const amountMinorMax = 999_999_999_999n;
/** Largest amount, balance or sum that a JSON number holds exactly: 2^53 - 1. */
export const exactMinorMax = BigInt(Number.MAX_SAFE_INTEGER);

/** The two codes of ISO 4217 that stand for no money: the one for tests and the one for no currency. */
const notMoney = /^X(?:TS|X{2})$/;

/** Active ISO 4217 alphabetic codes. */
export const currencies: readonly string[] = allCodes().filter((code) => !notMoney.test(code));

/** Digits after the decimal point, or null for a code that is no currency. */
function currencyExponent(currency: string): number | null {
  return byCode(currency)?.digits ?? null;
}

/** ISO 4217 numeric code, three digits; null for a code that is no currency. */
export function numericCurrency(currency: string): string | null {
  return byCode(currency)?.number ?? null;
}

/** ISO 4217 alphabetic code of such a number; null for one that is no currency. */
export function alphabeticCurrency(number: string): string | null {
  const found = byNumber(number)?.code;
  return isCurrency(found) ? found : null;
}

const known = new Set(currencies);

export function isCurrency(currency: unknown): currency is string {
  return typeof currency === 'string' && known.has(currency);
}

/** Reads a decimal-free string of minor units. Refuses with `amountInvalid` what is not 1 to 12 digits. */
export function parseMinor(text: string): bigint {
  if (!/^\d{1,12}$/.test(text))
    throw new DomainError('amountInvalid', 'amount is not 1 to 12 digits', { field: 'amount' });
  return BigInt(text);
}

/** The amount as a JSON number, exact also beyond the size that an interface document names; a plain Error beyond 2^53 - 1, which no booking reaches. */
export function exactNumber(minor: bigint): number {
  if (minor > exactMinorMax || minor < -exactMinorMax) throw new Error('an amount left the range of exact numbers');
  return Number(minor);
}

/** For people, in their language: 123456n EUR de -> "1.234,56 €". */
export function formatMoney(minor: bigint, currency: string, locale: string): string {
  const exponent = currencyExponent(currency) ?? 2;
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const text = exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
  return formatOf(currency, locale, exponent).format(`${sign}${text}` as unknown as number);
}

/** To make a format takes longer than to use it a hundred times; so many are kept, and then all are made anew. */
const formatsMax = 200;
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, locale: string, digits: number): Intl.NumberFormat {
  const key = `${currency} ${locale}`;
  const known = formats.get(key);
  if (known) return known;
  const [minimumFractionDigits, maximumFractionDigits] = [digits, digits];
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits,
    maximumFractionDigits,
  });
  if (formats.size >= formatsMax) formats.clear();
  formats.set(key, made);
  return made;
}
