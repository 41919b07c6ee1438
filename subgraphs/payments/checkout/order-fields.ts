// Reads members of an order as it was sent: null equals absent, a wrong type or length is refused with the member's path (hosted checkout, Order).
import { maskCardNumbers } from '../../shared/card-number';
import { DomainError } from '../../shared/errors';
import { isWebAddress } from '../../shared/field-reader';
import { amountMinorMax } from '../../shared/money';

export type Json = Record<string, unknown>;

/** An object of the request and the path that refusals name it by. */
export interface Part {
  value: Json;
  path: string;
}

/** Longest free text; the documents name none. */
const textLengthMax = 1_024;
const addressLengthMax = 2_048;

/** An element that runs or loads something, a handler within a tag, an address that is a script. */
const scripts = [
  /<\s*(?:\/\s*)?(?:script|iframe|object|embed|svg|style|link|meta|base)\b/i,
  /<[^<>]*[\s/"']on[a-z]+\s*=/i,
  /<[^<>]*javascript\s*:/i,
];

/** The object itself; refuses what is none. */
export function part(value: unknown, path: string): Part {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'an object');
  return { value: value as Json, path };
}

/** A member that is an object, or null when it is absent. */
export function nested(from: Part, name: string): Part | null {
  const value = member(from, name);
  return value === null ? null : part(value, pathOf(from, name));
}

export interface TextRule {
  lengthMax?: number;
  pattern?: RegExp;
  /** What the pattern wants, in words. */
  expected?: string;
  /** Makes the refusal of a text that breaks pattern or length; `invalidData` otherwise. */
  refuse?(message: string, field: string): DomainError;
}

/** A member that is text, without script content, or null. */
export function orderText(from: Part, name: string, rule: TextRule = {}): string | null {
  const value = member(from, name);
  if (value === null) return null;
  const path = pathOf(from, name);
  if (typeof value !== 'string') throw wrongType(path, 'a string');
  const { lengthMax = textLengthMax, pattern, expected, refuse = refuseData } = rule;
  if (value.length > lengthMax) throw refuse(`${path} has more than ${lengthMax} characters`, path);
  if (pattern && !pattern.test(value)) throw refuse(`${path} is not ${expected}`, path);
  if (scripts.some((script) => script.test(value)))
    throw new DomainError('scriptContent', `${path} carries script content`, { field: path });
  if (value.includes('\0')) throw refuse(`${path} carries a NUL`, path);
  return value;
}

/** A member that is what people write, or null: a card number in it is masked before anybody keeps it. */
export function orderFreeText(from: Part, name: string): string | null {
  const value = orderText(from, name);
  return value === null ? null : maskCardNumbers(value);
}

/** A member that is one of the words, or null. */
export function word<Word extends string>(from: Part, name: string, words: readonly Word[]): Word | null {
  const value = orderText(from, name);
  if (value === null) return null;
  const found = words.find((candidate) => candidate === value);
  if (found === undefined) throw wrong(pathOf(from, name), `one of ${words.join(', ')}`);
  return found;
}

/** A member that is a whole number within the bounds, or null. */
export function orderInteger(from: Part, name: string, { min, max }: { min: number; max: number }): number | null {
  const value = member(from, name);
  if (value === null) return null;
  const path = pathOf(from, name);
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(path, 'a whole number');
  if (value < min || value > max) throw wrong(path, `${min} to ${max}`);
  return value;
}

/** A member that is an amount in minor units as a string of digits, or null. */
export function amount(from: Part, name: string): bigint | null {
  const value = member(from, name);
  if (value === null) return null;
  const path = pathOf(from, name);
  if (typeof value !== 'string') throw wrongType(path, 'a string of digits');
  if (!/^\d{1,12}$/.test(value) || BigInt(value) > amountMinorMax)
    throw new DomainError('amountInvalid', `${path} is not 1 to 12 digits`, { field: path });
  return BigInt(value);
}

/** A member that is a list of at most `itemsMax` items, or null. */
export function orderList(from: Part, name: string, itemsMax: number): unknown[] | null {
  const value = member(from, name);
  if (value === null) return null;
  const path = pathOf(from, name);
  if (!Array.isArray(value)) throw wrongType(path, 'a list');
  if (value.length > itemsMax) throw wrong(path, `at most ${itemsMax} items`);
  return value;
}

/** An absolute http(s) address that a browser is sent to, or null. */
export function browserAddress(from: Part, name: string): string | null {
  const value = orderText(from, name, { lengthMax: addressLengthMax });
  if (value === null) return null;
  if (!isWebAddress(value)) throw wrong(pathOf(from, name), 'an absolute http(s) address without credentials');
  return value;
}

/** Refuses an absent member that the call needs. */
export function required<Value>(value: Value | null, from: Part, name: string): Value {
  if (value === null) {
    const path = pathOf(from, name);
    throw new DomainError('invalidInput', `${path} is required`, { field: path });
  }
  return value;
}

export function pathOf({ path }: Part, name: string): string {
  return path === '' ? name : name.startsWith('[') ? `${path}${name}` : `${path}.${name}`;
}

export function wrong(path: string, expected: string): DomainError {
  return refuseData(`${path} is not ${expected}`, path);
}

function refuseData(message: string, field: string): DomainError {
  return new DomainError('invalidData', message, { field });
}

function wrongType(path: string, expected: string): DomainError {
  return new DomainError('invalidInput', `${path} is not ${expected}`, { field: path });
}

function member({ value }: Part, name: string): unknown {
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}
