// The sandbox acquirer's own book: every call that arrived, once (test cards).
import type { Collection } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import type { CardOutcome } from '../../shared/test-cards';
import type { AcquirerAnswer, AcquirerOrder } from '../connectors/acquirer';

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

const sandboxOrdersCollection = 'sandbox_acquirer_orders';
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
      await orders().createIndex({ paymentId: 1 });
    },
  };
}
