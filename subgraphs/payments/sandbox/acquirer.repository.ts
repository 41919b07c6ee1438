// The sandbox acquirer's own book: every call that arrived, once (test cards).
import type { Collection } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
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
import { type CardOutcome, cardOutcomes } from '../../shared/test-cards';
import { type AcquirerAnswer, type AcquirerOrder, acquirerOrderKinds, acquirerResults } from '../connectors/acquirer';
import { operationTypes } from '../operations/operation';

export interface SandboxCard {
  _id: string;
  environment: Environment;
  accountId: string;
  merchantId: string;
  outcome: CardOutcome;
}

/** An order as the acquirer booked it. `refused`: it was asked about before it came, and is not taken any more. */
export interface SandboxOrder extends Partial<Omit<AcquirerOrder, 'callId'>> {
  _id: string;
  environment: Environment;
  refused: boolean;
  answer: AcquirerAnswer | null;
  /** PENDING until then, on the one clock. */
  readyAt: Date | null;
  bookedAt: Date;
}

const cardSchema = storedSchema<SandboxCard>('sandbox_acquirer_cards', {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  outcome: there(String, { enum: cardOutcomes }),
});

const answerPart = storedPart<AcquirerAnswer>({
  result: there(String, { enum: acquirerResults }),
  endToEndId: maybeText,
  additionalData: there(openObject),
  askAgainAfterMs: absentOr(Number),
});
const sandboxOrdersCollection = 'sandbox_acquirer_orders';
const orderSchema = storedSchema<SandboxOrder>(sandboxOrdersCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  refused: there(Boolean),
  answer: orNull(answerPart),
  readyAt: orNull(Date),
  bookedAt: there(Date),
  kind: absentOr(String, { enum: acquirerOrderKinds }),
  paymentId: absentOr(String),
  merchantId: absentOr(String),
  reference: absentOr(String),
  type: absentOr(String, { enum: operationTypes }),
  amountMinor: absentOr(BigInt),
  currency: absentOr(String),
  captureNow: absentOr(Boolean),
  threeDs: absentOr(String),
  isMerchantInitiated: absentOr(Boolean),
});
orderSchema.index({ paymentId: 1 });

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

export type SandboxAcquirerRepository = ReturnType<typeof createSandboxAcquirerRepository>;

export function createSandboxAcquirerRepository(connection: Connection, environment: Environment) {
  const cards = () => connection.collection('sandbox_acquirer_cards') as unknown as Collection<SandboxCard>;
  const orders = () => connection.collection(sandboxOrdersCollection) as unknown as Collection<SandboxOrder>;

  return {
    /** A card whose reference is from before references said themselves what becomes of it. */
    findCard: (reference: string): Promise<SandboxCard | null> => cards().findOne({ _id: reference, environment }),
    /** The order of that id: this one when it is the first, else the one that was booked before. */
    async book(order: Omit<SandboxOrder, 'environment'>): Promise<SandboxOrder> {
      try {
        await orders().insertOne({ ...order, environment }, durable);
        return { ...order, environment };
      } catch (error) {
        if ((error as { code?: unknown }).code !== 11_000) throw error;
        const known = await orders().findOne({ _id: order._id, environment });
        if (!known) throw new Error('an order of the sandbox acquirer belongs to another environment');
        return known;
      }
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, cardSchema);
      await prepareCollection(connection, orderSchema);
    },
  };
}
