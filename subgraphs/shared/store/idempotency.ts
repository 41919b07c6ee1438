// Idempotency keys: the claim before the work, the result in the same transaction as the work, the stored outcome for every repetition.
import type { Collection } from 'mongodb';
import type { Connection } from 'mongoose';
import type { IdempotencyKey, RequestContext } from '../callers/context';
import type { Clock } from '../clock';
import type { SealedField } from '../crypto/sealed-fields';
import type { Sealed, Vault } from '../crypto/vault';
import { DomainError, type DomainErrorCode, type DomainErrorDetails } from '../errors';
import { newId, sha256 } from '../ids';
import { createGroupedInsert, type InsertOnce } from './grouped-insert';
import { prepareCollection } from './prepare-collection';
import { orNull, sealedPart, storedSchema, storedText, there } from './stored-schema';
import { parseValue, printValue } from './stored-value';
import type { UpdateWrite } from './unit-of-work';

/** How long a result is kept, on the one clock. */
export const idempotencyKeptMs = 24 * 3_600_000;
/** How long the first request may stay silent before a repetition takes its place; real time. */
const takeOverAfterMs = 14_000;

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
type StoredOutcome =
  | { result: unknown }
  | { refusal: { code: DomainErrorCode; message: string; details: DomainErrorDetails } };

const collectionName = 'idempotency_keys';
const vaultOwner = 'idempotency';
/** Under which family of keys results are kept: that of the domain whose results they are. */
export type ResultField = Extract<SealedField, `result.${string}`>;

const keyStates = ['running', 'done'] as const;

interface KeyRecord {
  _id: string;
  fingerprint: string;
  state: (typeof keyStates)[number];
  /** Who works on it: a result is only accepted from the present owner. */
  owner: string;
  runningUntil: Date;
  result: Sealed | null;
  expiresAt: Date;
}

const schema = storedSchema<KeyRecord>(collectionName, {
  _id: storedText,
  fingerprint: storedText,
  state: there(String, { enum: keyStates }),
  owner: storedText,
  runningUntil: there(Date),
  result: orNull(sealedPart),
  expiresAt: there(Date),
});
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/**
 * Runs a mutation once per Idempotency-Key; what `complete(result)` gives belongs into the unit of work that commits the effect. Successes and
 * refusals by state or rule are kept, any other frees the key. Refuses with `idempotencyMismatch` or `duplicateInFlight`.
 */
export type Idempotent = <Result>(
  context: RequestContext,
  field: string,
  run: (complete: (result: Result) => UpdateWrite[]) => Promise<Result>,
) => Promise<Result>;

export function createIdempotent(deps: {
  connection: Connection;
  clock: Clock;
  vault: Vault;
  /** `result.results` when absent. */
  field?: ResultField;
}): Idempotent & { ensureIndexes(): Promise<void> } {
  const records = deps.connection.collection(collectionName) as unknown as Collection<KeyRecord>;

  const insertOnce = createGroupedInsert(deps.connection.collection(collectionName));
  const place = { owner: vaultOwner, field: deps.field ?? 'result.results' } as const;

  const idempotent: Idempotent = async (context, field, run) => {
    const key = context.idempotency;
    if (!key) return run(() => []);
    const id = recordId(context, key, field);
    const owner = newId();
    const stored = await claim({ records, insertOnce, clock: deps.clock }, { id, owner, fingerprint: key.fingerprint });
    if (stored) {
      context.reply.idempotentReplayed = true;
      return again(parseValue(await deps.vault.open(place, stored)) as StoredOutcome);
    }
    const seal = await deps.vault.sealer(place);
    const completion = (outcome: StoredOutcome) => ({
      filter: { _id: id, owner, state: 'running' as const },
      update: { $set: { state: 'done' as const, result: seal(printValue(outcome)) } },
    });
    let wasHandedOver = false;
    try {
      const result = await run((value) => {
        wasHandedOver = true;
        return [{ collection: collectionName, ...completion({ result: value }) } as unknown as UpdateWrite];
      });
      if (!wasHandedOver) {
        const { filter, update } = completion({ result });
        await records.updateOne(filter, update);
      }
      return result;
    } catch (error) {
      await settle(
        records,
        { id, owner },
        isJudged(error)
          ? completion({ refusal: { code: error.code, message: error.message, details: error.details } }).update
          : null,
      );
      throw error;
    }
  };

  return Object.assign(idempotent, {
    ensureIndexes: () => prepareCollection(deps.connection, schema),
  });
}

function isJudged(error: unknown): error is DomainError {
  return error instanceof DomainError && judged.has(error.code);
}

/** Keeps a refusal, or frees the key. When the database is away the claim stays and is taken over later: the refusal itself is what the caller must see. */
async function settle(
  records: Collection<KeyRecord>,
  { id, owner }: { id: string; owner: string },
  update: { $set: Pick<KeyRecord, 'state' | 'result'> } | null,
): Promise<void> {
  const filter = { _id: id, owner, state: 'running' } as const;
  await (update ? records.updateOne(filter, update) : records.deleteOne(filter)).catch(() => undefined);
}

/** The stored outcome as it was: returned, or thrown. */
function again<Result>(stored: StoredOutcome): Result {
  if ('result' in stored) return stored.result as Result;
  const { code, message, details } = stored.refusal;
  throw new DomainError(code, message, details);
}

function recordId(context: RequestContext, key: IdempotencyKey, field: string): string {
  return sha256(JSON.stringify([context.caller.environment, context.caller.credentialId, key.scope, field, key.key]));
}

/** Claims the key for `owner` and returns null, or returns the stored result of an equal request. */
async function claim(
  { records, insertOnce, clock }: { records: Collection<KeyRecord>; insertOnce: InsertOnce; clock: Clock },
  { id, owner, fingerprint }: { id: string; owner: string; fingerprint: string },
): Promise<Sealed | null> {
  const runningUntil = new Date(Date.now() + takeOverAfterMs);
  const expiresAt = new Date(clock.now().getTime() + idempotencyKeptMs);
  const fresh: KeyRecord = { _id: id, fingerprint, state: 'running', owner, runningUntil, result: null, expiresAt };
  for (;;) {
    if (await insertOnce(fresh)) return null;
    const known = await records.findOne({ _id: id });
    if (!known) continue;
    if (known.expiresAt <= clock.now()) {
      await records.deleteOne({ _id: id, expiresAt: known.expiresAt });
      continue;
    }
    if (known.fingerprint !== fingerprint) throw new DomainError('idempotencyMismatch');
    if (known.state === 'done' && known.result) return known.result;
    if (known.runningUntil.getTime() > Date.now())
      throw new DomainError('duplicateInFlight', undefined, { retryAfterSeconds: 1 });
    const taken = await records.updateOne(
      { _id: id, owner: known.owner, state: 'running' },
      { $set: { owner, runningUntil } },
    );
    if (taken.modifiedCount === 1) return null;
  }
}
