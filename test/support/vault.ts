// The keys of a test's vault: one key-encryption key for every family.
import { familyVariables } from '../../deploy/keyring';
import { localKeyEncryption } from '../../subgraphs/shared/key-encryption';
import { keyFamilies } from '../../subgraphs/shared/sealed-fields';
import type { Keyring } from '../../subgraphs/shared/vault';

/** `keys`: 32 bytes, base64 each. */
export function keyringFor(keys: { current: string; previous: string }): Keyring {
  const pair = {
    current: localKeyEncryption(keys.current, 'the key'),
    ...(keys.previous ? { previous: localKeyEncryption(keys.previous, 'the previous key') } : {}),
  };
  return Object.fromEntries(keyFamilies.map((family) => [family, pair]));
}

/** The variables of every family, one key for all. */
export function vaultKeys(current: string, previous?: string): Record<string, string> {
  const pairs = familyVariables.map((names): [string, string][] => [
    [names.current, current],
    ...(previous === undefined ? [] : [[names.previous, previous] as [string, string]]),
  ]);
  return Object.fromEntries(pairs.flat());
}
