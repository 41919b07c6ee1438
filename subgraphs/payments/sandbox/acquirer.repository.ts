// The sandbox acquirer's own book: every call that arrived, once (test cards).
import { MongoBulkWriteError, type WriteError } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { createBatcher } from '../../shared/store/batcher';
import { collectionOf } from '../../shared/store/collection-of';
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
import { type CardOutcome, cardOutcomes } from '../../shared/test-cards';
import { operationTypes } from '../../shared/vocabulary/operation';
import { type AcquirerAnswer, type AcquirerOrder, acquirerOrderKinds, acquirerResults } from '../connectors/acquirer';

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

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

interface Booking {
  order: SandboxOrder;
  resolve(order: SandboxOrder): void;
  reject(error: unknown): void;
}

export type SandboxAcquirerRepository = ReturnType<typeof createSandboxAcquirerRepository>;

export function createSandboxAcquirerRepository(connection: Connection, environment: Environment) {
  const cards = () => collectionOf<SandboxCard>(connection, 'sandbox_acquirer_cards');
  const orders = () => collectionOf<SandboxOrder>(connection, sandboxOrdersCollection);

  const groups = createBatcher<Booking>(async (group) => {
    const refused = await insertAll(group.map(({ order }) => order)).catch((error: unknown) => error);
    if (!(refused instanceof Map)) for (const { reject } of group) reject(refused);
    else await Promise.all(group.map((booking, index) => settle(booking, refused.get(index))));
  });

  /** What was refused, by place. */
  async function insertAll(given: readonly SandboxOrder[]): Promise<Map<number, WriteError>> {
    try {
      await orders().insertMany([...given], { ...durable, ordered: false });
      return new Map();
    } catch (error) {
      const refused = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
      if (refused.length === 0) throw error;
      return new Map(refused.map((one) => [one.index, one]));
    }
  }

  /** Tells the order of that id: this one when it is the first, else the one that was booked before. */
  async function settle({ order, resolve, reject }: Booking, refused: WriteError | undefined): Promise<void> {
    if (!refused) return resolve(order);
    if (refused.code !== 11_000) return reject(new Error(refused.errmsg));
    const known = await orders()
      .findOne({ _id: order._id, environment })
      .catch((error: unknown) => reject(error));
    if (known) resolve(known);
    else if (known === null) reject(new Error('an order of the sandbox acquirer belongs to another environment'));
  }

  return {
    /** A card whose reference is from before references said themselves what becomes of it. */
    findCard: (reference: string): Promise<SandboxCard | null> => cards().findOne({ _id: reference, environment }),
    /** The order of that id: this one when it is the first, else the one that was booked before. */
    book: (order: Omit<SandboxOrder, 'environment'>): Promise<SandboxOrder> =>
      new Promise((resolve, reject) => groups.add({ order: { ...order, environment }, resolve, reject })),
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, cardSchema);
      await prepareCollection(connection, orderSchema);
      await dropIndexes(connection, sandboxOrdersCollection, ['paymentId_1']);
    },
  };
}
