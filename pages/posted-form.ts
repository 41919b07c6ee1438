// What a page posted, a form or its script's JSON object, as text by name.
import { DomainError } from '../subgraphs/shared/errors';

/** Empty for an empty body. Refuses with `invalidInput` (neither of the two types) or `notJson`. */
export function readForm(contentType: string, bytes: Buffer): Record<string, string> {
  if (bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return Object.fromEntries(new URLSearchParams(text));
  if (!/^application\/json\b/i.test(contentType))
    throw new DomainError('invalidInput', 'The body is no form and no JSON.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError('notJson');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new DomainError('notJson');
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, String(member ?? '')]));
}
