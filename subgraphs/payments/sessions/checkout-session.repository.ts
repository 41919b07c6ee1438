// Checkout sessions at rest: one document per visit, saved only where the version read is still the present one (document 2 B; 2.2-C of the decision register).
import { type Connection, type Model, Schema, trusted } from 'mongoose';
import { type Caller, type Environment, environments } from '../../shared/caller';
import type { InsertWrite, UpdateWrite } from '../../shared/outbox';
import { reading } from '../../shared/reading';
import { paymentFamilies } from '../operations/operation';
import { ownFilter } from '../operations/operation.repository';
import { captureTypes } from '../payment/payment';
import { type CheckoutSession, flowStates, sessionAims, sessionKinds } from './checkout-session';

export const checkoutSessionsCollection = 'checkout_sessions';

export type StoredSession = Omit<CheckoutSession, 'sessionId' | 'amountMinor'> & {
  _id: string;
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

const { Mixed } = Schema.Types;
const text = { type: String, required: true } as const;
const maybeText = { type: String, default: null } as const;
const schema = new Schema<StoredSession>(
  {
    _id: text,
    environment: { ...text, enum: environments },
    ...{ accountId: text, merchantId: text, merchantName: text, terminalId: maybeText, paymentId: text },
    family: { ...text, enum: paymentFamilies },
    kind: { ...text, enum: sessionKinds },
    state: { ...text, enum: flowStates },
    aim: { ...text, enum: sessionAims },
    captureType: { ...text, enum: captureTypes },
    ...{ flowVersion: text, merchantOrigin: maybeText, securityToken: Mixed, exemption: text, recurrence: Mixed },
    ...{ amountMinor: Schema.Types.BigInt, currency: text, orderId: maybeText, keepsConsent: Boolean },
    ...{
      language: maybeText,
      countryLanguage: maybeText,
      description: maybeText,
      customField: maybeText,
      order: Mixed,
      pageConfiguration: Mixed,
    },
    ...{ cancelUrl: maybeText, resultUrl: maybeText, notificationUrl: maybeText, methods: [Mixed], method: maybeText },
    ...{ entered: [String], cardData: Mixed, deviceCheck: Mixed, instrument: Mixed, redirection: Mixed },
    ...{ payingSince: Date, operationId: maybeText, warnings: [Mixed], pluginName: maybeText },
    ...{ touchedAt: Date, createdAt: Date, version: Number },
  },
  { collection: checkoutSessionsCollection, versionKey: false, autoIndex: false, autoCreate: false },
);
const unfinished = { partialFilterExpression: { operationId: null } };
schema.index({ paymentId: 1 });
schema.index({ environment: 1, touchedAt: 1 }, unfinished);
schema.index({ environment: 1, merchantId: 1, createdAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, createdAt: -1, _id: -1 });

export type CheckoutSessionRepository = ReturnType<typeof createCheckoutSessionRepository>;

export function createCheckoutSessionRepository(connection: Connection) {
  const records: Model<StoredSession> = connection.model<StoredSession>('CheckoutSession', schema);
  const findOne = async (filter: object): Promise<CheckoutSession | null> => {
    const found = await reading(records.findOne(filter).lean<StoredSession>());
    return found ? sessionOf(found) : null;
  };

  return {
    /** Null when it is absent or belongs to somebody else. */
    find: (caller: Caller, sessionId: string): Promise<CheckoutSession | null> =>
      findOne({ ...ownFilter(caller), _id: sessionId }),
    findByPayment: (caller: Caller, paymentId: string): Promise<CheckoutSession | null> =>
      findOne({ ...ownFilter(caller), paymentId }),
    /** Unfinished ones that nobody has touched since `before`, oldest first. */
    async listIdle(environment: Environment, before: Date, limit: number): Promise<CheckoutSession[]> {
      const filter = { environment, operationId: null, touchedAt: trusted({ $lte: before }) };
      const found = await reading(
        records
          .find({ ...filter, state: trusted({ $ne: 'PAYMENT_COMPLETE' }) })
          .sort({ touchedAt: 1 })
          .limit(limit)
          .lean<StoredSession[]>(),
      );
      return found.map(sessionOf);
    },
    /** Unfinished ones whose finalize call has been silent since `before`, real time. */
    async listStuck(environment: Environment, before: Date, limit: number): Promise<CheckoutSession[]> {
      const filter = { environment, operationId: null, payingSince: trusted({ $lte: before }) };
      const found = await reading(records.find(filter).limit(limit).lean<StoredSession[]>());
      return found.map(sessionOf);
    },
    /** Unfinished ones of a merchant. */
    async listOpenOf(environment: Environment, merchantId: string, limit: number): Promise<CheckoutSession[]> {
      const found = await reading(
        records
          .find({ environment, merchantId, operationId: null, state: trusted({ $ne: 'PAYMENT_COMPLETE' }) })
          .limit(limit)
          .lean<StoredSession[]>(),
      );
      return found.map(sessionOf);
    },
    insertOf({ sessionId, ...rest }: CheckoutSession): InsertWrite {
      return { collection: checkoutSessionsCollection, document: { _id: sessionId, ...rest } };
    },
    /** Saves where the version read is still the present one. */
    updateOf({ sessionId, environment, accountId, version }: CheckoutSession, change: SessionChange): UpdateWrite {
      return {
        collection: checkoutSessionsCollection,
        filter: { _id: sessionId, environment, accountId, version },
        update: { $set: { ...change, version: version + 1 } },
      };
    },
    ensureIndexes: (): Promise<void> => records.createIndexes(),
  };
}

function sessionOf({ _id, amountMinor, ...rest }: StoredSession): CheckoutSession {
  return { sessionId: _id, ...rest, amountMinor: amountMinor === null ? null : BigInt(amountMinor) };
}
