// Many payments and their operations over a year, of many merchants and cards: one real payment again under other ids, owners, cards and times.
import { randomUUID } from 'node:crypto';
import type { Collection, Db, Document, IndexSpecification } from 'mongodb';
import { cardKeyOf, emailKeyOf } from '../../subgraphs/payments/payment/search-keys';
import { newOrderedId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { payWithFields, shopOf } from '../../test/support/checkout';
import type { Product } from '../support/product';

type Stored = Collection<Document & { _id: string }>;

/** What the driver makes of numbers is not quite what the validators want. */
const asItIs = { bypassDocumentValidation: true, ordered: false, writeConcern: { w: 1, j: false } } as const;
const insertedAtOnce = 5_000;
const yearMs = 365 * 86_400_000;
const accounts = 50;
const merchantsOfAccount = 20;
/** Every so manieth shop tells its payer's e-mail. */
const withEmail = 4;

/** The payment of that number: what it is found by follows from it. */
export function placeOf(index: number) {
  const mixed = (index * 7_919 + 13) >>> 0;
  const card = {
    lastFour: String(mixed % 10_000).padStart(4, '0'),
    expiry: `${String(1 + (index % 12)).padStart(2, '0')}/${27 + (index % 5)}`,
  };
  const accountId = `bench-${index % accounts}`;
  return {
    accountId,
    merchantId: `${accountId}-${index % (accounts * merchantsOfAccount)}`,
    orderId: `order-${index}`,
    card,
    email: index % withEmail === 0 ? `payer-${index % 300_000}@customers.example` : null,
  };
}

export interface StoredPayments {
  /** A day's worth of ids of payments, for looking up. */
  ids: string[];
  /** Bytes of an index for each payment. */
  indexBytes(name: string): Promise<number>;
}

/** The collections' own indexes are built after the load, which takes a tenth of the time. */
export async function storePayments(product: Product, count: number): Promise<StoredPayments> {
  const database = product.database.db('payments');
  const [payments, operations] = [stored(database, 'payments'), stored(database, 'operations')];
  const shop = shopOf(product.world, 'alpha', 'explicit');
  const { finalized } = await payWithFields(product.world, shop);
  const operation = await operations.findOne({ _id: String(finalized.body.operation.operationId) });
  const payment = await payments.findOne({ _id: String(operation?.['paymentId']) });
  if (!payment || !operation) throw new Error('the model of the payments is not there');
  const restore = await Promise.all([withoutIndexes(payments), withoutIndexes(operations)]);
  const ids: string[] = [];
  const [startMs, stepMs] = [Date.now() - yearMs, yearMs / count];
  for (let from = 0; from < count; from += insertedAtOnce) {
    const made = Array.from({ length: Math.min(insertedAtOnce, count - from) }, (_, place) =>
      paymentOf({ payment, operation }, from + place, new Date(startMs + (from + place) * stepMs)),
    );
    ids.push(made[0]?.payment._id ?? '');
    await Promise.all([
      payments.insertMany(
        made.map((each) => each.payment),
        asItIs,
      ),
      operations.insertMany(
        made.map((each) => each.operation),
        asItIs,
      ),
    ]);
  }
  for (const again of restore) await again();
  return {
    ids,
    async indexBytes(name) {
      const { indexSizes } = await database.command({ collStats: 'payments' });
      return Number(indexSizes[name]) / count;
    },
  };
}

function paymentOf(model: { payment: Document; operation: Document }, index: number, time: Date) {
  const { card, email, ...owner } = placeOf(index);
  const _id = newOrderedId();
  const instrument = { ...model.payment['instrument'], card: { ...model.payment['instrument'].card, ...card } };
  return {
    payment: {
      ...model.payment,
      ...owner,
      _id,
      instrument,
      createdAt: time,
      updatedAt: time,
      cardKey: cardKeyOf(card, { environment: 'sandbox', accountId: owner.accountId }),
      ...withoutUndefined({ emailKey: email ? emailKeyOf(email) : undefined }),
    },
    operation: { ...model.operation, ...owner, _id: randomUUID(), paymentId: _id, time, createdAt: time },
  };
}

async function withoutIndexes(collection: Stored): Promise<() => Promise<unknown>> {
  const indexes = (await collection.indexes()).filter(({ name }) => name !== '_id_');
  await collection.dropIndexes();
  return () =>
    collection.createIndexes(
      indexes.map(({ key, v: _version, ...options }) => ({ key: key as IndexSpecification, ...options })) as never,
    );
}

function stored(database: Db, name: string): Stored {
  return database.collection(name);
}
