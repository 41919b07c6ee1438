// The key-encryption key behind an interface: it wraps and unwraps data keys and never leaves its place. Here it is 32 bytes of this process's
// configuration; a hardware module or a key service takes the same two calls.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** What AES-256-GCM leaves, all parts base64. */
export interface Ciphertext {
  iv: string;
  ciphertext: string;
  tag: string;
}

export interface KeyEncryption {
  /** Tells one key from another without saying anything of it. */
  id: string;
  /** `boundTo` is authenticated with the key: under another text it does not unwrap. */
  wrap(key: Buffer, boundTo: string): Promise<Ciphertext>;
  unwrap(wrapped: Ciphertext, boundTo: string): Promise<Buffer>;
}

/** The present key, and the one before it while a roll-over lasts. */
export interface KeyPair {
  current: KeyEncryption;
  previous?: KeyEncryption;
}

/** A key from the environment or a file: 32 bytes, base64. `variable` names it in what is said when it is none. */
export function localKeyEncryption(base64: string, variable: string): KeyEncryption {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== 32) throw new Error(`${variable} has ${key.length} bytes; expected 32, base64`);
  return {
    id: createHmac('sha256', key).update('key-encryption-key').digest('base64url').slice(0, 16),
    wrap: async (dataKey, boundTo) => encrypt(key, dataKey, boundTo),
    unwrap: async (wrapped, boundTo) => decrypt(key, wrapped, boundTo),
  };
}

export function encrypt(key: Buffer, plaintext: Buffer, boundTo: string): Ciphertext {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAAD(Buffer.from(boundTo));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return {
    iv: iv.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  };
}

/** Throws when the value was changed or is bound to another text. */
export function decrypt(key: Buffer, { iv, ciphertext, tag }: Ciphertext, boundTo: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(Buffer.from(tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64')), decipher.final()]);
}
