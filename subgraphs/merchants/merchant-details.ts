// What is said of a merchant, and its rules, the same for both doors (merchant administration, Merchant; decision register 2.3-A). Pure.
import { maskCardNumbers } from '../shared/card-number';
import { isCountryAlpha2 } from '../shared/countries';
import { DomainError } from '../shared/errors';
import { isPlain } from '../shared/field-reader';
import { type Invoicing, type Merchant, type MerchantStatus, merchantIdPattern, usualCountry } from './merchant';

/** What a caller says of a merchant; null is the same as nothing. */
export interface SaidOfMerchant {
  name: string;
  status: MerchantStatus;
  invoicing: Invoicing;
  /** ISO 3166-1 alpha-2; the usual one when nothing is said. */
  country?: string | null | undefined;
  orgNumber?: string | null | undefined;
  vatNumber?: string | null | undefined;
  merchantCategoryCode?: string | null | undefined;
  merchantCity?: string | null | undefined;
  prefix?: string | null | undefined;
}

export type MerchantDetails = Pick<Merchant, keyof SaidOfMerchant>;

/** Longest value in characters; `exact`: the only length. */
const texts = {
  name: { max: 100 },
  orgNumber: { max: 35 },
  vatNumber: { max: 35 },
  merchantCategoryCode: { max: 4, pattern: /^[A-Za-z0-9]{4}$/ },
  merchantCity: { max: 100 },
  prefix: { max: 35 },
} as const satisfies Record<string, { max: number; pattern?: RegExp }>;

const claimMax = 100;

/** Of each detail its final form; refuses what is none. */
const finalForm: {
  readonly [Field in keyof MerchantDetails]: (said: SaidOfMerchant[Field]) => MerchantDetails[Field];
} = {
  country: (said) => {
    const country = said ?? usualCountry;
    if (isCountryAlpha2(country)) return country;
    throw new DomainError('invalidData', 'country is no ISO 3166-1 alpha-2 code', { field: 'country' });
  },
  merchantCity: (said) => orNothing(said, (city) => maskCardNumbers(textOf('merchantCity', city))),
  name: (said) => maskCardNumbers(textOf('name', said)),
  status: (said) => said,
  invoicing: (said) => said,
  orgNumber: (said) => orNothing(said, (number) => textOf('orgNumber', number)),
  vatNumber: (said) => orNothing(said, (number) => textOf('vatNumber', number)),
  merchantCategoryCode: (said) => orNothing(said, (code) => textOf('merchantCategoryCode', code)),
  prefix: (said) => orNothing(said, (prefix) => textOf('prefix', prefix)),
};
const detailNames = Object.keys(finalForm) as (keyof MerchantDetails)[];

function orNothing(said: string | null | undefined, read: (said: string) => string): string | null {
  return said === null || said === undefined ? null : read(said);
}

/** The details in their final form; refuses with `invalidInput` (shape) or `invalidData` (no such country). */
export function decideDetails(said: SaidOfMerchant): MerchantDetails {
  return formed(detailNames, said) as MerchantDetails;
}

/** Fields that a merchant always has: null says nothing of them. */
const lasting: ReadonlySet<string> = new Set(['name', 'status', 'invoicing', 'country']);

/** The same of what is said alone: what stands is not judged again, whatever was allowed when it was said. */
export function decideSaid(said: Partial<SaidOfMerchant>): Partial<MerchantDetails> {
  const isSaid = (name: keyof MerchantDetails) =>
    said[name] !== undefined && !(said[name] === null && lasting.has(name));
  return formed(detailNames.filter(isSaid), said);
}

function formed(names: readonly (keyof MerchantDetails)[], said: Partial<SaidOfMerchant>): Partial<MerchantDetails> {
  const formOf = (name: keyof MerchantDetails) => (finalForm[name] as (value: unknown) => unknown)(said[name]);
  return Object.fromEntries(names.map((name) => [name, formOf(name)]));
}

/** What somebody else said of a merchant, brought into the form of ours: on one line, cut to its length, and null where nothing is left. */
export function broughtInto(field: 'name' | 'orgNumber' | 'vatNumber', said: string | null): string | null {
  const words = (said ?? '').replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const kept = field === 'name' ? maskCardNumbers(words) : words;
  return [...kept].slice(0, texts[field].max).join('').trim() || null;
}

/** Who somebody says to be: 1 to 100 characters of plain text that are not all blank. Refuses with `invalidInput`. */
export function decideClaim(field: 'createdBy' | 'updatedBy' | 'userId', claim: string): string {
  if (isPlain(claim) && [...claim].length <= claimMax) return maskCardNumbers(claim);
  throw new DomainError('invalidInput', `${field} must have 1 to ${claimMax} characters of plain text`, { field });
}

/** Refuses with `invalidInput` what is no merchantId. */
export function decideMerchantId(merchantId: string): string {
  if (merchantIdPattern.test(merchantId)) return merchantId;
  const rule = 'merchantId must be 1 to 35 letters, digits, dots, hyphens and underscores';
  throw new DomainError('invalidInput', rule, { field: 'merchantId' });
}

function textOf(field: keyof typeof texts, value: string): string {
  const { max, pattern }: { max: number; pattern?: RegExp } = texts[field];
  const isWithin = isPlain(value) && [...value].length <= max;
  if (isWithin && (pattern === undefined || pattern.test(value))) return value;
  const rule = pattern ? `must be ${max} letters or digits` : `must have 1 to ${max} characters of plain text`;
  throw new DomainError('invalidInput', `${field} ${rule}`, { field });
}
