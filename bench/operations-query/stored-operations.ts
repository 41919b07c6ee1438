// Stored operations of the query benchmark: as many as asked for, spread over a year and over every value that a filter can ask for, made by a formula.
import { randomUUID } from 'node:crypto';
import type { Collection, Document } from 'mongodb';
import { Long } from 'mongodb';
import { profileOf } from '../../subgraphs/payments/operations/operation-facets';

const dayMs = 86_400_000;
const insertedAtOnce = 5_000;

export interface Owner {
  environment: string;
  accountId: string;
  merchantId: string;
  terminalIds: readonly string[];
}

const types = ['AUTHORIZATION', 'CAPTURE', 'CAPTURE', 'REFUND', 'VOID', 'CANCEL', 'CARD_VERIFICATION'];
const results = ['AUTHORIZED', 'EXECUTED', 'EXECUTED', 'REFUNDED', 'VOIDED', 'CANCELED', 'AUTHORIZED'];
const circuits = ['VISA', 'VISA', 'MC', 'MC', 'AMEX', 'PAYPAL', 'MYBANK'];
const at = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** The operation of that number; `time` counts back from now so that the newest come last. */
export function operationOf(owner: Owner, index: number, time: Date): Document {
  const kind = (index * 7_919) % types.length;
  const operation = {
    _id: randomUUID(),
    environment: owner.environment,
    accountId: owner.accountId,
    merchantId: owner.merchantId,
    terminalId: at(owner.terminalIds, index),
    family: index % 3 === 0 ? 'paymentService' : 'checkout',
    paymentId: randomUUID(),
    sessionId: null,
    orderId: `order-${Math.floor(index / 2)}`,
    channel: at(['ECOMMERCE', 'ECOMMERCE', 'BACKOFFICE'], index),
    channelDetail: at(['FIELDS', 'HOSTED_PAGE', 'POST_OPERATION'], index),
    type: types[kind],
    result: results[kind],
    time,
    amountMinor: Long.fromNumber(100 + ((index * 104_729) % 100_000)),
    currency: at(['EUR', 'DKK', 'SEK'], index),
    method: index % 7 < 5 ? 'CARD' : 'APM',
    circuit: at(circuits, index),
    instrumentInfo: '424242******4242',
    endToEndId: null,
    parentOperationId: null,
    cancelledOperationId: null,
    omnichannelId: null,
    paymentLinkId: null,
    customField: `field-${index % 1_000}`,
    description: null,
    reason: null,
    contractId: index % 10 === 0 ? `contract-${index % 5_000}` : null,
    contractType: index % 10 === 0 ? at(['MIT_UNSCHEDULED', 'MIT_SCHEDULED', 'CIT'], index / 10) : null,
    installmentQty: index % 50 === 0 ? 1 + (index % 12) : null,
    customerInfo: null,
    warnings: [],
    additionalData: {},
    createdAt: time,
  };
  return { ...operation, profile: profileOf(operation as never) };
}

/**
 * Stores `count` operations, the last of which is now; returns false when a kept data folder has about as many already.
 * The collection's own indexes are built after the load, which takes a tenth of the time.
 */
export async function storeOperations(collection: Collection, owner: Owner, count: number): Promise<boolean> {
  const present = await collection.estimatedDocumentCount();
  if (present >= count && present < 1.1 * count) return false;
  const indexes = (await collection.indexes()).filter(({ name }) => name !== '_id_');
  await collection.dropIndexes();
  await collection.deleteMany({});
  const startMs = Date.now() - 365 * dayMs;
  const stepMs = (365 * dayMs) / count;
  for (let from = 0; from < count; from += insertedAtOnce) {
    const size = Math.min(insertedAtOnce, count - from);
    const batch = Array.from({ length: size }, (_, place) =>
      operationOf(owner, from + place, new Date(startMs + (from + place) * stepMs)),
    );
    await collection.insertMany(batch, { ordered: false, writeConcern: { w: 1, j: false } });
  }
  await collection.createIndexes(indexes.map(({ name, key }) => ({ name: name as string, key })));
  return true;
}
