// Identifiers and digests: random ids, UUID checks, SHA-256 of secrets that are themselves 256 random bits.
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A random UUID: what opens a page or must not be guessed has one. */
export const newId = randomUUID;

let last = { ms: 0, count: 0 };

/**
 * A UUID that begins with the time, counting up within a process (RFC 9562, version 7): what is made together lies together in an index, and only
 * its end is written to. It tells when it was made, and is no secret.
 */
export function newOrderedId(): string {
  const now = Date.now();
  last = now > last.ms ? { ms: now, count: randomBytes(1).readUInt8() } : { ms: last.ms, count: last.count + 1 };
  // Twelve bits of counting; whoever makes more in one millisecond runs ahead of the time.
  if (last.count > 0xfff) last = { ms: last.ms + 1, count: 0 };
  const time = last.ms.toString(16).padStart(12, '0');
  const count = last.count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${randomUUID().slice(18)}`;
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value);
}

/** The same UUID for the same name, for what must be made once only (RFC 9562, version 8). */
export function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A random secret of 256 bits, base64url, with a prefix that tells people what they found. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

export function sha256(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('base64url');
}

/** Compares in constant time; unequal lengths are unequal. */
export function equalsConstantTime(a: string, b: string): boolean {
  return (
    timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest()) &&
    a.length === b.length
  );
}
