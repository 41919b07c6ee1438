// The record of an Idempotency-Key: who works under it, and what became of it; a result as text and back, value for value: JSON with marks for what JSON does not know (decision register 2.4-B).
import type { Collection } from 'mongodb';
import type { Caller } from '../callers/caller';
import type { IdempotencyKey, RequestContext } from '../callers/context';
import type { Clock } from '../clock';
import type { Sealed } from '../crypto/vault';
import { DomainError, type DomainErrorCode, type DomainErrorDetails } from '../errors';
import { sha256 } from '../ids';
import { inOneOf } from '../store/of-slot';
import { slotOf } from '../store/slot';
import { absentOr, orNull, sealedPart, storedSchema, storedText, there } from '../store/stored-schema';

/** How long a result is kept, on the one clock. */
export const idempotencyKeptMs = 24 * 3_600_000;
/** How long the first request may stay silent before a repetition takes its place; real time. */
export const takeOverAfterMs = 14_000;

/**
 * Refusals by state or rule: the call was understood and judged, so its repetition gets the same answer. Whatever else refuses says nothing
 * about the request as such (a fault in its shape, a credential, a limit, a failure) and frees the key.
 */
const judged: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  ...(['agreementInactive', 'binNotTokenizable', 'tokenServiceRefused', 'invalidState', 'declined'] as const),
  ...(['amountAboveAuthorized', 'amountAboveCaptured', 'alreadyCaptured', 'authorizationExpired'] as const),
  ...(['authenticationRequired', 'paymentMethodMissing', 'currencyMismatch', 'flowStateInvalid'] as const),
  ...(['orderIdTaken', 'cancelTooLate', 'contractUnknown', 'merchantInitiatedRefused'] as const),
  ...(['merchantExists', 'merchantInactive', 'applicationStatusInvalid', 'resendLimit'] as const),
  ...(['operationVoided', 'operationCaptured', 'operationRefunded', 'alreadyRefunded', 'alreadyVoided'] as const),
]);

/** What a key stands for once its first request has ended. */
export type StoredOutcome =
  | { result: unknown }
  | { refusal: { code: DomainErrorCode; message: string; details: DomainErrorDetails } };

export const keysCollection = 'idempotency_keys';

const keyStates = ['running', 'done'] as const;

export interface KeyRecord {
  _id: string;
  /** Of the caller's merchant, or account: what such a caller does is mostly of that slot. Those of releases before have none, for their day. */
  slot?: number;
  fingerprint: string;
  state: (typeof keyStates)[number];
  /** Who works on it: a result is only accepted from the present owner. */
  owner: string;
  runningUntil: Date;
  result: Sealed | null;
  expiresAt: Date;
  /** What the first request began with, for whoever takes its place; absent where it said nothing. */
  subject?: string;
}

export const keySchema = storedSchema<KeyRecord>(keysCollection, {
  _id: storedText,
  slot: absentOr(Number),
  fingerprint: storedText,
  state: there(String, { enum: keyStates }),
  owner: storedText,
  runningUntil: there(Date),
  result: orNull(sealedPart),
  expiresAt: there(Date),
  subject: absentOr(String),
});
keySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type KeyRecords = Collection<KeyRecord>;

export interface KeyOwner {
  id: string;
  slot: number;
  owner: string;
  fingerprint: string;
}

/** The record of a request that began at a time of the one clock, and is at work now. */
export function runningRecord(begunAt: Date, { id, slot, owner, fingerprint }: KeyOwner): KeyRecord {
  const runningUntil = new Date(Date.now() + takeOverAfterMs);
  const expiresAt = new Date(begunAt.getTime() + idempotencyKeptMs);
  return { _id: id, slot, fingerprint, state: 'running', owner, runningUntil, result: null, expiresAt };
}

/** What a record means for a request with that key: nothing, the result to give again, its own claim, or one whose owner died and which it has now. */
export type Looked =
  | { is: 'absent' | 'own' }
  | { is: 'done'; result: Sealed }
  | { is: 'takenOver'; subject: string | null; begunAt: Date };

/** Refuses with `idempotencyMismatch`, and with `duplicateInFlight` while the first request may live. */
export async function lookAtKey(records: KeyRecords, clock: Clock, asking: KeyOwner): Promise<Looked> {
  const { owner, fingerprint } = asking;
  for (;;) {
    const known = await records.findOne(ofKey(asking));
    if (!known) return { is: 'absent' };
    if (known.expiresAt <= clock.now()) {
      await records.deleteOne({ ...ofKey(asking), expiresAt: known.expiresAt });
      return { is: 'absent' };
    }
    if (known.fingerprint !== fingerprint) throw new DomainError('idempotencyMismatch');
    if (known.state === 'done' && known.result) return { is: 'done', result: known.result };
    if (known.owner === owner) return { is: 'own' };
    if (known.runningUntil.getTime() > Date.now()) throw inFlight();
    const begunAt = new Date(known.expiresAt.getTime() - idempotencyKeptMs);
    const { runningUntil } = runningRecord(begunAt, asking);
    const free = { ...ofKey(asking), owner: known.owner, state: 'running' } as const;
    const taken = await records.updateOne(free, { $set: { owner, runningUntil } });
    if (taken.modifiedCount === 1) return { is: 'takenOver', subject: known.subject ?? null, begunAt };
  }
}

export function inFlight(): DomainError {
  return new DomainError('duplicateInFlight', undefined, { retryAfterSeconds: 1 });
}

export function isJudged(error: unknown): error is DomainError {
  return error instanceof DomainError && judged.has(error.code);
}

export function keptRefusalOf({ code, message, details }: DomainError): StoredOutcome {
  return { refusal: { code, message, details } };
}

/** The stored outcome as it was: returned, or thrown. */
export function again<Result>(stored: StoredOutcome): Result {
  if ('result' in stored) return stored.result as Result;
  const { code, message, details } = stored.refusal;
  throw new DomainError(code, message, details);
}

/** The record of a key, and where it is. */
export function ofKey({ id, slot }: Pick<KeyOwner, 'id' | 'slot'>) {
  return { _id: id, ...inOneOf([slot]) };
}

/** Where the keys of a caller are. */
export function keySlotOf({ merchantId, accountId }: Caller): number {
  return slotOf({ merchantId: merchantId ?? null, accountId: accountId ?? '' });
}

export function keyRecordId(context: RequestContext, key: IdempotencyKey, field: string): string {
  return sha256(JSON.stringify([context.caller.environment, context.caller.credentialId, key.scope, field, key.key]));
}

const marks = { bigint: '$bigint', date: '$date', plain: '$plain' } as const;

/** Plain values, arrays, objects, dates and bigints; a member that is undefined is left out. Throws on anything else: it would come back changed. */
export function printValue(value: unknown): string {
  return JSON.stringify(marked(value));
}

/** What `printValue` printed. */
export function parseValue(text: string): unknown {
  return unmarked(JSON.parse(text));
}

function marked(value: unknown): unknown {
  if (typeof value === 'bigint') return { [marks.bigint]: String(value) };
  if (value instanceof Date) return { [marks.date]: value.toISOString() };
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : marked(item)));
  if (typeof value === 'object' && value !== null) return markedMembers(value);
  const isPrintable = value === undefined || value === null || ['string', 'boolean'].includes(typeof value);
  if (isPrintable || Number.isFinite(value)) return value;
  throw new Error(`a result holds a ${typeof value} that cannot be kept`);
}

function markedMembers(value: object): object {
  const isPlain = !(value instanceof Map || value instanceof Set || ArrayBuffer.isView(value));
  if (!isPlain) throw new Error(`a result holds a ${value.constructor.name} that cannot be kept`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const printed = Object.fromEntries(members.map(([name, member]) => [name, marked(member)]));
  // An object that looks like a mark is itself marked.
  return markOf(printed) ? { [marks.plain]: printed } : printed;
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  const mark = markOf(value);
  if (!mark) return unmarkedMembers(value);
  const content = (value as Record<string, unknown>)[mark];
  if (mark === marks.bigint) return BigInt(content as string);
  return mark === marks.date ? new Date(content as string) : unmarkedMembers(content as object);
}

function unmarkedMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

function markOf(value: object): string | null {
  const names = Object.keys(value);
  const [name = ''] = names;
  return names.length === 1 && (Object.values(marks) as string[]).includes(name) ? name : null;
}
