// Readers for the parts of a request that the graph takes as JSON: each turns a value into a field that cannot be wrong, or refuses naming it (payment service).
import { maskCardNumbers } from '../shared/card-number';
import { DomainError } from '../shared/errors';

/** Reads a value that is present; `field` is its dotted path. Refuses with `invalidInput`. */
export type FieldReader<Value> = (value: unknown, field: string) => Value;

type Shape = Record<string, FieldReader<unknown>>;
/** The fields that were present; null counts as absent. */
export type FieldsOf<Readers extends Shape> = {
  [Name in keyof Readers]?: Readers[Name] extends FieldReader<infer Value> ? Value : never;
};

/** Without control characters (line breaks and tabs aside) and without halves of surrogate pairs. */
const plainText = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

const int32Min = -2_147_483_648;
export const int32Max = 2_147_483_647;

/** Says what is wrong with a field; never its value. */
export function refuseField(field: string, rule: string): never {
  throw new DomainError('invalidInput', `${field || 'input'} ${rule}.`, { field: field || 'input' });
}

/** Any text up to so many characters, of one pattern where there is one. */
export function text(charactersMax: number, pattern: RegExp = plainText, form = 'plain text'): FieldReader<string> {
  return (value, field) => {
    if (typeof value !== 'string') refuseField(field, 'must be a string');
    if ([...value].length > charactersMax) refuseField(field, `must have at most ${charactersMax} characters`);
    return pattern.test(value) ? value : refuseField(field, `must be ${form}`);
  };
}

/** What people write, up to so many characters: a card number in it is masked before anybody keeps it. */
export function freeText(charactersMax: number): FieldReader<string> {
  const read = text(charactersMax);
  return (value, field) => maskCardNumbers(read(value, field));
}

export function oneOf<Value extends string>(values: readonly Value[]): FieldReader<Value> {
  return (value, field) =>
    values.find((known) => known === value) ?? refuseField(field, `must be one of ${values.slice(0, 20).join(', ')}`);
}

export const flag: FieldReader<boolean> = (value, field) =>
  typeof value === 'boolean' ? value : refuseField(field, 'must be true or false');

/** A whole number within the bounds. */
export function integer(min: number = int32Min, max: number = int32Max): FieldReader<number> {
  return (value, field) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : refuseField(field, `must be a whole number from ${min} to ${max}`);
}

export const percentage: FieldReader<number> = (value, field) =>
  typeof value === 'number' && value >= 0 && value <= 100 ? value : refuseField(field, 'must be from 0 to 100');

/** Whether a browser may be sent there: absolute, http or https, written without blanks and without credentials. */
export function isWebAddress(address: string): boolean {
  const parsed = /^https?:\/\/\S+$/i.test(address) && URL.canParse(address) ? new URL(address) : null;
  return parsed !== null && parsed.username === '' && parsed.password === '';
}

/** An absolute http or https address that carries no credentials. */
export const webAddress: FieldReader<string> = (value, field) => {
  const address = text(2_048)(value, field);
  return isWebAddress(address)
    ? address
    : refuseField(field, 'must be an absolute http or https address without credentials');
};

/** Something before and after an @, without spaces and angle brackets. */
export const emailAddress = text(254, /^[^\s@<>"'\p{Cc}\p{Cs}]+@[^\s@<>"'\p{Cc}\p{Cs}]+$/u, 'an e-mail address');

/** A day that exists, YYYY-MM-DD. */
export const day: FieldReader<string> = (value, field) => {
  const written = text(10, /^\d{4}-\d{2}-\d{2}$/, 'a day, YYYY-MM-DD')(value, field);
  const date = new Date(`${written}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written);
  return isReal ? written : refuseField(field, 'must be a day that exists');
};

export function list<Item>(item: FieldReader<Item>, itemsMax: number): FieldReader<Item[]> {
  return (value, field) => {
    if (!Array.isArray(value)) refuseField(field, 'must be a list');
    if (value.length > itemsMax) refuseField(field, `must have at most ${itemsMax} items`);
    return value.map((each, index) => item(each, `${field}.${index}`));
  };
}

/** Only the named fields, as far as they are there; members that it does not name are ignored. */
export function fields<Readers extends Shape>(readers: Readers): FieldReader<FieldsOf<Readers>> {
  return (value, field) => {
    if (!isObject(value)) refuseField(field, 'must be an object');
    const found = Object.entries(readers).flatMap(([name, read]) => {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      return own === undefined || own === null ? [] : [[name, read(own, field ? `${field}.${name}` : name)] as const];
    });
    return Object.fromEntries(found) as FieldsOf<Readers>;
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
