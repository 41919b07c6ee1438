// The keys of a test's vault: one key-encryption key for every family.
import { createHash } from 'node:crypto';
import { familyVariables } from '../../app/keyring';
import { localKeyEncryption } from '../../subgraphs/shared/crypto/key-encryption';
import { keyFamilies } from '../../subgraphs/shared/crypto/sealed-fields';
import type { Keyring } from '../../subgraphs/shared/crypto/vault';

/** `keys`: 32 bytes, base64 each. */
export function keyringFor(keys: { current: string; previous: string }): Keyring {
  const pair = {
    current: localKeyEncryption(keys.current, 'the key'),
    previous: keys.previous ? localKeyEncryption(keys.previous, 'the previous key') : undefined,
  };
  return Object.fromEntries(keyFamilies.map((family) => [family, pair]));
}

/** The variables of every family, each with a key of its own made from the given one. */
export function vaultKeys(current: string, previous?: string): Record<string, string> {
  const pairs = familyVariables.map((names): [string, string][] => [
    [names.current, derived(names.family, current)],
    ...(previous === undefined ? [] : [[names.previous, derived(names.family, previous)] as [string, string]]),
  ]);
  return Object.fromEntries(pairs.flat());
}

function derived(family: string, key: string): string {
  return key && createHash('sha256').update(`${family} ${key}`).digest('base64');
}
