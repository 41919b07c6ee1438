// Payments at rest: one document per intent to move money, saved only where the version read is still the present one (payment service and B).

import type { Filter } from 'mongodb';
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import type { SearchedCard } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { dueBy } from '../../shared/store/due-by';
import { createGroupedReader } from '../../shared/store/grouped-reader';
import { inSlots } from '../../shared/store/in-slots';
import { ofSlotOf, ofSlotOfCaller, ofSlotOfIds } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { findAll } from '../../shared/store/reading';
import { type SlotRange, slotOf } from '../../shared/store/slot';
import {
  absentOr,
  maybeText,
  openObject,
  orNull,
  sealedPart,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { operationResults, operationTypes } from '../../shared/vocabulary/operation';
import { paymentFamilies } from '../operations/operation';
import { ownFilter } from '../operations/operation.repository';
import { type CallKind, lostAfterMs } from './acquirer-call';
import { instrumentPart } from './instrument.repository';
import {
  captureTypes,
  type Payment,
  type PaymentEntry,
  type PaymentNotification,
  type PaymentState,
  paymentStates,
  takingOver,
} from './payment';
import { paymentListIndexes, retiredPaymentIndexes } from './payment-list-indexes';
import { searchKeysOf } from './search-keys';
import { type StoredUnderway, underwayCallOf, underwayOf, underwayPart } from './underway-call.repository';

export const paymentsCollection = 'payments';

type Minor = bigint | number;
type PaymentAmounts = 'authorizedMinor' | 'capturedMinor' | 'refundedMinor';
export type StoredPayment = Omit<
  Payment,
  'paymentId' | 'amountMinor' | 'feeMinor' | 'entries' | 'underway' | PaymentAmounts
> &
  Record<PaymentAmounts, Minor> & {
    _id: string;
    amountMinor: Minor | null;
    /** Absent in payments from before there were fees. */
    feeMinor?: Minor;
    /** Absent in payments of a release before. */
    slot?: number;
    entries: (Omit<PaymentEntry, 'amountMinor'> & { amountMinor: Minor })[];
    /** Present while its call is under way. */
    underway?: StoredUnderway;
    /** Present while its orderId cannot be used again. */
    holdsOrderId?: true;
    /** `searchKeysOf`; absent in what has none, and in payments of a release before. */
    cardKey?: number;
    emailKey?: number;
  };

const entryPart = storedPart<StoredPayment['entries'][number]>({
  operationId: storedText,
  type: there(String, { enum: operationTypes }),
  result: there(String, { enum: operationResults }),
  amountMinor: there(BigInt),
  parentOperationId: maybeText,
  cancelledOperationId: maybeText,
  time: there(Date),
});
/**
 * What finds by a time, and holds nothing else. The time leads, so that a look at what is not due costs nothing; what is due in other lanes
 * is left by the key alone. The id gives lists of what ends soon an order among those of one moment.
 */
const dueIndexes = {
  authorizationExpiresAt: { authorizationExpiresAt: 1, _id: 1, slot: 1 },
  /** One for calls under way, what is captured by itself and what waits for the batch: each further index costs every update of a payment. */
  captureDueAt: { 'underway.lostAt': 1, captureDueAt: 1, slot: 1, accountId: 1 },
} as const;
/** Under way or not: an index wants to be told something of its first field, or it is walked from end to end. */
const inAnyCall = { 'underway.lostAt': trusted({ $not: { $gt: new Date(8.64e15) } }) };
const waiting = [
  { 'underway.lostAt': { $type: 'date' } },
  { captureDueAt: { $type: 'date' } },
  { captureType: 'FILE', state: 'Authorized' },
];

const schema = storedSchema<StoredPayment>(paymentsCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  slot: absentOr(Number),
  terminalId: maybeText,
  orderId: maybeText,
  holdsOrderId: absentOr(Boolean),
  family: there(String, { enum: paymentFamilies }),
  state: there(String, { enum: paymentStates }),
  amountMinor: orNull(BigInt),
  currency: storedText,
  feeMinor: absentOr(BigInt),
  authorizedMinor: there(BigInt),
  capturedMinor: there(BigInt),
  refundedMinor: there(BigInt),
  captureType: there(String, { enum: captureTypes }),
  captureDelayMs: there(Number),
  isIncremental: there(Boolean),
  isInvoice: there(Boolean),
  hasBasket: there(Boolean),
  sessionId: maybeText,
  notification: orNull(storedPart<PaymentNotification>({ url: storedText, securityToken: there(sealedPart) })),
  instrument: orNull(instrumentPart),
  entries: there([entryPart]),
  activeCallId: maybeText,
  underway: absentOr(underwayPart),
  authorizationExpiresAt: orNull(Date),
  captureDueAt: orNull(Date),
  contractId: maybeText,
  details: there(openObject),
  operationDefaults: there(
    storedPart<StoredPayment['operationDefaults']>({
      customField: maybeText,
      contractType: maybeText,
      installmentQty: orNull(Number),
      customerInfo: orNull(openObject),
      description: maybeText,
      paymentLinkId: maybeText,
      omnichannelId: maybeText,
    }),
  ),
  createdAt: there(Date),
  updatedAt: there(Date),
  version: there(Number),
  sequence: there(Number),
  cardKey: absentOr(Number),
  emailKey: absentOr(Number),
});
schema.index({ cardKey: 1, createdAt: -1 }, { partialFilterExpression: { cardKey: { $gte: 0 } } });
schema.index({ emailKey: 1, createdAt: -1 }, { partialFilterExpression: { emailKey: { $gte: 0 } } });
schema.index(
  { slot: 1, environment: 1, merchantId: 1, orderId: 1 },
  { unique: true, partialFilterExpression: { holdsOrderId: true } },
);
schema.index(dueIndexes.authorizationExpiresAt, { partialFilterExpression: { state: 'Authorized' } });
schema.index(dueIndexes.captureDueAt, { name: 'waiting', partialFilterExpression: { $or: waiting } });
for (const [key, options] of paymentListIndexes) schema.index(key, options);

/** What is due at `now` in a lane. */
export interface DueOf {
  environment: Environment;
  now: Date;
  slots: SlotRange;
  limit: number;
}

export type PaymentRepository = ReturnType<typeof createPaymentRepository>;

export function createPaymentRepository(connection: Connection) {
  const records: Model<StoredPayment> = connection.model<StoredPayment>('Payment', schema);
  const stored = collectionOf<StoredPayment>(connection, paymentsCollection);
  const readOne = createGroupedReader<StoredPayment>(stored);
  /** By the index of that time: any other one leads past all that is not due. */
  const listDue = async (
    field: keyof typeof dueIndexes,
    { environment, now, slots, limit }: DueOf,
    more: object = {},
  ): Promise<Payment[]> => {
    const state = 'Authorized' as const;
    const due = { environment, state, activeCallId: null, ...more, [field]: dueBy(now), ...inSlots(slots) };
    return (await findAll(stored, due as Filter<StoredPayment>, { hint: dueIndexes[field], limit })).map(paymentOf);
  };

  return {
    /** Null when it is absent or belongs to somebody else. */
    async find(caller: Caller, paymentId: string): Promise<Payment | null> {
      const found = await readOne(paymentId, ownFilter(caller));
      return found && paymentOf(found);
    },
    async findMany(caller: Caller, ids: readonly string[]): Promise<Payment[]> {
      const filter = { ...ownFilter(caller), _id: trusted({ $in: ids }), ...ofSlotOfIds(ids, caller) };
      return (await findAll(stored, filter as Filter<StoredPayment>)).map(paymentOf);
    },
    /** Authorizations that have died, and were not marked so yet. */
    listExpired: (due: DueOf): Promise<Payment[]> => listDue('authorizationExpiresAt', due),
    /** DEFERRED captures that are due. What no call has is lost to none, which the index wants to be told. */
    listDueCaptures: (due: DueOf): Promise<Payment[]> => listDue('captureDueAt', due, { 'underway.lostAt': null }),
    /** What waits for the capture batch, for that caller, by id: a page begins behind the one before. */
    async listForBatch(caller: Caller, after: string, limit: number): Promise<Payment[]> {
      const waits = { captureType: 'FILE', state: 'Authorized', captureDueAt: null, ...inAnyCall } as const;
      const [_id, untouched] = [trusted({ $gt: after }), { 'entries.type': trusted({ $nin: [...takingOver] }) }];
      const own = records.find({ ...ownFilter(caller), ...waits, ...untouched, _id, ...ofSlotOfCaller(caller) });
      const found = await own.hint(dueIndexes.captureDueAt).sort({ _id: 1 }).limit(limit).lean<StoredPayment[]>();
      return found.map(paymentOf);
    },
    /** Takes one payment whose call nobody seems to be waiting for any more. */
    async takeLost(environment: Environment, slots: SlotRange, kinds?: ReadonlySet<CallKind>): Promise<Payment | null> {
      const lost = { environment, 'underway.lostAt': dueBy(new Date()), ...inSlots(slots) };
      const ofKinds = kinds ? { 'underway.kind': trusted({ $in: [...kinds] }) } : {};
      const again = { $set: { 'underway.lostAt': new Date(Date.now() + lostAfterMs) } };
      const taken = await records
        .findOneAndUpdate({ ...lost, ...ofKinds }, again)
        .sort({ 'underway.lostAt': 1 })
        .setOptions({ returnDocument: 'after', writeConcern: { w: 'majority', j: true } })
        .lean<StoredPayment>();
      return taken && paymentOf(taken);
    },
    insertOf(payment: Payment): InsertWrite {
      const { paymentId, underway: _none, ...rest } = payment;
      const hold = holdsOrderId(payment) ? { holdsOrderId: true } : {};
      const found = { ...hold, ...searchKeysOf(payment) };
      return { collection: paymentsCollection, document: { _id: paymentId, slot: slotOf(payment), ...rest, ...found } };
    },
    /** Saves `next` where the version read is still the present one; by the card that was tried it is found even if it was refused. */
    updateOf(read: Payment, next: Payment, tried: SearchedCard | null = null): UpdateWrite {
      const found = searchKeysOf(next, tried);
      const gone = withoutUndefined({
        holdsOrderId: holdsOrderId(read) && !holdsOrderId(next) ? (true as const) : undefined,
        underway: read.underway && !next.underway ? (true as const) : undefined,
        cardKey: read.instrument?.card && found.cardKey === undefined ? (true as const) : undefined,
      });
      const begun = next.underway && !read.underway ? next.underway : null;
      return {
        collection: paymentsCollection,
        filter: filterOf(read),
        update: {
          $set: {
            ...changing(next),
            ...found,
            ...withoutUndefined({ underway: begun ? underwayOf(begun) : undefined }),
          },
          ...withoutUndefined({ $unset: Object.keys(gone).length > 0 ? gone : undefined }),
        },
        ...withoutUndefined({ sign: begun ? { member: 'activeCallId', value: begun.callId } : undefined }),
      };
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, paymentsCollection, retiredPaymentIndexes);
    },
  };
}

function filterOf({ paymentId, environment, accountId, merchantId, version }: Payment): Record<string, unknown> {
  return { _id: paymentId, environment, accountId, version, ...ofSlotOf(merchantId) };
}

function changing(next: Payment) {
  const { state, authorizedMinor, capturedMinor, refundedMinor, feeMinor, instrument, entries, activeCallId } = next;
  const { authorizationExpiresAt, captureDueAt, contractId, updatedAt, version, sequence } = next;
  return {
    state,
    authorizedMinor,
    capturedMinor,
    refundedMinor,
    feeMinor,
    instrument,
    entries,
    activeCallId,
    authorizationExpiresAt,
    captureDueAt,
    contractId,
    updatedAt,
    version,
    sequence,
  };
}

/** An order that failed frees its id; money that moved keeps it for ever (2.2-B of the decision register, orderId). */
const freeing: ReadonlySet<PaymentState> = new Set(['Declined', 'Failed', 'Cancelled', 'Expired']);

function holdsOrderId({ family, orderId, state }: Payment): boolean {
  return family === 'checkout' && orderId !== null && !freeing.has(state);
}

export function paymentOf(found: StoredPayment): Payment {
  const { _id, holdsOrderId: _hold, underway: _call, slot: _slot, cardKey: _card, emailKey: _email, ...stored } = found;
  return {
    paymentId: _id,
    ...stored,
    underway: underwayCallOf(found),
    amountMinor: stored.amountMinor === null ? null : BigInt(stored.amountMinor),
    authorizedMinor: BigInt(stored.authorizedMinor),
    capturedMinor: BigInt(stored.capturedMinor),
    refundedMinor: BigInt(stored.refundedMinor),
    feeMinor: BigInt(stored.feeMinor ?? 0),
    entries: stored.entries.map((entry) => ({ ...entry, amountMinor: BigInt(entry.amountMinor) })),
  };
}
