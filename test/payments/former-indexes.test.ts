// Indexes of a release before go when this one has begun, and the lists find in the new ones what was stored under the old.

import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { createDueCallbacks } from '../../subgraphs/notifications/callbacks/due-callback.repository';
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import { createOperationQueryRepository } from '../../subgraphs/payments/operations/operation-query.repository';
import { createPaymentRepository } from '../../subgraphs/payments/payment/payment.repository';
import { createPaymentQueryRepository } from '../../subgraphs/payments/payment/payment-query.repository';
import { createCheckoutSessionRepository } from '../../subgraphs/payments/sessions/checkout-session.repository';
import { createSessionQueryRepository } from '../../subgraphs/payments/sessions/session-query.repository';
import { rowsOf } from '../lists/list-rows';
import { rowId } from '../lists/row-place';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';

const count = 60;
const staff = {
  kind: 'client',
  credentialId: 'staff',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read'],
  identifiers: [],
} as const;
const caller = { ...staff, scopes: [...staff.scopes], identifiers: [] };

const byState = { environment: 1, merchantId: 1, state: 1, createdAt: -1, _id: -1 } as const;
const former = {
  payments: [
    { key: byState },
    { key: { environment: 1, state: 1, createdAt: -1, _id: -1 } },
    { key: { environment: 1, merchantId: 1, orderId: 1, createdAt: -1, _id: -1 } },
    {
      key: { environment: 1, orderId: 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { orderId: { $gte: '' } },
    },
  ],
  operations: [{ key: { sessionId: 1 } }],
  checkout_sessions: [{ key: byState }],
  deliveries: [
    { key: { environment: 1, status: 1, position: 1 } },
    { key: { createdAt: 1 }, name: 'age', partialFilterExpression: { open: true } },
    { key: { eventId: 1, endpointId: 1, address: 1 }, unique: true },
  ],
} as const;
type Name = keyof typeof former;
const names = Object.keys(former) as Name[];

let stores: TracedStores;
const before: Partial<Record<Name, string[]>> = {};
beforeAll(async () => {
  stores = await openTracedStores();
  for (const name of names) {
    const collection = stores.connection.collection(name);
    for (const rows of rowsOf(name, count))
      await collection.insertMany(rows as never, { bypassDocumentValidation: true });
    before[name] = await collection.createIndexes(former[name] as never);
  }
});
afterAll(() => stores.close());

const slice = { size: 10, after: null };

test('they are dropped, and nothing is lost to the lists', async () => {
  const { connection, product } = stores;
  const payments = createPaymentQueryRepository(product);
  const operations = createOperationQueryRepository(product);
  const sessions = createSessionQueryRepository(product);
  const callbacks = createCallbackRepository(product);
  const written = [
    createPaymentRepository(product),
    createOperationRepository(product),
    createCheckoutSessionRepository(product),
    callbacks,
  ];
  for (const repository of written) await repository.ensureIndexes();
  for (const name of names) {
    const left = (await connection.collection(name).indexes()).map((index) => index.name);
    expect([name, left.filter((index) => before[name]?.includes(String(index)))]).toEqual([name, []]);
  }
  const found = await Promise.all([
    payments.list(caller, { states: ['Unknown', 'Failed'] }, slice),
    payments.list(caller, { state: 'Unknown', merchantId: 'rare' }, slice),
    payments.list(caller, { orderId: 'rare' }, slice),
    sessions.list(caller, { merchantId: 'rare', state: 'READY_FOR_PAYMENT' }, slice),
    sessions.list(caller, { merchantId: 'rare', state: 'PAYMENT_COMPLETE' }, slice),
    operations.list(caller, { sessionId: rowId(1) }, { ...slice, order: { by: 'operationTime', direction: 'DESC' } }),
    callbacks.list(caller, { status: 'EXHAUSTED' }, { size: 10, after: null }),
  ]);
  expect(found.map(({ items }) => items.length)).toEqual([5, 5, 5, 5, 0, 5, 5]);
});

test('the age of what is open is that of the oldest in any environment', async () => {
  const { connection, product } = stores;
  await createCallbackRepository(product).ensureIndexes();
  const due = createDueCallbacks(product);
  const rows = connection.collection<{ _id: string; environment: string }>('deliveries');
  const oldest = await rows.findOne({ open: true }, { sort: { position: 1 } });
  const at = new Date('2025-12-31T00:00:00Z');
  const update = { $set: { environment: 'production', createdAt: at } };
  await rows.updateOne({ _id: oldest?._id as string }, update, { bypassDocumentValidation: true });
  expect(await due.oldestOpenSince()).toEqual(at);
  await rows.updateMany({}, { $set: { open: false } }, { bypassDocumentValidation: true });
  expect(await due.oldestOpenSince()).toBeNull();
});
