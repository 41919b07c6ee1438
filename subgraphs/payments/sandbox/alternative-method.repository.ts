// Visits at the sandbox's alternative methods, with the payer's answer and what was given back since.
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { absentOrNull, maybeText, storedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { type MethodVisit, type VisitStatus, visitStatuses } from '../connectors/alternative-method';

type StoredAlternativeMethod = Omit<MethodVisit, 'visitId' | 'amountMinor'> & {
  _id: string;
  environment: Environment;
  amountMinor: bigint | number;
  refunds: { callId: string; amountMinor: bigint | number }[];
  createdAt: Date;
  /** Debits only: until then the bank is at it. */
  readyAt?: Date | null;
};

const collection = 'sandbox_method_visits';
const refundPart = storedPart<StoredAlternativeMethod['refunds'][number]>({
  callId: storedText,
  amountMinor: there(BigInt),
});
const schema = storedSchema<StoredAlternativeMethod>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  paymentId: storedText,
  accountId: storedText,
  sessionId: storedText,
  merchantName: storedText,
  method: storedText,
  amountMinor: there(BigInt),
  currency: storedText,
  returnUrl: storedText,
  language: maybeText,
  isAgreement: there(Boolean),
  status: there(String, { enum: visitStatuses }),
  instrumentInfo: maybeText,
  endToEndId: maybeText,
  refunds: there([refundPart]),
  createdAt: there(Date),
  readyAt: absentOrNull(Date),
});

/** A debit as it is told. */
export interface HeldDebit {
  visit: MethodVisit;
  readyAt: Date | null;
}

/** What only a visit of the payer has. */
const noVisit = {
  sessionId: '',
  merchantName: '',
  method: 'DEBIT',
  returnUrl: '',
  language: null,
  isAgreement: false,
  instrumentInfo: null,
  endToEndId: null as string | null,
};
/** What stands for a debit that never arrived. */
const noDebit = { paymentId: '', accountId: '', amountMinor: 0n, currency: '', status: 'CANCELLED' } as const;

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

export type MethodVisitRepository = ReturnType<typeof createMethodVisitRepository>;

export function createMethodVisitRepository(connection: Connection, environment: Environment) {
  const visits = () => collectionOf<StoredAlternativeMethod>(connection, collection);

  return {
    async insert({ visitId, ...visit }: MethodVisit, createdAt: Date): Promise<void> {
      await visits().insertOne({ _id: visitId, ...visit, environment, refunds: [], createdAt }, durable);
    },
    async find(visitId: string): Promise<MethodVisit | null> {
      const found = await visits().findOne({ _id: visitId, environment });
      return found ? visitOf(found) : null;
    },
    /** Books a debit once; a call that was refused meanwhile stays refused. */
    async insertDebit(
      {
        visitId,
        ...debit
      }: Pick<MethodVisit, 'visitId' | 'paymentId' | 'accountId' | 'amountMinor' | 'currency' | 'status'>,
      times: { createdAt: Date; readyAt: Date | null },
    ): Promise<HeldDebit> {
      const fresh = {
        ...noVisit,
        endToEndId: `DD-${visitId.slice(0, 8)}`,
        ...debit,
        environment,
        refunds: [],
        ...times,
      };
      await visits().updateOne({ _id: visitId }, { $setOnInsert: fresh }, { upsert: true, ...durable });
      const found = await this.findDebit(visitId);
      if (!found) throw new DomainError('unavailable', 'The method does not take the debit any more.');
      return found;
    },
    /** Null: it never arrived; from now on it is refused. */
    async findDebit(visitId: string): Promise<HeldDebit | null> {
      const refused = { ...noVisit, ...noDebit, environment, refunds: [], createdAt: new Date(0), readyAt: null };
      await visits().updateOne({ _id: visitId }, { $setOnInsert: refused }, { upsert: true, ...durable });
      const found = await visits().findOne({ _id: visitId, environment });
      if (!found || found.status === 'CANCELLED') return null;
      return { visit: visitOf(found), readyAt: found.readyAt ?? null };
    },
    /** Keeps the first answer; returns the visit as it is then. */
    async answer(visitId: string, status: VisitStatus): Promise<MethodVisit | null> {
      await visits().updateOne(
        { _id: visitId, environment, status: { $in: ['OPEN', 'PENDING'] } },
        { $set: { status } },
        durable,
      );
      return this.find(visitId);
    },
    /** Closes a visit that nobody has answered; returns it as it is then. */
    async withdraw(visitId: string): Promise<MethodVisit | null> {
      const open = { _id: visitId, environment, status: 'OPEN' } as const;
      await visits().updateOne(open, { $set: { status: 'CANCELLED' } }, durable);
      return this.find(visitId);
    },
    /** Books a refund once per call id. */
    async refund(visitId: string, refund: { callId: string; amountMinor: bigint }): Promise<boolean> {
      await visits().updateOne(
        { _id: visitId, environment, status: 'PAID', 'refunds.callId': { $ne: refund.callId } },
        { $push: { refunds: refund } },
        durable,
      );
      const found = await visits().findOne({ _id: visitId, environment, 'refunds.callId': refund.callId });
      return found !== null;
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function visitOf({
  _id,
  environment: _e,
  refunds: _r,
  createdAt: _c,
  readyAt: _d,
  amountMinor,
  ...visit
}: StoredAlternativeMethod): MethodVisit {
  return { visitId: _id, ...visit, amountMinor: BigInt(amountMinor) };
}
