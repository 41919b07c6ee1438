// Idempotency keys: the claim before the work, the result in the same transaction as the work, the stored outcome for every repetition.
import type { Connection } from 'mongoose';
import type { RequestContext } from '../callers/context';
import type { Clock } from '../clock';
import type { SealedField } from '../crypto/sealed-fields';
import type { Sealed, Vault } from '../crypto/vault';
import { newId } from '../ids';
import { collectionOf } from '../store/collection-of';
import { createGroupedInsert, type InsertOnce } from '../store/grouped-insert';
import { prepareCollection } from '../store/prepare-collection';
import type { UpdateWrite } from '../store/unit-of-work';
import {
  again,
  inFlight,
  isJudged,
  type KeyOwner,
  type KeyRecord,
  type KeyRecords,
  keptRefusalOf,
  keyRecordId,
  keySchema,
  keySlotOf,
  keysCollection,
  lookAtKey,
  ofKey,
  parseValue,
  printValue,
  runningRecord,
  type StoredOutcome,
} from './idempotency-record';
import { createOnceBegun, type OnceBegun } from './once-begun';

const vaultOwner = 'idempotency';
/** Under which family of keys results are kept: that of the domain whose results they are. */
export type ResultField = Extract<SealedField, `result.${string}`>;

/**
 * Runs a mutation once per Idempotency-Key; what `complete(result)` gives belongs into the unit of work that commits the effect. Successes and
 * refusals by state or rule are kept, any other frees the key. Refuses with `idempotencyMismatch` or `duplicateInFlight`.
 */
export type Idempotent = <Result>(
  context: RequestContext,
  field: string,
  run: (complete: (result: Result) => UpdateWrite[]) => Promise<Result>,
) => Promise<Result>;

export interface Idempotency extends Idempotent {
  /** The same for requests that claim their key with what they begin. */
  onceBegun: OnceBegun;
  ensureIndexes(): Promise<void>;
}

/** A record that is neither inserted nor found was freed in between, or is where the caller was before it was moved to another tenant. */
const claimTriesMax = 5;

export function createIdempotent(deps: {
  connection: Connection;
  clock: Clock;
  vault: Vault;
  /** `result.results` when absent. */
  field?: ResultField;
}): Idempotency {
  const { connection, clock, vault } = deps;
  const records: KeyRecords = collectionOf(connection, keysCollection);

  const insertOnce = createGroupedInsert(collectionOf(connection, keysCollection));
  const place = { owner: vaultOwner, field: deps.field ?? 'result.results' } as const;
  const results = {
    sealer: async () => {
      const seal = await vault.sealer(place);
      return (outcome: StoredOutcome) => seal(printValue(outcome));
    },
    open: async (sealed: Sealed) => parseValue(await vault.open(place, sealed)) as StoredOutcome,
  };

  const idempotent: Idempotent = async (context, field, run) => {
    const key = context.idempotency;
    if (!key) return run(() => []);
    const id = keyRecordId(context, key, field);
    const mine = { id, slot: keySlotOf(context.caller), owner: newId(), fingerprint: key.fingerprint };
    const stored = await claim({ records, insertOnce, clock }, mine);
    if (stored) {
      context.reply.idempotentReplayed = true;
      return again(await results.open(stored));
    }
    const seal = await results.sealer();
    const completion = (outcome: StoredOutcome) => ({
      filter: running(mine),
      update: { $set: { state: 'done' as const, result: seal(outcome) } },
    });
    let wasHandedOver = false;
    try {
      const result = await run((value) => {
        wasHandedOver = true;
        return [{ collection: keysCollection, ...completion({ result: value }) } as unknown as UpdateWrite];
      });
      if (!wasHandedOver) {
        const { filter, update } = completion({ result });
        await records.updateOne(filter, update);
      }
      return result;
    } catch (error) {
      await settle(records, mine, isJudged(error) ? completion(keptRefusalOf(error)).update : null);
      throw error;
    }
  };

  return Object.assign(idempotent, {
    onceBegun: createOnceBegun({ records, insertOnce, clock, results }),
    ensureIndexes: () => prepareCollection(connection, keySchema),
  });
}

/** Keeps a refusal, or frees the key. When the database is away the claim stays and is taken over later: the refusal itself is what the caller must see. */
async function settle(
  records: KeyRecords,
  mine: KeyOwner,
  update: { $set: Pick<KeyRecord, 'state' | 'result'> } | null,
): Promise<void> {
  const filter = running(mine);
  await (update ? records.updateOne(filter, update) : records.deleteOne(filter)).catch(() => undefined);
}

function running({ owner, ...key }: KeyOwner) {
  return { ...ofKey(key), owner, state: 'running' as const };
}

/** Claims the key for `owner` and returns null, or returns the stored result of an equal request. */
async function claim(
  { records, insertOnce, clock }: { records: KeyRecords; insertOnce: InsertOnce; clock: Clock },
  asking: KeyOwner,
): Promise<Sealed | null> {
  const fresh = runningRecord(clock.now(), asking);
  for (let tries = 0; tries < claimTriesMax; tries += 1) {
    if (await insertOnce(fresh)) return null;
    const looked = await lookAtKey(records, clock, asking);
    if (looked.is === 'done') return looked.result;
    if (looked.is !== 'absent') return null;
  }
  throw inFlight();
}
