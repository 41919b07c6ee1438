// Idempotency keys of requests that write before they ask somebody else: the claim is one of the writes with which the work begins, so that it costs no wait of its own.
// Until then the request has done nothing that counts; whoever finds the key taken by then, or is refused, looks at its record.
import type { RequestContext } from '../callers/context';
import type { Clock } from '../clock';
import type { Sealed } from '../crypto/vault';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { withoutAbsent } from '../present-members';
import type { InsertOnce } from '../store/grouped-insert';
import { DuplicateKey, type InsertWrite, type UnitOfWork } from '../store/unit-of-work';
import {
  again,
  inFlight,
  isJudged,
  type KeyOwner,
  type KeyRecord,
  type KeyRecords,
  keptRefusalOf,
  keyRecordId,
  keySlotOf,
  keysCollection,
  type Looked,
  lookAtKey,
  ofKey,
  runningRecord,
  type StoredOutcome,
  takeOverAfterMs,
} from './idempotency-record';

/** The claim of a key as the work takes it along. Without a key nothing of it has an effect. */
export interface KeyClaim {
  /** An earlier request under this key may have begun: what it did has to be looked for. */
  readonly isTakenOver: boolean;
  /** When the first request under the key began, on the one clock: with it the same key tells its days apart. */
  readonly begunAt: Date | null;
  /** What the earlier request had begun with; null where it said nothing. */
  readonly subject: string | null;
  /** Belong into the transaction with which the work begins; none when the key is claimed already. */
  inserts(subject?: string): InsertWrite[];
  /** That transaction is committed. */
  taken(): void;
  /** Before the work waits for others: rejects when one of them is this very request. */
  look(): Promise<void>;
}

/** With what ends the work. */
export interface KeyWork<Result> extends KeyClaim {
  /** Belong into the unit of work that commits the effect; where nothing was begun before it they claim the key as well. */
  complete(result: Result): Pick<UnitOfWork, 'inserts' | 'updates'>;
}

/**
 * Runs a mutation once per Idempotency-Key; what it does before its claim is committed must be as good when it is done twice. Successes and refusals
 * by state or rule are kept, any other frees the key unless something was begun. Refuses with `idempotencyMismatch` or `duplicateInFlight`.
 */
export type OnceBegun = <Result>(
  context: RequestContext,
  field: string,
  run: (key: KeyWork<Result>) => Promise<Result>,
) => Promise<Result>;

interface OnceBegunDeps {
  records: KeyRecords;
  insertOnce: InsertOnce;
  clock: Clock;
  results: {
    sealer(): Promise<(outcome: StoredOutcome) => Sealed>;
    open(sealed: Sealed): Promise<StoredOutcome>;
  };
}

/** A key that is taken and freed again as often as that is in somebody else's hands. */
const attemptsMax = 5;

const noKey: KeyWork<unknown> = {
  isTakenOver: false,
  begunAt: null,
  subject: null,
  inserts: () => [],
  taken: () => undefined,
  look: async () => undefined,
  complete: () => ({}),
};

export function createOnceBegun(deps: OnceBegunDeps): OnceBegun {
  /** Twins within a process need not meet in the database. */
  const atWork = new Map<string, { fingerprint: string; untilMs: number }>();

  return async (context, field, run) => {
    const key = context.idempotency;
    if (!key) return run(noKey);
    const { fingerprint } = key;
    const id = keyRecordId(context, key, field);
    const twin = atWork.get(id);
    if (twin && twin.untilMs > performance.now())
      throw twin.fingerprint === fingerprint ? inFlight() : new DomainError('idempotencyMismatch');
    const mine = { fingerprint, untilMs: performance.now() + takeOverAfterMs };
    atWork.set(id, mine);
    try {
      return await runOnce(deps, context, { id, slot: keySlotOf(context.caller), owner: newId(), fingerprint }, run);
    } finally {
      if (atWork.get(id) === mine) atWork.delete(id);
    }
  };
}

async function runOnce<Result>(
  deps: OnceBegunDeps,
  context: RequestContext,
  asking: KeyOwner,
  run: (key: KeyWork<Result>) => Promise<Result>,
): Promise<Result> {
  const seal = await deps.results.sealer();
  let earlier: EarlierClaim | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const work: Work<Result> = workUnder(deps, asking, seal, earlier);
    try {
      const result = await run(work.key);
      await work.keep({ result });
      return result;
    } catch (error) {
      const looked = work.isTaken() ? ({ is: 'own' } as const) : await lookAfter(deps, asking, error);
      if (looked.is === 'own') {
        await (isJudged(error) ? work.keep(keptRefusalOf(error)) : work.leave()).catch(() => undefined);
        throw error;
      }
      if (looked.is === 'done') {
        context.reply.idempotentReplayed = true;
        return again(await deps.results.open(looked.result));
      }
      if (attempt >= attemptsMax) throw isKeyTaken(error) ? inFlight() : error;
      if (looked.is === 'takenOver') earlier = looked;
      else if (!isKeyTaken(error) && (!isJudged(error) || (await work.keep(keptRefusalOf(error))))) throw error;
    }
  }
}

/** What the record says after the work was refused before it began. When the database is away the caller must see the refusal itself, if it was one. */
async function lookAfter({ records, clock }: OnceBegunDeps, asking: KeyOwner, refusal: unknown): Promise<Looked> {
  try {
    return await lookAtKey(records, clock, asking);
  } catch (error) {
    throw error instanceof DomainError || isKeyTaken(refusal) ? error : refusal;
  }
}

type EarlierClaim = Extract<Looked, { is: 'takenOver' }>;

interface Work<Result> {
  key: KeyWork<Result>;
  /** The key is this request's: what it began is committed. */
  isTaken(): boolean;
  /** Keeps an outcome that no unit of work has kept; false where the key is somebody else's. */
  keep(outcome: StoredOutcome): Promise<boolean>;
  /** Something may have been begun: a repetition takes the claim over at once, and looks for that. */
  leave(): Promise<unknown>;
}

function workUnder<Result>(
  { records, insertOnce, clock }: OnceBegunDeps,
  asking: KeyOwner,
  seal: (outcome: StoredOutcome) => Sealed,
  earlier: EarlierClaim | null,
): Work<Result> {
  const { owner } = asking;
  const begunAt = earlier?.begunAt ?? clock.now();
  let [isTaken, wasHandedOver] = [earlier !== null, false];
  const mine = { ...ofKey(asking), owner, state: 'running' } as const;
  const endedBy = (outcome: StoredOutcome) => ({ state: 'done' as const, result: seal(outcome) });
  const asInsert = (document: KeyRecord): InsertWrite[] => [{ collection: keysCollection, document: { ...document } }];
  return {
    isTaken: () => isTaken,
    async keep(outcome) {
      if (wasHandedOver && 'result' in outcome) return true;
      if (!isTaken) return insertOnce({ ...runningRecord(begunAt, asking), ...endedBy(outcome) });
      return (await records.updateOne(mine, { $set: endedBy(outcome) })).matchedCount === 1;
    },
    leave: () => records.updateOne(mine, { $set: { runningUntil: new Date(0) } }),
    key: {
      isTakenOver: earlier !== null,
      begunAt,
      subject: earlier?.subject ?? null,
      inserts: (subject) =>
        isTaken ? [] : asInsert({ ...runningRecord(begunAt, asking), ...withoutAbsent({ subject }) }),
      taken: () => {
        isTaken = true;
      },
      async look() {
        if (!isTaken && (await records.findOne(ofKey(asking), { projection: { _id: 1 } }))) throw new KeyTaken();
      },
      complete(result) {
        wasHandedOver = true;
        const ended = endedBy({ result });
        if (!isTaken) return { inserts: asInsert({ ...runningRecord(begunAt, asking), ...ended }) };
        return { updates: [{ collection: keysCollection, filter: mine, update: { $set: ended } }] };
      },
    },
  };
}

class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

function isKeyTaken(error: unknown): boolean {
  return error instanceof KeyTaken || (error instanceof DuplicateKey && error.collection === keysCollection);
}
