// Filters of lists: what every one may say, and text as a pattern of the database.
import { isCountryAlpha3 } from './countries';
import { DomainError } from './errors';
import { isCurrency } from './money';

/** Most values of one list of a filter. */
const valuesMax = 20;

/** The two ends of ranges, as filters call them. */
const ranges = [
  ['from', 'to'],
  ['fromTime', 'toTime'],
  ['since', 'until'],
  ['authorizationExpiresFrom', 'authorizationExpiresTo'],
] as const;

/** Words that a filter takes as text, of which all are known. */
export interface KnownWords {
  isKnown(word: unknown): boolean;
  /** What would be right, as a sentence ends. */
  right: string;
}

const currencyWords: KnownWords = { isKnown: isCurrency, right: 'three letters of ISO 4217 such as EUR' };
const countryWords: KnownWords = { isKnown: isCountryAlpha3, right: 'three letters of ISO 3166-1 such as ITA' };

/** By the names that filters have for them. */
const knownWords = { currency: currencyWords, currencies: currencyWords, countries: countryWords };

/**
 * Refuses what can fit nothing, and too much: with `invalidInput` a list of no values, or of more than one question may have, a word that there is
 * not, and amounts the wrong way round; with `timesReversed` times and days the wrong way round.
 */
export function assertListFilter(filter: object): void {
  const given: Readonly<Record<string, unknown>> = { ...filter };
  for (const [field, values] of Object.entries(given)) if (Array.isArray(values)) assertValues(field, values);
  assertKnownWords(filter);
  for (const [from, to] of ranges) if (isReversed(given[from], given[to])) throw reversed(from, to);
  const { minAmount, maxAmount } = given;
  if (minAmount && maxAmount && BigInt(String(minAmount)) > BigInt(String(maxAmount)))
    throw new DomainError('invalidInput', 'minAmount is more than maxAmount', { field: 'minAmount' });
}

function assertValues(field: string, { length }: readonly unknown[]): void {
  if (length === 0) throw new DomainError('invalidInput', `${field} is empty: leave it out for all`, { field });
  if (length > valuesMax)
    throw new DomainError('invalidInput', `${field} has more than ${valuesMax} values`, { field });
}

/** Refuses with `invalidInput` currencies and countries that there are not; `within` stands before the field that it names. */
export function assertKnownWords(filter: object, within = ''): void {
  const given: Readonly<Record<string, unknown>> = { ...filter };
  for (const [field, words] of Object.entries(knownWords)) assertWords(`${within}${field}`, given[field], words);
}

/** The same of one field, which has a word or several; absent: none. */
export function assertWords(field: string, asked: unknown, { isKnown, right }: KnownWords): void {
  if (![asked ?? []].flat().every(isKnown))
    throw new DomainError('invalidInput', `${field} must be ${right}`, { field });
}

/** Moments, or days as text. */
function isReversed(from: unknown, to: unknown): boolean {
  return Boolean(from && to) && (from as Date | string) > (to as Date | string);
}

function reversed(from: string, to: string): DomainError {
  return new DomainError('timesReversed', `${from} lies after ${to}.`, { field: from });
}

/** A pattern that matches the text itself. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
