// Calls to the acquirer at rest: durable before the call, closed by the unit of work that records the outcome (payment interface; intent before, outcome after).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { dueBy } from '../../shared/store/due-by';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import {
  absentOr,
  maybeText,
  openObject,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { channels, operationResults, operationTypes, paymentMethods } from '../operations/operation';
import { warningPart } from '../operations/operation.repository';
import { instrumentPart } from '../payment/payment.repository';
import {
  type AcquirerCall,
  acquirerKinds,
  type CallKind,
  type CallStep,
  callStates,
  callSteps,
  lostAfterMs,
  methodKinds,
} from './acquirer-call';

const collection = 'acquirer_calls';
/** Longer than any idempotency key is kept. */
const closedKeptSeconds = 2 * 86_400;
/** What the janitor had to ask about is kept longer: it tells how an unknown outcome became known. */
const askedKeptMs = 400 * 86_400_000;
const stepsMax = 50;
/** How long one look at an open call may take before another worker looks; on the one clock. */
const lookMs = 15_000;

type StoredAcquirerCall = Omit<AcquirerCall, 'callId' | 'plan' | 'requestKey'> & {
  _id: string;
  plan: Omit<AcquirerCall['plan'], 'amountMinor' | 'feeMinor'> & {
    amountMinor: bigint | number;
    feeMinor?: bigint | number;
  };
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
const planPart = storedPart<StoredAcquirerCall['plan']>({
  type: there(String, { enum: operationTypes }),
  amountMinor: there(BigInt),
  feeMinor: absentOr(BigInt),
  parentOperationId: maybeText,
  cancelledOperationId: maybeText,
  method: there(String, { enum: paymentMethods }),
  circuit: maybeText,
  instrument: orNull(instrumentPart),
  contractId: maybeText,
  sessionId: maybeText,
  channel: there(String, { enum: channels }),
  channelDetail: maybeText,
  description: maybeText,
  reason: maybeText,
  warnings: there([warningPart]),
  additionalData: there(openObject),
});
const schema = storedSchema<StoredAcquirerCall>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  paymentId: storedText,
  operationId: storedText,
  kind: there(String, { enum: [...acquirerKinds, ...methodKinds] }),
  plan: there(planPart),
  captureOperationId: maybeText,
  isMerchantInitiated: there(Boolean),
  requestKey: absentOr(String),
  requestId: storedText,
  state: there(String, { enum: callStates }),
  startedAt: there(Date),
  lostAt: orNull(Date),
  askAt: orNull(Date),
  askedCount: there(Number),
  raisedAt: orNull(Date),
  closedAt: absentOr(Date),
  steps: there([stepPart]),
});
schema.index({ requestKey: 1 }, { unique: true, sparse: true });
schema.index({ state: 1, lostAt: 1 }, { partialFilterExpression: { lostAt: { $type: 'date' } } });
schema.index({ state: 1, askAt: 1 }, { partialFilterExpression: { askAt: { $type: 'date' } } });
schema.index({ raisedAt: 1 }, { partialFilterExpression: { raisedAt: { $type: 'date' } } });
schema.index({ operationId: 1 });
schema.index({ closedAt: 1 }, { sparse: true, expireAfterSeconds: closedKeptSeconds });

export type AcquirerCallRepository = ReturnType<typeof createAcquirerCallRepository>;

export function createAcquirerCallRepository(connection: Connection, environment: Environment) {
  const records: Model<StoredAcquirerCall> = connection.model<StoredAcquirerCall>('AcquirerCall', schema);
  const change = ({ callId, state }: Pick<AcquirerCall, 'callId' | 'state'>, update: UpdateWrite['update']) => ({
    collection,
    filter: { _id: callId, environment, state },
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

  return {
    find: (callId: string): Promise<AcquirerCall | null> => find({ _id: callId }),
    findByRequest: (requestKey: string): Promise<AcquirerCall | null> => find({ requestKey }),
    insertOf({ callId, requestKey, ...rest }: AcquirerCall): InsertWrite {
      return { collection, document: { _id: callId, ...rest, ...(requestKey === null ? {} : { requestKey }) } };
    },
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
    /** The operation is recorded as PENDING and asked about later. */
    openOf: (call: AcquirerCall, askAt: Date, step: CallStep): UpdateWrite =>
      change(call, { $set: { state: 'OPEN', lostAt: null, askAt, ...withSteps(call, step) } }),
    /** It never arrived: its request may be made again. */
    abandonedOf: (call: AcquirerCall): UpdateWrite =>
      change(call, {
        $set: { state: 'ABANDONED', lostAt: null, askAt: null, closedAt: new Date() },
        $unset: { requestKey: true },
      }),
    /** Takes one call that nobody seems to be waiting for any more. */
    takeLost: (kinds?: ReadonlySet<CallKind>): Promise<AcquirerCall | null> =>
      take(
        { state: 'SENT', lostAt: dueBy(new Date()), ...ofKinds(kinds) },
        { $set: { lostAt: new Date(Date.now() + lostAfterMs) } },
        { lostAt: 1 },
      ),
    /** Takes one open call that is due to be asked about. */
    takeDue: (now: Date, kinds?: ReadonlySet<CallKind>): Promise<AcquirerCall | null> =>
      take(
        { state: 'OPEN', askAt: dueBy(now), ...ofKinds(kinds) },
        { $set: { askAt: new Date(now.getTime() + lookMs) }, $inc: { askedCount: 1 } },
        { askAt: 1 },
      ),
    async postpone(call: AcquirerCall, next: { askAt: Date; raisedAt: Date | null }, steps: CallStep[]) {
      const { askAt, raisedAt } = next;
      await records.updateOne(
        { _id: call.callId, environment, state: 'OPEN' },
        { $set: { askAt, ...(raisedAt ? { raisedAt } : {}), ...withSteps(call, ...steps) } },
      );
    },
    /** Those of operations that the caller may see. */
    async listByOperations(operationIds: readonly string[]): Promise<AcquirerCall[]> {
      const found = await records
        .find({ environment, operationId: trusted({ $in: operationIds }) })
        .lean<StoredAcquirerCall[]>();
      return found.map(callOf);
    },
    /** Calls whose outcome is open and that a person must look at. */
    countRaised: (): Promise<number> =>
      records.countDocuments({ environment, state: 'OPEN', raisedAt: trusted({ $type: 'date' }) }),
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, collection, ['paymentId_1']);
    },
  };
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

function callOf({ _id, closedAt: _closed, requestKey, plan, ...stored }: StoredAcquirerCall): AcquirerCall {
  const { amountMinor, feeMinor, ...rest } = plan;
  return {
    callId: _id,
    ...stored,
    requestKey: requestKey ?? null,
    plan: {
      ...rest,
      amountMinor: BigInt(amountMinor),
      ...(feeMinor === undefined ? {} : { feeMinor: BigInt(feeMinor) }),
    },
  };
}
