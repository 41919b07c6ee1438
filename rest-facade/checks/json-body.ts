// JSON bodies, parsed strictly (tokenization interface, Limits): one meaning per text, or a refusal.
import { DomainError } from '../../subgraphs/shared/errors';

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
