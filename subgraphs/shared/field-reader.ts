// Readers for the parts of a request that the graph takes as JSON: each turns a value into a field that cannot be wrong, or refuses naming it.
import { maskCardNumbers } from './card-number';
import { DomainError, type DomainErrorCode } from './errors';

/** Reads a value that is present; `field` is its dotted path. Refuses with `invalidInput`, or the code of its own rule. */
export type FieldReader<Value> = (value: unknown, field: string) => Value;

type ReaderShape = Record<string, FieldReader<unknown>>;
type ValuesOf<Readers extends ReaderShape> = { [Name in keyof Readers]: ReturnType<Readers[Name]> };
/** The fields that were present; null counts as absent. */
export type FieldsOf<Readers extends ReaderShape> = Partial<ValuesOf<Readers>>;

/** Without control characters (line breaks and tabs aside) and without halves of surrogate pairs. */
const plainText = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

/** Longest names, addresses and references where the interface names no limit. */
const textCharactersMax = 200;
/** Whole numbers above would pass through JSON changed. */
const int64Max = Number.MAX_SAFE_INTEGER;
const int32Min = -2_147_483_648;
export const int32Max = 2_147_483_647;

/** Says what is wrong with a field; never its value. */
export function refuseField(field: string, rule: string, code: DomainErrorCode = 'invalidInput'): never {
  throw new DomainError(code, `${field || 'input'} ${rule}.`, { field: field || 'input' });
}

/** Any text of so many characters at most, of one pattern where there is one. */
export function text(
  charactersMax: number = textCharactersMax,
  pattern: RegExp = plainText,
  form = 'plain text',
): FieldReader<string> {
  return (value, field) => {
    if (typeof value !== 'string') refuseField(field, 'must be a string');
    if ([...value].length > charactersMax) refuseField(field, `must have at most ${charactersMax} characters`);
    return pattern.test(value) ? value : refuseField(field, `must be ${form}`);
  };
}

/** What people write, of so many characters at most: a card number in it is masked before anybody keeps it. */
export function freeText(charactersMax: number = textCharactersMax): FieldReader<string> {
  const read = text(charactersMax);
  return (value, field) => maskCardNumbers(read(value, field));
}

/** One line that a thing is called by, of so many characters at most: without blanks around it, a card number in it masked. */
export function line(charactersMax: number): FieldReader<string> {
  return (value, field) => {
    const said = typeof value === 'string' ? value.trim() : '';
    if (!isPlain(said) || [...said].length > charactersMax)
      refuseField(field, `must have 1 to ${charactersMax} characters of plain text`);
    return maskCardNumbers(said);
  };
}

/** More than blanks, and without control characters and halves of surrogate pairs. */
export function isPlain(said: string): boolean {
  return said.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(said);
}

/** One of the words, which an installation may have chosen. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  code: DomainErrorCode = 'invalidInput',
): FieldReader<Value> {
  return (value, field) =>
    values.find((known) => known === value) ??
    refuseField(field, `must be one of ${values.slice(0, 20).join(', ')}`, code);
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

/** Whole minor units, or whole parts of a rate; never negative. */
export const wholeNumber = integer(0, int64Max);

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

/**
 * The named fields alone: members that it does not name are ignored, null counts as absent.
 * Refuses with `fieldMissing` when one of `required` is absent.
 */
export function fields<Required extends ReaderShape, Optional extends ReaderShape = Record<never, never>>(
  required: Required,
  optional: Optional = {} as Optional,
): FieldReader<ValuesOf<Required> & Partial<ValuesOf<Optional>>> {
  return (value, field) => {
    if (!isObject(value)) refuseField(field, 'must be an object');
    const own = (name: string) => (Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined);
    const path = (name: string) => (field ? `${field}.${name}` : name);
    for (const name of Object.keys(required)) {
      if (own(name) === undefined) refuseField(path(name), 'is required', 'fieldMissing');
    }
    const read = Object.entries({ ...required, ...optional }).flatMap(([name, reader]) => {
      const found = own(name);
      return found === undefined ? [] : [[name, reader(found, path(name))] as const];
    });
    return Object.fromEntries(read) as ValuesOf<Required> & Partial<ValuesOf<Optional>>;
  };
}

/** Only the named fields, as far as they are there. */
export function optionalFields<Readers extends ReaderShape>(readers: Readers): FieldReader<FieldsOf<Readers>> {
  return fields({}, readers) as FieldReader<FieldsOf<Readers>>;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
