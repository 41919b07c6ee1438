// Many payments with their operations and visits over a year, of many merchants and cards: one real payment again under other ids, owners, cards and times.
import type { Collection, Db, Document, IndexSpecification } from 'mongodb';
import { cardKeyOf, emailKeyOf } from '../../subgraphs/payments/payment/search-keys';
import { newHiddenId, newOrderedId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { payWithFields, shopOf } from '../../test/support/checkout';
import type { Product } from './product';

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

/** One document of each. */
interface Kept {
  payments: Document;
  operations: Document;
  checkout_sessions: Document;
}
const names = ['payments', 'operations', 'checkout_sessions'] as const satisfies (keyof Kept)[];

/** The collections' own indexes are built after the load, which takes a tenth of the time. */
export async function storePayments(product: Product, count: number): Promise<StoredPayments> {
  const database = product.database.db('payments');
  const model = await modelIn(database, product);
  const restore = await Promise.all(names.map((name) => withoutIndexes(stored(database, name))));
  const ids: string[] = [];
  const [startMs, stepMs] = [Date.now() - yearMs, yearMs / count];
  for (let from = 0; from < count; from += insertedAtOnce) {
    const made = Array.from({ length: Math.min(insertedAtOnce, count - from) }, (_, place) =>
      paymentOf(model, from + place, new Date(startMs + (from + place) * stepMs)),
    );
    ids.push(String(made[0]?.payments['_id']));
    const insert = (name: keyof Kept) =>
      stored(database, name).insertMany(made.map((each) => each[name]) as never, asItIs);
    await Promise.all(names.map(insert));
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

/** What one payment leaves that somebody made. */
async function modelIn(database: Db, product: Product): Promise<Kept> {
  const { finalized } = await payWithFields(product.world, shopOf(product.world, 'alpha', 'explicit'));
  const found = async (name: keyof Kept, filter: object): Promise<Document> => {
    const document = await stored(database, name).findOne(filter);
    if (!document) throw new Error(`the model of the ${name} is not there`);
    return document;
  };
  const operations = await found('operations', { _id: String(finalized.body.operation.operationId) });
  const payments = await found('payments', { _id: String(operations['paymentId']) });
  return { payments, operations, checkout_sessions: await found('checkout_sessions', { paymentId: payments['_id'] }) };
}

function paymentOf(model: Kept, index: number, time: Date): Kept {
  const { card, email, ...owner } = placeOf(index);
  const slot = slotOf(owner);
  const [paymentId, operationId, sessionId] = [newOrderedId(slot), newOrderedId(slot), newHiddenId(slot)];
  const whose = { ...owner, slot };
  const instrument = { ...model.payments['instrument'], card: { ...model.payments['instrument'].card, ...card } };
  return {
    payments: {
      ...model.payments,
      ...whose,
      _id: paymentId,
      sessionId,
      instrument,
      entries: model.payments['entries'].map((entry: Document) => ({ ...entry, operationId, time })),
      createdAt: time,
      updatedAt: time,
      cardKey: cardKeyOf(card, { environment: 'sandbox', accountId: owner.accountId }),
      ...withoutUndefined({ emailKey: email ? emailKeyOf(email) : undefined }),
    },
    operations: {
      ...model.operations,
      ...whose,
      _id: operationId,
      paymentId,
      sessionId,
      time,
      createdAt: time,
    },
    checkout_sessions: {
      ...model.checkout_sessions,
      ...whose,
      _id: sessionId,
      paymentId,
      operationId,
      createdAt: time,
      touchedAt: time,
    },
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
