// Checkout sessions at rest: one document per visit, saved only where the version read is still the present one (hosted checkout; 2.2-C of the decision register).
import type { Filter } from 'mongodb';
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedReader } from '../../shared/store/grouped-reader';
import { inSlots } from '../../shared/store/in-slots';
import { ofSlotOf, ofSlotOfIds } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { type SlotRange, slotOf } from '../../shared/store/slot';
import {
  absentOr,
  absentOrNull,
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
import { checkoutSessionsCollection } from '../collections';
import { authenticationWishes, challengeOutcomes } from '../connectors/three-ds';
import { contractTypes, type Recurrence, sessionRecurrences } from '../contracts/contract';
import { paymentFamilies } from '../operations/operation';
import { ownFilter, warningPart } from '../operations/operation.repository';
import { instrumentPart } from '../payment/instrument.repository';
import { captureTypes } from '../payment/payment';
import {
  type CardData,
  type CheckoutSession,
  cardFieldIds,
  flowStates,
  flowVersions,
  idleCheckOf,
  isForgettable,
  type Redirection,
  redirectionKinds,
  sessionAims,
  sessionKinds,
} from './checkout-session';

export type StoredSession = Omit<CheckoutSession, 'sessionId' | 'amountMinor'> & {
  _id: string;
  /** Absent in sessions of a release before. */
  slot?: number;
  /**
   * When the janitor looks whether anybody has touched it lately: at the latest then. Only its look moves it on, so that what a payer does moves
   * no entry of an index. Absent in sessions of a release before.
   */
  idleCheckAt?: Date;
  amountMinor: bigint | number | null;
};

/** What changes in the course of a visit. */
export type SessionChange = Partial<
  Pick<
    CheckoutSession,
    | 'state'
    | 'method'
    | 'entered'
    | 'cardData'
    | 'deviceCheck'
    | 'instrument'
    | 'redirection'
    | 'payingSince'
    | 'operationId'
    | 'warnings'
    | 'touchedAt'
  >
>;

const recurrencePart = storedPart<Recurrence>({
  action: there(String, { enum: sessionRecurrences }),
  contractId: storedText,
  contractType: there(String, { enum: contractTypes }),
  expiryDate: maybeText,
  frequencyDays: orNull(Number),
});
const schema = storedSchema<StoredSession>(checkoutSessionsCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  slot: absentOr(Number),
  merchantName: storedText,
  terminalId: maybeText,
  paymentId: storedText,
  family: there(String, { enum: paymentFamilies }),
  kind: there(String, { enum: sessionKinds }),
  state: there(String, { enum: flowStates }),
  aim: there(String, { enum: sessionAims }),
  captureType: there(String, { enum: captureTypes }),
  flowVersion: there(String, { enum: flowVersions }),
  merchantOrigin: maybeText,
  securityToken: orNull(sealedPart),
  exemption: there(String, { enum: authenticationWishes }),
  recurrence: orNull(recurrencePart),
  amountMinor: orNull(BigInt),
  currency: storedText,
  orderId: maybeText,
  keepsConsent: there(Boolean),
  language: maybeText,
  // Of 0.3 and before: none.
  countryLanguage: absentOrNull(String),
  description: maybeText,
  customField: maybeText,
  order: there(openObject),
  pageConfiguration: orNull(openObject),
  cancelUrl: maybeText,
  resultUrl: maybeText,
  notificationUrl: maybeText,
  methods: there([storedPart<StoredSession['methods'][number]>({ method: storedText, circuits: there([String]) })]),
  method: maybeText,
  entered: there([{ type: String, enum: cardFieldIds }]),
  cardData: orNull(
    storedPart<CardData>({ bin: storedText, circuit: storedText, expiry: storedText, lastFour: storedText }),
  ),
  deviceCheck: there(storedPart<StoredSession['deviceCheck']>({ isPassed: there(Boolean), failures: there(Number) })),
  instrument: orNull(instrumentPart),
  redirection: orNull(
    storedPart<Redirection>({
      kind: there(String, { enum: redirectionKinds }),
      id: storedText,
      url: storedText,
      sentAt: absentOr(Date),
      outcome: absentOr(String, { enum: challengeOutcomes }),
      answeredAt: absentOr(Date),
    }),
  ),
  payingSince: orNull(Date),
  operationId: maybeText,
  warnings: there([warningPart]),
  pluginName: maybeText,
  touchedAt: there(Date),
  idleCheckAt: absentOr(Date),
  createdAt: there(Date),
  version: there(Number),
});
const unfinished = { partialFilterExpression: { operationId: null } };
schema.index({ paymentId: 1 });
const idleCheckIndex = { environment: 1, idleCheckAt: 1, slot: 1 } as const;
schema.index(idleCheckIndex, unfinished);
schema.index({ environment: 1, merchantId: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, merchantId: 1, orderId: 1, createdAt: -1, _id: -1 });
/** Every visit is complete in the end: those are found along the time, and among the others, which are few, one looks for a state. */
schema.index(
  { environment: 1, merchantId: 1, createdAt: -1, _id: -1 },
  { name: 'ofMerchantUnfinished', ...unfinished },
);

/**
 * Of earlier versions: one led past every page that still waits for its payer, one knew of no lanes, one was of every state, two were written by
 * every step of a payer, and one by every call that pays: what such a call left behind is found by the payer, the merchant or the look at idle ones.
 */
const retiredIndexes = [
  'environment_1_payingSince_1',
  'environment_1_family_1_state_1_touchedAt_1_slot_1',
  'ofMerchantByState',
  'environment_1_touchedAt_1',
  'environment_1_family_1_state_1_touchedAt_1',
  'environment_1_merchantId_1_state_1_createdAt_-1__id_-1',
];

export type CheckoutSessionRepository = ReturnType<typeof createCheckoutSessionRepository>;

export function createCheckoutSessionRepository(connection: Connection) {
  const records: Model<StoredSession> = connection.model<StoredSession>('CheckoutSession', schema);
  const stored = collectionOf<StoredSession>(connection, checkoutSessionsCollection);
  const readOne = createGroupedReader<StoredSession>(stored);
  const findOne = async (filter: object): Promise<CheckoutSession | null> => {
    const found = await reading(records.findOne(filter).lean<StoredSession>());
    return found ? sessionOf(found) : null;
  };

  return {
    /** Null when it is absent or belongs to somebody else. */
    async find(caller: Caller, sessionId: string): Promise<CheckoutSession | null> {
      const found = await readOne(sessionId, ownFilter(caller));
      return found && sessionOf(found);
    },
    findByPayment: (caller: Caller, paymentId: string): Promise<CheckoutSession | null> =>
      findOne({ ...ownFilter(caller), paymentId, ...ofSlotOfIds([paymentId], caller) }),
    /** Unfinished ones that are to be looked at by `now`, with those that say no moment; earliest first. */
    async listIdleChecks(
      { environment, slots }: { environment: Environment; slots: SlotRange },
      now: Date,
      limit: number,
    ): Promise<CheckoutSession[]> {
      const idleCheckAt = trusted({ $not: { $gt: now } });
      const due = { environment, operationId: null, idleCheckAt, ...inSlots(slots) };
      const options = { hint: idleCheckIndex, sort: { idleCheckAt: 1 }, limit } as const;
      return (await reading(findAll(stored, due as Filter<StoredSession>, options))).map(sessionOf);
    },
    /** They were touched since: looked at again when that is long ago. Should it be lost, they are looked at once more for nothing. */
    async putOffIdleChecks(sessions: readonly CheckoutSession[]): Promise<void> {
      if (sessions.length === 0) return;
      const putOff = sessions.map((session) => ({
        updateOne: {
          filter: { _id: session.sessionId, operationId: null, ...ofSlotOf(session.merchantId) },
          update: { $set: { idleCheckAt: idleCheckOf(session) } },
          hint: { _id: 1 },
        },
      }));
      await stored.bulkWrite(putOff, { ordered: false });
    },
    /** Unfinished ones of a merchant. */
    async listOpenOf(environment: Environment, merchantId: string, limit: number): Promise<CheckoutSession[]> {
      const found = await reading(
        records
          .find({
            environment,
            merchantId,
            operationId: null,
            state: trusted({ $ne: 'PAYMENT_COMPLETE' }),
            ...ofSlotOf(merchantId),
          })
          .limit(limit)
          .lean<StoredSession[]>(),
      );
      return found.map(sessionOf);
    },
    insertOf({ sessionId, ...rest }: CheckoutSession): InsertWrite {
      const stored = { _id: sessionId, slot: slotOf(rest), idleCheckAt: idleCheckOf(rest), ...rest };
      return { collection: checkoutSessionsCollection, document: stored };
    },
    /** Saves where the version read is still the present one. */
    updateOf(session: CheckoutSession, change: SessionChange): UpdateWrite {
      const { sessionId, environment, accountId, merchantId, version } = session;
      const next = { ...session, ...change };
      const begun = !isForgettable(session) && isForgettable(next) ? { idleCheckAt: idleCheckOf(next) } : {};
      return {
        collection: checkoutSessionsCollection,
        filter: { _id: sessionId, environment, accountId, version, ...ofSlotOf(merchantId) },
        update: { $set: { ...change, ...begun, version: version + 1 } },
      };
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, checkoutSessionsCollection, retiredIndexes);
    },
  };
}

export function sessionOf({
  _id,
  amountMinor,
  slot: _slot,
  idleCheckAt: _check,
  ...rest
}: StoredSession): CheckoutSession {
  return { sessionId: _id, ...rest, amountMinor: amountMinor === null ? null : BigInt(amountMinor) };
}
