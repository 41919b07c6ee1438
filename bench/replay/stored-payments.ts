// Many payments that are one real payment again under other ids: its documents and events, in the log as the outbox worker leaves them.
import { randomUUID } from 'node:crypto';
import type { Collection, Db, Document } from 'mongodb';
import { payWithFields, shopOf } from '../../test/support/checkout';
import { eventually } from '../../test/support/stores';
import type { Product } from '../support/product';

type Stored = Collection<Document & { _id: string }>;

/** What the driver makes of numbers is not quite what the validators want. */
const asItIs = { bypassDocumentValidation: true } as const;
/** Events of one segment. */
const segmentEvents = 250;

/** Stores that many events, each about a payment and an operation of its own; answers the merchant that they belong to. */
export async function storePayments(product: Product, count: number): Promise<string> {
  const database = product.database.db('payments');
  const shop = shopOf(product.world, 'alpha', 'explicit');
  const { finalized } = await payWithFields(product.world, shop);
  const operationId = String(finalized.body.operation.operationId);
  const model = await eventually(() =>
    database.collection('events').findOne({ 'data.operationId': operationId, position: { $gt: 0 } }),
  );
  const [payment, operation] = await Promise.all([
    stored(database, 'payments').findOne({ _id: String(model['aggregateId']) }),
    stored(database, 'operations').findOne({ _id: operationId }),
  ]);
  if (!payment || !operation) throw new Error('the model of the payments is not there');
  for (let done = 0; done < count; done += segmentEvents) {
    const ids = Array.from({ length: Math.min(segmentEvents, count - done) }, () => ({
      paymentId: randomUUID(),
      operationId: randomUUID(),
      orderId: randomUUID(),
    }));
    await stored(database, 'payments').insertMany(
      ids.map((each) => ({ ...payment, _id: each.paymentId, orderId: each.orderId })),
      asItIs,
    );
    await stored(database, 'operations').insertMany(
      ids.map((each) => ({ ...operation, _id: each.operationId, paymentId: each.paymentId, orderId: each.orderId })),
      asItIs,
    );
    await publish(database, model, ids);
  }
  return shop.merchantId;
}

async function publish(
  database: Db,
  model: Document,
  ids: readonly { paymentId: string; operationId: string }[],
): Promise<void> {
  const slot = Number(model['slot']);
  const lane = await stored(database, 'event_lanes').findOneAndUpdate(
    { next: null, from: { $lte: slot }, to: { $gte: slot } },
    { $inc: { number: 1, [`given.${slot}`]: ids.length } },
    { returnDocument: 'after' },
  );
  if (!lane) throw new Error('no lane takes the events');
  const { layout, lane: number } = lane as unknown as { layout: number; lane: number };
  const first = Number(lane['base']) + Number(lane['given'][slot]) - ids.length + 1;
  const events = ids.map(({ paymentId, operationId }, index) => ({
    ...model,
    _id: randomUUID(),
    aggregateId: paymentId,
    sequence: 1,
    occurredAt: new Date(),
    data: { ...model['data'], operationId, paymentId },
    position: first + index,
  }));
  await stored(database, 'events').insertMany(events, asItIs);
  const names = [
    '_id',
    'environment',
    'accountId',
    'merchantId',
    'aggregateType',
    'aggregateId',
    'type',
    'slot',
    'position',
  ];
  const heads = (events as Document[]).map((event) => Object.fromEntries(names.map((name) => [name, event[name]])));
  const padded = (value: number, digits: number) => String(value).padStart(digits, '0');
  const _id = `${padded(layout, 6)}:${padded(number, 4)}:${padded(Number(lane['number']), 12)}`;
  await stored(database, 'event_segments').insertOne({ _id, layout, lane: number, heads }, asItIs);
}

function stored(database: Db, name: string): Stored {
  return database.collection(name);
}
