// Calls whose outcome is asked about later, at rest: closed by the unit of work that records it. Until 0.3 every call lay here from before it was made (payment interface; intent before, outcome after).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { withoutAbsent } from '../../shared/present-members';
import { dueBy } from '../../shared/store/due-by';
import { inSlots } from '../../shared/store/in-slots';
import { inOneOf, ofSlotOf, ofSlotOfIds } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import type { SlotRange } from '../../shared/store/slot';
import {
  absentOr,
  absentOrNull,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import { createTtlCache } from '../../shared/store/ttl-cache';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { operationResults } from '../../shared/vocabulary/operation';
import {
  type AcquirerCall,
  type CallKind,
  type CallStep,
  callStates,
  callSteps,
  lostAfterMs,
} from '../payment/acquirer-call';
import { callParts, planOf, type StoredPlan } from '../payment/call-plan.repository';

const collection = 'acquirer_calls';
/** Longer than any idempotency key is kept. */
const closedKeptSeconds = 2 * 86_400;
/** What the janitor had to ask about is kept longer: it tells how an unknown outcome became known. */
const askedKeptMs = 400 * 86_400_000;
const stepsMax = 50;
/** How long one look at an open call may take before another worker looks; on the one clock. */
const lookMs = 15_000;

/** How long it is believed that no request is known here by its key. */
const keyedKnownMs = 1_000;

type StoredAcquirerCall = Omit<AcquirerCall, 'callId' | 'plan' | 'requestKey' | 'slot'> & {
  _id: string;
  /** Absent in calls of a release before. */
  slot?: number | null;
  plan: StoredPlan;
  /** Absent without a key, and once the call is abandoned. */
  requestKey?: string;
  /** Real time. */
  closedAt?: Date;
};

const stepPart = storedPart<CallStep>({
  at: there(Date),
  step: there(String, { enum: callSteps }),
  outcome: orNull(String, { enum: [...operationResults, 'NO_ANSWER', 'NEVER_ARRIVED'] }),
});
const byRequest = { slot: 1, requestKey: 1 } as const;
const schema = storedSchema<StoredAcquirerCall>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  slot: absentOrNull(Number),
  paymentId: storedText,
  ...callParts,
  state: there(String, { enum: callStates }),
  startedAt: there(Date),
  lostAt: orNull(Date),
  askAt: orNull(Date),
  askedCount: there(Number),
  raisedAt: orNull(Date),
  closedAt: absentOr(Date),
  steps: there([stepPart]),
});
schema.index(byRequest, { unique: true, partialFilterExpression: { requestKey: { $gte: '' } } });
schema.index({ state: 1, lostAt: 1, slot: 1 }, { partialFilterExpression: { lostAt: { $type: 'date' } } });
schema.index({ state: 1, askAt: 1, slot: 1 }, { partialFilterExpression: { askAt: { $type: 'date' } } });
schema.index({ raisedAt: 1 }, { partialFilterExpression: { raisedAt: { $type: 'date' } } });
schema.index({ operationId: 1 });
schema.index({ closedAt: 1 }, { sparse: true, expireAfterSeconds: closedKeptSeconds });

export type AcquirerCallRepository = ReturnType<typeof createAcquirerCallRepository>;

export function createAcquirerCallRepository(connection: Connection, environment: Environment) {
  const records: Model<StoredAcquirerCall> = connection.model<StoredAcquirerCall>('AcquirerCall', schema);
  const filterOf = ({ callId, slot, state }: Pick<AcquirerCall, 'callId' | 'slot' | 'state'>) => ({
    _id: callId,
    environment,
    state,
    ...inOneOf([slot]),
  });
  const change = (call: AcquirerCall, update: UpdateWrite['update']) => ({
    collection,
    filter: filterOf(call),
    update,
  });
  const find = async (filter: object): Promise<AcquirerCall | null> => {
    const found = await records.findOne({ environment, ...filter }).lean<StoredAcquirerCall>();
    return found ? callOf(found) : null;
  };
  const take = async (filter: object, update: object, sort: Record<string, 1>): Promise<AcquirerCall | null> => {
    const taken = await records
      .findOneAndUpdate({ environment, ...filter }, update)
      .setOptions({ sort, returnDocument: 'after', writeConcern: { w: 'majority', j: true } })
      .lean<StoredAcquirerCall>();
    return taken ? callOf(taken) : null;
  };

  const keyed = createTtlCache<boolean>({
    load: async () => (await records.exists({ requestKey: trusted({ $gt: '' }) }).hint(byRequest)) !== null,
    keptMsMax: keyedKnownMs,
    sizeMax: 1,
  });

  return {
    find: (callId: string): Promise<AcquirerCall | null> => find({ _id: callId, ...ofSlotOfIds([callId]) }),
    /** Begun by a request with one of these keys, not before `since`. */
    findByRequests: (merchantId: string, requestKeys: readonly string[], since: Date): Promise<AcquirerCall | null> =>
      find({
        requestKey: trusted({ $in: requestKeys }),
        startedAt: trusted({ $gt: since }),
        ...ofSlotOf(merchantId),
      }),
    /** Whether any request is known here by its key, as it was a second ago at most: each that 0.3 made, of this release few. */
    knowsRequests: async (): Promise<boolean> => (await keyed.get(collection)) ?? true,
    insertOf,
    /** The outcome is recorded; matches only while nobody else recorded one. */
    doneOf: (call: AcquirerCall, step: CallStep): UpdateWrite =>
      change(call, {
        $set: {
          state: 'DONE',
          lostAt: null,
          askAt: null,
          closedAt: closingAt(call, step),
          ...withSteps(call, step),
        },
      }),
    /** The operation is recorded as PENDING and asked about later; of a call that lies here already. */
    openOf: (call: AcquirerCall, askAt: Date, step: CallStep): UpdateWrite =>
      change(call, { $set: openedBy(call, askAt, step) }),
    /** The same of a call that was under way in its payment. */
    insertOpenOf: (call: AcquirerCall, askAt: Date, step: CallStep): InsertWrite =>
      insertOf({ ...call, ...openedBy(call, askAt, step) }),
    /** One whose process was gone: a process of 0.3 knows by it, as this release does by the operation, what a repetition of its request had begun. */
    insertDoneOf: (call: AcquirerCall, step: CallStep): InsertWrite => {
      const { document, ...rest } = insertOf({ ...call, state: 'DONE', lostAt: null, ...withSteps(call, step) });
      return { ...rest, document: { ...document, closedAt: closingAt(call, step) } };
    },
    /** It never arrived: its request may be made again. */
    abandonedOf: (call: AcquirerCall): UpdateWrite =>
      change(call, {
        $set: { state: 'ABANDONED', lostAt: null, askAt: null, closedAt: new Date() },
        $unset: { requestKey: true },
      }),
    /** Takes one call of a former release that nobody seems to be waiting for any more. */
    takeLost: (slots: SlotRange, kinds?: ReadonlySet<CallKind>): Promise<AcquirerCall | null> =>
      take(
        { state: 'SENT', lostAt: dueBy(new Date()), ...inSlots(slots), ...ofKinds(kinds) },
        { $set: { lostAt: new Date(Date.now() + lostAfterMs) } },
        { lostAt: 1 },
      ),
    /** Takes one open call that is due to be asked about. */
    takeDue: (now: Date, slots: SlotRange, kinds?: ReadonlySet<CallKind>): Promise<AcquirerCall | null> =>
      take(
        { state: 'OPEN', askAt: dueBy(now), ...inSlots(slots), ...ofKinds(kinds) },
        { $set: { askAt: new Date(now.getTime() + lookMs) }, $inc: { askedCount: 1 } },
        { askAt: 1 },
      ),
    async postpone(call: AcquirerCall, next: { askAt: Date; raisedAt: Date | null }, steps: CallStep[]) {
      const { askAt, raisedAt } = next;
      await records.updateOne(filterOf({ ...call, state: 'OPEN' }), {
        $set: { askAt, ...withoutAbsent({ raisedAt }), ...withSteps(call, ...steps) },
      });
    },
    /** Those of operations that the caller may see. */
    async listByOperations(operationIds: readonly string[]): Promise<AcquirerCall[]> {
      const found = await records
        .find({ environment, operationId: trusted({ $in: operationIds }), ...ofSlotOfIds(operationIds) })
        .lean<StoredAcquirerCall[]>();
      return found.map(callOf);
    },
    /** Calls whose outcome is open and that a person must look at. */
    countRaised: (): Promise<number> =>
      records.countDocuments({ environment, state: 'OPEN', raisedAt: trusted({ $type: 'date' }) }),
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, collection, ['paymentId_1', 'state_1_lostAt_1', 'state_1_askAt_1']);
    },
  };
}

function insertOf({ callId, requestKey, ...rest }: AcquirerCall): InsertWrite {
  return { collection, document: { _id: callId, ...rest, ...withoutAbsent({ requestKey }) } };
}

function openedBy(call: AcquirerCall, askAt: Date, step: CallStep) {
  return { state: 'OPEN' as const, lostAt: null, askAt, ...withSteps(call, step) };
}

function withSteps(call: AcquirerCall, ...steps: CallStep[]): Pick<AcquirerCall, 'steps'> {
  return { steps: [...call.steps, ...steps].slice(-stepsMax) };
}

/** Real time, from which the index counts. */
function closingAt({ steps }: AcquirerCall, { step }: CallStep): Date {
  const wasAsked = steps.length > 0 || step !== 'CALLED';
  return new Date(Date.now() + (wasAsked ? askedKeptMs : 0));
}

function ofKinds(kinds?: ReadonlySet<CallKind>): object {
  return kinds ? { kind: trusted({ $in: [...kinds] }) } : {};
}

function callOf({ _id, closedAt: _closed, requestKey, plan, slot, ...stored }: StoredAcquirerCall): AcquirerCall {
  return { callId: _id, ...stored, slot: slot ?? null, requestKey: requestKey ?? null, plan: planOf(plan) };
}
