// Identifiers and digests: random ids, UUID checks, SHA-256 of secrets that are themselves 256 random bits.
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A random UUID: what opens a page or must not be guessed has one. */
export const newId = randomUUID;

let last = { ms: 0, count: 0 };

/** Of the twelve bits behind the version: the two highest are set where the other ten are a slot. */
const slotMark = 0xc00;
const slotBits = 0x3ff;

/**
 * A UUID that begins with the time, counting up within a process (RFC 9562, version 7): what is made together lies together in an index, and only
 * its end is written to. It tells when it was made, and is no secret. With a slot it tells that, too: it stands where else the count stands, and
 * the count begins what is random (6.2, method 1).
 */
export function newOrderedId(slot?: number): string {
  const now = Date.now();
  last = now > last.ms ? { ms: now, count: randomBytes(1).readUInt8() } : { ms: last.ms, count: last.count + 1 };
  // A count never looks like a slot; whoever makes more in one millisecond runs ahead of the time.
  if (last.count >= slotMark) last = { ms: last.ms + 1, count: 0 };
  const time = last.ms.toString(16).padStart(12, '0');
  const begin = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  if (slot === undefined) return `${begin}${last.count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
  // Behind the two bits of the variant; the two that are left of these sixteen are zero.
  const count = 0x8000 | (last.count << 2);
  return `${begin}${markedSlot(slot)}-${count.toString(16)}${randomUUID().slice(23)}`;
}

/** A random UUID that tells its slot (RFC 9562, version 8): 110 bits of it must be guessed. */
export function newHiddenId(slot: number): string {
  const random = randomUUID();
  return `${random.slice(0, 14)}8${markedSlot(slot)}${random.slice(18)}`;
}

function markedSlot(slot: number): string {
  return (slotMark | slot).toString(16);
}

/** The slot of what has this id; null where the id does not tell, as those of a release before. */
export function slotOfId(id: string): number | null {
  if (!isUuid(id) || (id[14] !== '7' && id[14] !== '8')) return null;
  const marked = Number.parseInt(id.slice(15, 18), 16);
  return marked >= slotMark ? marked & slotBits : null;
}

/** The same where ids may be made of a name (`uuidOf`), whose bits mean nothing: only what begins with the time tells. */
export function slotOfOrderedId(id: string): number | null {
  return id[14] === '7' ? slotOfId(id) : null;
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
