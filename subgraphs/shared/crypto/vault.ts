// The vault: what must be read again is sealed with a data key of its account, bound to account and field; look-ups use a keyed hash. A process opens
// the families of keys that it was given (sealed-fields.ts).
import { createHmac } from 'node:crypto';
import type { Connection } from 'mongoose';
import { createDataKeys, type DataKey, type DataKeys } from './data-keys';
import { type Ciphertext, decrypt, encrypt, type KeyPair } from './key-encryption';
import { type HashPurpose, hashPurposes, type KeyFamily, type SealedField, sealedFields } from './sealed-fields';

/** A value at rest: AES-256-GCM, all parts base64; the key version says which data key opens it. */
export interface Sealed extends Ciphertext {
  keyVersion: number;
}

/** Whose value it is and in which field it stands. */
export interface SealedPlace {
  /** An account, or what else has data keys of its own. */
  owner: string;
  field: SealedField;
}

export interface Vault {
  seal(place: SealedPlace, plaintext: string): Promise<Sealed>;
  /** The same without waiting: the newest data key is fetched once, now. */
  sealer(place: SealedPlace): Promise<(plaintext: string) => Sealed>;
  /**
   * Rejects with a plain Error when the value was changed or belongs to another owner or field: that is a defect, never input.
   * Refuses with `invalidState` when the owner's data was destroyed.
   */
  open(place: SealedPlace, sealed: Sealed): Promise<string>;
  /** HMAC-SHA-256, base64url, under a key of its own per purpose. */
  keyedHash(purpose: HashPurpose, value: string): Promise<string>;
}

/** What operators do with the data keys of every family that was given; the keys of hashes stay as they are. */
export interface VaultKeeping {
  /** A new data key for each owner, or for one; old values stay readable. Returns how many were made. */
  rotate(owner?: string): Promise<number>;
  /** Wraps every data key with the present key-encryption keys; returns how many were wrapped anew. */
  rewrap(): Promise<number>;
  /** Destroys the owner's data keys: what they sealed can never be read again. Returns how many there were. */
  destroy(owner: string): Promise<number>;
  /** The collections of data keys with their validators. */
  prepareCollections(): Promise<void>;
}

export type Keyring = Partial<Record<KeyFamily, KeyPair>>;

export function createVault(connection: Connection, keyring: Keyring): Vault & VaultKeeping {
  const families = new Map(
    Object.entries(keyring).map(([family, keys]) => [
      family as KeyFamily,
      createDataKeys(connection, family as KeyFamily, keys),
    ]),
  );

  function keysOf(family: KeyFamily): DataKeys {
    const keys = families.get(family);
    if (!keys) throw new Error(`this process has no VAULT_KEY_${family.toUpperCase()}`);
    return keys;
  }

  async function sealer(place: SealedPlace): Promise<(plaintext: string) => Sealed> {
    const key = await keysOf(sealedFields[place.field]).newest(place.owner);
    const bound = boundTo(place, key);
    return (plaintext) => ({ keyVersion: key.version, ...encrypt(key.bytes, Buffer.from(plaintext, 'utf8'), bound) });
  }

  async function forAll(work: (keys: DataKeys) => Promise<number>): Promise<number> {
    let count = 0;
    for (const keys of families.values()) count += await work(keys);
    return count;
  }

  return {
    sealer,
    seal: async (place, plaintext) => (await sealer(place))(plaintext),
    async open(place, sealed) {
      const key = await keysOf(sealedFields[place.field]).find(place.owner, sealed.keyVersion);
      return decrypt(key.bytes, sealed, boundTo(place, key)).toString('utf8');
    },
    async keyedHash(purpose, value) {
      const { bytes } = await keysOf(hashPurposes[purpose]).find(`hash:${purpose}`, 1);
      return createHmac('sha256', bytes).update(value).digest('base64url');
    },
    rotate: (owner) =>
      forAll(async (keys) => {
        const known = (await keys.owners()).filter((each) => !each.startsWith('hash:'));
        const rotated = owner === undefined ? known : known.filter((each) => each === owner);
        for (const each of rotated) await keys.rotate(each);
        return rotated.length;
      }),
    rewrap: () => forAll((keys) => keys.rewrap()),
    destroy: (owner) => forAll((keys) => keys.destroy(owner)),
    prepareCollections: async () => void (await Promise.all([...families.values()].map((keys) => keys.prepare()))),
  };
}

/** What a sealed value is authenticated with. */
function boundTo({ owner, field }: SealedPlace, { format }: DataKey): string {
  return format === 1 ? owner : JSON.stringify(['sealed', owner, field]);
}
