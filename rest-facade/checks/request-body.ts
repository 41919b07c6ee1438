// The body of a request on its way through the checks: its size, its JSON, parsed strictly, its shape (decision register 2.1-B; tokenization interface, Limits; tokenization and payment interfaces, Errors).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, type DomainErrorDetails } from '../../subgraphs/shared/errors';
import { readBody } from '../../subgraphs/shared/http/request-body';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { Fault, Violation } from '../errors/violation';
import type { Route } from '../route-record';
import type { RouteChecks } from './openapi';

/** Longest JSON body, in bytes, where a record does not say otherwise (decision register 2.1-A, Rates and sizes). */
export const jsonBytesMax = 16_384;

/** 413: the whole body first, then the field with a limit of its own, which can only be over it when the body is. */
export async function readSizedBody(route: Route, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const bytesMax = route.bodyKind === 'none' ? jsonBytesMax : route.bodyBytesMax;
  const isExpected = request.headers.expect !== undefined;
  const onContinue = isExpected ? () => response.writeContinue() : undefined;
  const raw = await readBody(request, { bytesMax, onContinue });
  const sized = route.sizedField;
  if (!sized || raw.length <= sized.charactersMax) return raw;
  let value: unknown;
  try {
    value = sized.path.reduce<unknown>((found, name) => (found as Record<string, unknown>)?.[name], parseJsonBody(raw));
  } catch {
    // Not readable: its turn comes with the shape of the body, after the credential.
    return raw;
  }
  if (typeof value === 'string' && value.length > sized.charactersMax)
    throw new DomainError('payloadTooLarge', `${sized.path.join('.')} is longer than ${sized.charactersMax} bytes.`);
  return raw;
}

/**
 * The checked body, and the dotted names of members that the contract does not know. Without any bytes it is `{}` where the contract does not
 * require a body. Refuses with `notJson`, `invalidInput` or what the contract names for the broken field.
 */
export function readShape(
  route: Route,
  checks: RouteChecks,
  { headers }: IncomingMessage,
  raw: Buffer,
): { body: unknown; unknown: string[] } {
  if (route.bodyKind !== 'json') return { body: null, unknown: [] };
  if (raw.length === 0 && !checks.isBodyRequired) return { body: {}, unknown: [] };
  if (!isJsonContentType(headers['content-type']))
    throw new DomainError('notJson', 'Content-Type must be application/json in UTF-8.', { field: 'Content-Type' });
  const sent = parseJsonBody(raw);
  const body = route.isTidied ? checks.tidy(sent) : sent;
  assertHolds(checks.body(body), 'invalidInput');
  return { body, unknown: checks.unknownFields(sent) };
}

/** Throws what the violation itself says, or `code`; the other faults stand beside it. */
export function assertHolds(violation: Violation | null, code: 'invalidInput' | 'notFound'): void {
  if (!violation) return;
  const others = violation.others?.map((fault) => {
    const { code: otherCode, message } = refusalOf(fault, code);
    return { code: otherCode, message, field: fault.field };
  });
  throw refusalOf(violation, code, others);
}

function refusalOf(
  fault: Fault,
  code: 'invalidInput' | 'notFound',
  others?: DomainErrorDetails['others'],
): DomainError {
  const { field, rule, isMissing } = fault;
  return new DomainError(fault.code ?? (isMissing ? 'fieldMissing' : code), `${field} ${rule}.`, {
    field,
    ...withoutUndefined({ others }),
  });
}

/** At most twenty names, fit for a header whatever their characters are. */
export function printNames(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name) => encodeURIComponent(Buffer.from([...name].slice(0, 64).join('')).toString()))
    .join(', ');
}

/** Deepest nesting of a JSON body; no documented body needs more than five. */
export const depthMax = 32;

const contentTypeLengthMax = 128;
const json = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?(?:\s*;)?$/i;

/** True for application/json, alone or with charset utf-8. */
export function isJsonContentType(value: string | undefined): boolean {
  return value !== undefined && value.length <= contentTypeLengthMax && json.test(value.trim());
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** JSON with one meaning: UTF-8, no repeated or `__proto__` key, no deeper than `depthMax`. Refuses with `notJson`, or `invalidInput` and what was broken. */
export function parseJsonBody(raw: Buffer): unknown {
  const text = decode(raw);
  assertDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError('notJson', 'The body is not JSON.');
  }
  assertOneMeaning(text);
  return value;
}

function decode(raw: Buffer): string {
  try {
    return decoder.decode(raw);
  } catch {
    throw new DomainError('notJson', 'The body is not UTF-8.');
  }
}

/** Runs before the parser: a count of brackets outside strings is an upper bound of the depth in well-formed text. */
function assertDepth(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > depthMax) throw new DomainError('invalidInput', `The body is nested deeper than ${depthMax} levels.`);
    } else if (character === '}' || character === ']') depth -= 1;
  }
}

/** Walks text that is known to be JSON and looks at every key among its siblings. */
function assertOneMeaning(text: string): void {
  const containers: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') {
      containers.push(character === '{' ? new Set() : null);
      expectsKey = character === '{';
    } else if (character === '}' || character === ']') {
      containers.pop();
      expectsKey = false;
    } else if (character === ',') expectsKey = Boolean(containers[containers.length - 1]);
    else if (character === '"') {
      const end = endOfString(text, index);
      const keys = containers[containers.length - 1];
      if (expectsKey && keys) assertNewKey(keys, readLiteral(text.slice(index, end + 1)));
      expectsKey = false;
      index = end;
    }
  }
}

/** Index of the closing quote; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}

function readLiteral(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function assertNewKey(keys: Set<string>, key: string): void {
  if (key === '__proto__') throw new DomainError('invalidInput', 'The body uses the reserved name __proto__.');
  if (keys.has(key)) throw new DomainError('invalidInput', 'The body repeats a name within one object.');
  keys.add(key);
}
