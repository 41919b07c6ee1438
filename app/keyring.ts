// Key-encryption keys from the configuration: a local one for each family whose variable this process was told.
import type { Config } from '../subgraphs/shared/config';
import { localKeyEncryption } from '../subgraphs/shared/crypto/key-encryption';
import { keyFamilies } from '../subgraphs/shared/crypto/sealed-fields';
import type { Keyring } from '../subgraphs/shared/crypto/vault';

export type VaultVariable = Extract<keyof Config, `VAULT_KEY_${string}`>;

export const familyVariables = keyFamilies.map((family) => {
  const current = `VAULT_KEY_${family.toUpperCase() as Uppercase<typeof family>}` as const;
  return { family, current, previous: `${current}_PREVIOUS` as const };
});

export function keyringOf(config: Pick<Config, VaultVariable>): Keyring {
  const keyring: Keyring = {};
  for (const { family, current, previous } of familyVariables) {
    if (!config[current]) continue;
    keyring[family] = {
      current: localKeyEncryption(config[current], current),
      previous: config[previous] ? localKeyEncryption(config[previous], previous) : undefined,
    };
  }
  return keyring;
}
