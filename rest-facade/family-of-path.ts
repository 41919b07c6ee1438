// Which API family a path belongs to by its beginning: whose shape the refusal of an unknown path or a wrong method has.
import type { ErrorFamily } from './errors/error-tables';

/** The longest that fits wins, so the more particular stand first. */
const prefixes: readonly (readonly [prefix: string, family: ErrorFamily])[] = [
  ['/virtual-accounts', 'tokenization'],
  ['/api/v1/payments', 'payments'],
  ['/api', 'checkout'],
  ['/ms/naa/admin', 'administration'],
  ['/partner', 'partner'],
  ['/report', 'reporting'],
  ['/sandbox', 'sandbox'],
];

/** Null for what belongs to none: health, documents, anything else. */
export function familyOfPath(path: string): ErrorFamily | null {
  const found = prefixes.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found?.[1] ?? null;
}
