// The sandbox acquirer's own book: every call that arrived, once (test cards).
import { type Collection, MongoBulkWriteError } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { inBatches } from '../../shared/store/batcher';
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

  /** In the order that they came; each is told the order of its id: this one when it is the first, else the one that was booked before. */
  async function bookMany(given: readonly SandboxOrder[]): Promise<SandboxOrder[]> {
    const known = await insertMissing(given);
    return given.map((order) => known.get(order._id) ?? order);
  }

  /** Those that were booked before, by id. */
  async function insertMissing(given: readonly SandboxOrder[]): Promise<Map<string, SandboxOrder>> {
    try {
      await orders().insertMany([...given], { ...durable, ordered: false });
      return new Map();
    } catch (error) {
      const taken = duplicatesIn(error).map((index) => (given[index] as SandboxOrder)._id);
      const found = await orders()
        .find({ _id: { $in: taken }, environment })
        .toArray();
      if (found.length < new Set(taken).size)
        throw new Error('an order of the sandbox acquirer belongs to another environment');
      return new Map(found.map((order) => [order._id, order]));
    }
  }

  const bookInGroup = inBatches(bookMany);

  return {
    /** A card whose reference is from before references said themselves what becomes of it. */
    findCard: (reference: string): Promise<SandboxCard | null> => cards().findOne({ _id: reference, environment }),
    /** The order of that id: this one when it is the first, else the one that was booked before. */
    book: (order: Omit<SandboxOrder, 'environment'>): Promise<SandboxOrder> => bookInGroup({ ...order, environment }),
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, cardSchema);
      await prepareCollection(connection, orderSchema);
    },
  };
}

/** Places of what an unordered insert refused because its id was taken; any other refusal is thrown on. */
function duplicatesIn(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  if (refused.length === 0 || refused.some(({ code }) => code !== 11_000)) throw error;
  return refused.map(({ index }) => index);
}
