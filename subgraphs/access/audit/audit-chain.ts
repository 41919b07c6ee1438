// The chain over the audit: each entry holds the hash of one record and of the entry before it; each day ends with a signed head (docs/security.md, The audit).
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Environment } from '../../shared/callers/caller';
import { sha256 } from '../../shared/ids';

export interface ChainEntry {
  environment: Environment;
  /** 1, 2, 3, ... without gaps per environment. */
  sequence: number;
  auditId: string;
  /** Of the record as it was stored. */
  recordHash: string;
  /** Hash of the entry before; empty for the first. */
  previous: string;
  /** On the one clock. */
  chainedAt: Date;
  hash: string;
}

/** How far the chain went when a day of the one clock (UTC) was over. */
export interface DayHead {
  environment: Environment;
  /** `YYYY-MM-DD`. */
  day: string;
  /** 0 and an empty hash where nothing was chained yet. */
  sequence: number;
  hash: string;
  /** Ed25519, base64url. */
  signature: string;
}

/** Where a chain ends. */
export type ChainEnd = Pick<ChainEntry, 'sequence' | 'hash'>;

export const chainStart: ChainEnd = { sequence: 0, hash: '' };

/** SHA-256, base64url, over the record as JSON with its members in order and times as ISO 8601. */
function hashOfRecord(record: Readonly<Record<string, unknown>>): string {
  return sha256(JSON.stringify(ordered(record)));
}

function ordered(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? { $long: `${value}` } : value;
  // Nothing that we record is of another kind: whoever put it there is found out by its name.
  if (Object.getPrototypeOf(value) !== Object.prototype) return { $other: value.constructor.name, text: `${value}` };
  const members = Object.entries(value).map(([name, member]) => [name, ordered(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The entry that follows `end` with that record. */
export function nextEntry(
  end: ChainEnd,
  record: { _id: string; environment: Environment } & Record<string, unknown>,
  chainedAt: Date,
): ChainEntry {
  const { _id: auditId, environment } = record;
  const content = { environment, sequence: end.sequence + 1, auditId, recordHash: hashOfRecord(record), chainedAt };
  return { ...content, previous: end.hash, hash: hashOfEntry({ ...content, previous: end.hash }) };
}

function hashOfEntry({ environment, sequence, auditId, recordHash, previous, chainedAt }: Omit<ChainEntry, 'hash'>) {
  const time = chainedAt.toISOString();
  return sha256(JSON.stringify(['audit entry 1', environment, sequence, auditId, recordHash, previous, time]));
}

/** What is wrong with an entry that was found where the one after `end` should stand; null when it holds. */
export function faultOfEntry(end: ChainEnd, found: ChainEntry, record: Record<string, unknown> | null): string | null {
  const sequence = end.sequence + 1;
  if (found.sequence !== sequence) return `entry ${sequence} of the chain is missing: entry ${found.sequence} follows`;
  const named = `record ${found.auditId} (entry ${sequence})`;
  if (found.previous !== end.hash) return `entry ${sequence} of the chain does not follow the one before: it was moved`;
  if (found.hash !== hashOfEntry(found)) return `entry ${sequence} of the chain was altered: ${named}`;
  if (!record) return `${named} is missing`;
  return found.recordHash === hashOfRecord(record) ? null : `${named} was altered`;
}

/** The day of a moment of the one clock. */
export function auditDayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Every day after `from` (or from `first` on, where there is no head yet) that was over at `now`. */
export function daysOver(from: string | null, first: Date, now: Date): string[] {
  const days: string[] = [];
  const start = from === null ? Date.parse(auditDayOf(first)) : Date.parse(from) + dayMs;
  for (let at = start; at + dayMs <= now.getTime(); at += dayMs) days.push(auditDayOf(new Date(at)));
  return days;
}

const dayMs = 86_400_000;

/** The signing half of 32 bytes, base64 (AUDIT_KEY). */
export function auditSigningKey(base64: string): KeyObject {
  const seed = Buffer.from(base64, 'base64');
  if (seed.length !== 32) throw new Error(`AUDIT_KEY has ${seed.length} bytes; expected 32, base64`);
  return createPrivateKey({ key: Buffer.concat([pkcs8OfSeed, seed]), format: 'der', type: 'pkcs8' });
}

/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410 section 7). */
const pkcs8OfSeed = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The public half: SPKI, base64. */
export function auditPublicKey(base64: string): string {
  return createPublicKey(auditSigningKey(base64)).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** AUDIT_PUBLIC_KEYS, read; throws on what is no Ed25519 key. */
export function readAuditPublicKeys(list: string): KeyObject[] {
  const spelled = list.split(',').map((key) => key.trim());
  return spelled.filter(Boolean).map((key) => {
    const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    if (read.asymmetricKeyType !== 'ed25519') throw new Error('AUDIT_PUBLIC_KEYS has a key that is not Ed25519');
    return read;
  });
}

export function signedHead(key: KeyObject, head: Omit<DayHead, 'signature'>): DayHead {
  return { ...head, signature: sign(null, statementOf(head), key).toString('base64url') };
}

export function isSignedBy(keys: readonly KeyObject[], head: DayHead): boolean {
  const signature = Buffer.from(head.signature, 'base64url');
  return keys.some((key) => verify(null, statementOf(head), key, signature));
}

/** Its first word keeps it apart from whatever else an Ed25519 key of this platform may sign. */
function statementOf({ environment, day, sequence, hash }: Omit<DayHead, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(['audit head 1', environment, day, sequence, hash]));
}
