// The vault: what must be read again is sealed with a data key of its account, the data keys are wrapped by one key-encryption key,
// and card look-ups use a keyed hash. Rotation re-wraps data keys and never touches a sealed value.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Connection } from 'mongoose';

/** A value at rest: AES-256-GCM, all parts base64; the key version says which data key opens it. */
export interface Sealed {
  keyVersion: number;
  iv: string;
  ciphertext: string;
  tag: string;
}

interface WrappedKey {
  _id: string;
  owner: string;
  version: number;
  /** First bytes of a hash of the key-encryption key, to know which one wrapped it. */
  wrappedBy: string;
  wrapped: Omit<Sealed, 'keyVersion'>;
}

export interface Vault {
  seal(accountId: string, plaintext: string): Promise<Sealed>;
  /** The same without waiting: the newest data key is fetched once, now. */
  sealer(accountId: string): Promise<(plaintext: string) => Sealed>;
  /** Rejects with a plain Error when the value was changed or belongs to another account: that is a defect, never input. */
  open(accountId: string, sealed: Sealed): Promise<string>;
  /** HMAC-SHA-256, base64url, under a key of its own per purpose. */
  keyedHash(purpose: string, value: string): Promise<string>;
  /** A new data key for the account; old values stay readable. */
  rotate(accountId: string): Promise<void>;
  /** Wraps every data key with the present key-encryption key; returns how many were wrapped anew. */
  rewrap(): Promise<number>;
  /** Destroys the account's data keys: whatever they sealed can never be read again. */
  destroy(accountId: string): Promise<number>;
}

export interface VaultKeys {
  /** 32 bytes, base64. */
  current: string;
  /** The key before a roll-over, or empty. */
  previous: string;
}

const currentVersionCacheMs = 1_000;

export function createVault(connection: Connection, keys: VaultKeys): Vault {
  const collection = connection.collection('data_keys') as unknown as Collection<WrappedKey>;
  const current = keyEncryptionKey(keys.current, 'VAULT_KEY');
  const known = new Map([[fingerprint(current), current]]);
  if (keys.previous) {
    const previous = keyEncryptionKey(keys.previous, 'VAULT_KEY_PREVIOUS');
    known.set(fingerprint(previous), previous);
  }
  const opened = new Map<string, Buffer>();
  const newest = new Map<string, { version: Promise<number>; readAtMs: number }>();

  async function dataKey(owner: string, version: number): Promise<Buffer> {
    const id = `${owner}:${version}`;
    const cached = opened.get(id);
    if (cached) return cached;
    const record = await collection.findOne({ _id: id });
    if (!record) throw new Error(`data key ${id} does not exist (destroyed?)`);
    const key = unwrap(record, known);
    opened.set(id, key);
    return key;
  }

  /** Whoever comes while it is read waits for the same answer. */
  function newestVersion(owner: string): Promise<number> {
    const cached = newest.get(owner);
    if (cached && Date.now() - cached.readAtMs < currentVersionCacheMs) return cached.version;
    const version = readNewestVersion(owner);
    newest.set(owner, { version, readAtMs: Date.now() });
    version.catch(() => newest.delete(owner));
    return version;
  }

  async function readNewestVersion(owner: string): Promise<number> {
    const record = await collection.find({ owner }).sort({ version: -1 }).limit(1).next();
    return record?.version ?? (await addKey(owner, 1));
  }

  /** Inserts the data key of that version; when another process was first, its key counts. */
  async function addKey(owner: string, version: number): Promise<number> {
    const wrapped = encrypt(current, randomBytes(32));
    const record = { _id: `${owner}:${version}`, owner, version, wrappedBy: fingerprint(current), wrapped };
    await collection.insertOne(record).catch((error: { code?: number }) => {
      if (error.code !== 11000) throw error;
    });
    return version;
  }

  async function sealer(accountId: string): Promise<(plaintext: string) => Sealed> {
    const keyVersion = await newestVersion(accountId);
    const key = await dataKey(accountId, keyVersion);
    return (plaintext) => ({ keyVersion, ...encrypt(key, Buffer.from(plaintext, 'utf8'), accountId) });
  }

  return {
    sealer,
    seal: async (accountId, plaintext) => (await sealer(accountId))(plaintext),
    async open(accountId, sealed) {
      return decrypt(await dataKey(accountId, sealed.keyVersion), sealed, accountId).toString('utf8');
    },
    async keyedHash(purpose, value) {
      const owner = `hash:${purpose}`;
      if (!opened.has(`${owner}:1`)) await newestVersion(owner);
      return createHmac('sha256', await dataKey(owner, 1))
        .update(value)
        .digest('base64url');
    },
    async rotate(accountId) {
      await addKey(accountId, (await newestVersion(accountId)) + 1);
      newest.delete(accountId);
    },
    async rewrap() {
      let count = 0;
      for await (const record of collection.find({ wrappedBy: { $ne: fingerprint(current) } })) {
        const wrapped = encrypt(current, unwrap(record, known));
        await collection.updateOne(
          { _id: record._id, wrappedBy: record.wrappedBy },
          { $set: { wrapped, wrappedBy: fingerprint(current) } },
        );
        count += 1;
      }
      return count;
    },
    async destroy(accountId) {
      for (const id of opened.keys()) if (id.startsWith(`${accountId}:`)) opened.delete(id);
      newest.delete(accountId);
      return (await collection.deleteMany({ owner: accountId })).deletedCount;
    },
  };
}

function keyEncryptionKey(base64: string, variable: string): Buffer {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== 32) throw new Error(`${variable} has ${key.length} bytes; expected 32, base64`);
  return key;
}

function fingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('key-encryption-key').digest('base64url').slice(0, 16);
}

function unwrap(record: WrappedKey, known: Map<string, Buffer>): Buffer {
  const key = known.get(record.wrappedBy);
  if (!key)
    throw new Error(
      `data key ${record._id} was wrapped by a key-encryption key that is not configured (${record.wrappedBy})`,
    );
  return decrypt(key, record.wrapped);
}

/** The account is authenticated with the value: a sealed value moved to another account does not open. */
function encrypt(key: Buffer, plaintext: Buffer, owner = ''): Omit<Sealed, 'keyVersion'> {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return {
    iv: iv.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  };
}

function decrypt(key: Buffer, sealed: Omit<Sealed, 'keyVersion'>, owner = ''): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(Buffer.from(sealed.tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(sealed.ciphertext, 'base64')), decipher.final()]);
}
