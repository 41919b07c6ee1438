// The keys that a caller registers so that results can be sealed to it (tokenization interface, JWE format; decision register 2.1-A, Whose key seals results). Pure.
import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';
import { DomainError } from '../../shared/errors';

/** An RSA public key as a JWK (RFC 7517, RFC 7518 section 6.3.1); n and e are Base64URL. */
export interface RecipientJwk {
  kty: string;
  kid: string;
  use: string;
  alg?: string | null;
  n: string;
  e: string;
}

export const encryptionKeyStatuses = ['ACTIVE', 'RETIRED'] as const;

export interface EncryptionKey {
  kid: string;
  n: string;
  e: string;
  bits: number;
  status: (typeof encryptionKeyStatuses)[number];
  createdAt: Date;
  retiredAt: Date | null;
}

/** Keys kept per client, retired ones included; beyond it the oldest retired one is forgotten. */
const encryptionKeysMax = 20;

const bitsMin = 2048;
const bitsMax = 8192;
const exponentMin = 65_537n;
/** OpenSSL takes no longer one with a modulus of more than 3072 bits. */
const exponentMax = 2n ** 64n - 1n;
const kidPattern = /^[\x21-\x7e]{1,128}$/;

/** Checks a JWK and returns what is kept of it. Refuses with `invalidInput`, naming the member. */
export function parseRecipientJwk(jwk: RecipientJwk): Pick<EncryptionKey, 'kid' | 'n' | 'e' | 'bits'> {
  if (jwk.kty !== 'RSA') throw refused('kty', 'expected RSA');
  if (jwk.use !== 'enc') throw refused('use', 'expected enc');
  if (jwk.alg && jwk.alg !== 'RSA-OAEP-256') throw refused('alg', 'expected RSA-OAEP-256 or nothing');
  if (!kidPattern.test(jwk.kid)) throw refused('kid', 'expected 1 to 128 printable characters');
  const key = publicKeyOf(jwk);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < bitsMin || bits > bitsMax) throw refused('n', `${bits} bits; expected ${bitsMin} to ${bitsMax}`);
  if (!canSeal(key)) throw refused('n', 'expected a modulus that can be sealed to');
  return { kid: jwk.kid, n: jwk.n, e: jwk.e, bits };
}

function publicKeyOf({ n, e }: RecipientJwk): KeyObject {
  if (!isCanonicalBase64Url(n)) throw refused('n', 'expected Base64URL');
  if (!isCanonicalBase64Url(e)) throw refused('e', 'expected Base64URL');
  const key = readPublicKey(n, e);
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? 0n;
  if (exponent < exponentMin || exponent > exponentMax || exponent % 2n === 0n)
    throw refused('e', 'expected an odd exponent of 65537 or more, of 64 bits at most');
  return key;
}

function readPublicKey(n: string, e: string): KeyObject {
  try {
    return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
  } catch {
    throw refused('n', 'expected the modulus of an RSA public key');
  }
}

/** Seals a content key as a result will be: a modulus that is even, for one, is only found out by its use. */
function canSeal(key: KeyObject): boolean {
  try {
    publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, Buffer.alloc(32));
    return true;
  } catch {
    return false;
  }
}

function isCanonicalBase64Url(value: string): boolean {
  return value.length > 0 && Buffer.from(value, 'base64url').toString('base64url') === value;
}

/** Puts the key first, so that it is used from now on. The same key under the same kid again changes nothing (null). */
export function decideKeyRegistration(
  keys: readonly EncryptionKey[],
  key: Pick<EncryptionKey, 'kid' | 'n' | 'e' | 'bits'>,
  now: Date,
): EncryptionKey[] | null {
  const known = keys.find((other) => other.kid === key.kid);
  if (known) {
    if (known.status === 'ACTIVE' && known.n === key.n && known.e === key.e) return null;
    throw new DomainError('invalidData', 'this kid names another or a retired key; expected a new kid', {
      field: 'kid',
    });
  }
  const kept = keys.length < encryptionKeysMax ? keys : withoutOldestRetired(keys);
  return [{ ...key, status: 'ACTIVE', createdAt: now, retiredAt: null }, ...kept];
}

function withoutOldestRetired(keys: readonly EncryptionKey[]): readonly EncryptionKey[] {
  const oldest = keys.findLastIndex((key) => key.status === 'RETIRED');
  if (oldest >= 0) return keys.toSpliced(oldest, 1);
  throw new DomainError('invalidData', `${keys.length} keys are active; expected fewer than ${encryptionKeysMax}`);
}

/** Retires a key: nothing is sealed to it any more. Retiring it again changes nothing (null); an unknown kid is `notFound`. */
export function decideKeyRetirement(keys: readonly EncryptionKey[], kid: string, now: Date): EncryptionKey[] | null {
  const key = keys.find((other) => other.kid === kid);
  if (!key) throw new DomainError('notFound');
  if (key.status === 'RETIRED') return null;
  return keys.map((other) => (other === key ? { ...key, status: 'RETIRED', retiredAt: now } : other));
}

/** The newest active key, the one results are sealed to; null when there is none. */
export function newestActiveKey(keys: readonly EncryptionKey[]): EncryptionKey | null {
  return keys.find((key) => key.status === 'ACTIVE') ?? null;
}

function refused(member: string, expectation: string): DomainError {
  return new DomainError('invalidInput', `JWK member ${member}: ${expectation}`, { field: `key.${member}` });
}
