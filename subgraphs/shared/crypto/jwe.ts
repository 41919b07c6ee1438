// Compact JWE as the tokenization interface (JWE format) fixes it: RSA-OAEP-256, A256GCM and kid. Parsing and sealing; opening is jwe-pool.ts.
import {
  constants,
  createCipheriv,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { DomainError } from '../errors';

/** The public RSA key that a result is sealed to (RFC 7517). */
export interface RecipientKey {
  kty: 'RSA';
  kid: string;
  /** Modulus, base64url. */
  n: string;
  /** Public exponent, base64url. */
  e: string;
}

/** The five segments of a compact JWE as they were sent, each canonical, non-empty Base64URL. */
export interface CompactJwe {
  /** Its ASCII bytes are the additional authenticated data. */
  protectedHeader: string;
  encryptedKey: string;
  iv: string;
  ciphertext: string;
  tag: string;
}

/** Names that would have to be obeyed: compression, extensions, parameters of other algorithms. */
const meaningful = ['zip', 'crit', 'p2c', 'p2s', 'epk', 'apu', 'apv', 'iv', 'tag'];
const kidLengthMax = 128;
const cachedKeysMax = 1_000;
/** Base64URL characters: a kid, what libraries add, and a certificate that comes along. */
const headerLengthMax = 8_192;
const utf8 = new TextDecoder('utf-8', { fatal: true });
/** By all that makes the key: a modulus alone may be somebody else's, with another exponent. */
const recipientKeys = new Map<string, KeyObject>();

/**
 * Splits a compact JWE; refuses with `invalidInput` (MTS-1614) whatever is not five canonical non-empty Base64URL segments.
 * @param field dotted path of the field that carried it, for the refusal.
 */
export function parseCompactJwe(value: string, field: string): CompactJwe {
  const segments = value.split('.');
  if (segments.length !== 5 || !segments.every(isCanonical)) {
    throw new DomainError('invalidInput', `${field} is not a compact JWE: expected five Base64URL segments`, { field });
  }
  const [protectedHeader, encryptedKey, iv, ciphertext, tag] = segments as [string, string, string, string, string];
  return { protectedHeader, encryptedKey, iv, ciphertext, tag };
}

/** The kid of a header with RSA-OAEP-256 and A256GCM, else null. Other names change nothing (RFC 7516, section 4); a key that comes along is never used. */
export function readKid(protectedHeader: string): string | null {
  if (protectedHeader.length > headerLengthMax) return null;
  const header = parseObject(Buffer.from(protectedHeader, 'base64url'));
  if (!header || header.names() !== Object.keys(header.value).length) return null;
  if (meaningful.some((name) => Object.hasOwn(header.value, name))) return null;
  const { alg, enc, kid } = header.value;
  if (alg !== 'RSA-OAEP-256' || enc !== 'A256GCM' || typeof kid !== 'string') return null;
  return kid.length > 0 && kid.length <= kidLengthMax ? kid : null;
}

/** Seals a payload to the caller's registered key; the header is exactly alg, enc and kid (tokenization interface, JWE format). */
export function sealTo(recipient: RecipientKey, payload: Record<string, unknown>): string {
  const header = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: recipient.kid })).toString(
    'base64url',
  );
  const contentKey = randomBytes(32);
  const encryptedKey = publicEncrypt(
    { key: publicKeyOf(recipient), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    contentKey,
  );
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv, { authTagLength: 16 }).setAAD(
    Buffer.from(header, 'ascii'),
  );
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(payload), 'utf8'), cipher.final()]);
  contentKey.fill(0);
  const parts = [encryptedKey, iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  return [header, ...parts].join('.');
}

/** The JSON object in these UTF-8 bytes, or null when they hold anything else. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | null {
  return parseObject(bytes)?.value ?? null;
}

function parseObject(bytes: Uint8Array): { value: Record<string, unknown>; names(): number } | null {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    // Counted in the text, because JSON.parse keeps only the last of two equal names (RFC 7516, section 4: names are unique).
    return { value: value as Record<string, unknown>, names: () => countNames(text) };
  } catch {
    return null;
  }
}

/** Names of the object itself, of a JSON text that was parsed: those of objects within it, such as a key that comes along, are theirs. */
function countNames(text: string): number {
  let names = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ':' && depth === 1) names += 1;
  }
  return names;
}

/** Whole bytes, no padding, and no bits set beyond the last byte (RFC 4648, section 3.5): one spelling per value. */
function isCanonical(segment: string): boolean {
  const last = segment.charAt(segment.length - 1);
  const isWhole = [true, false, 'AQgw'.includes(last), 'AEIMQUYcgkosw048'.includes(last)][segment.length % 4] ?? false;
  return isWhole && /^[A-Za-z0-9_-]+$/.test(segment);
}

function publicKeyOf({ n, e }: RecipientKey): KeyObject {
  const name = `${n}.${e}`;
  const cached = recipientKeys.get(name);
  if (cached) return cached;
  const key = createPublicKey({ key: { kty: 'RSA', n, e } satisfies JsonWebKey, format: 'jwk' });
  if (recipientKeys.size >= cachedKeysMax) recipientKeys.clear();
  recipientKeys.set(name, key);
  return key;
}
