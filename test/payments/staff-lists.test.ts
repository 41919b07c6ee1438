// Staff's lists over all merchants: every filter of the graph's lists of payments, operations, sessions and callbacks by the real query under the database's profiler.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import { orderings } from '../../subgraphs/payments/operations/operation-query';
import { createOperationQueryRepository } from '../../subgraphs/payments/operations/operation-query.repository';
import { createPaymentRepository } from '../../subgraphs/payments/payment/payment.repository';
import { paymentOrders } from '../../subgraphs/payments/payment/payment-query';
import { createPaymentQueryRepository } from '../../subgraphs/payments/payment/payment-query.repository';
import { createCheckoutSessionRepository } from '../../subgraphs/payments/sessions/checkout-session.repository';
import { createSessionQueryRepository } from '../../subgraphs/payments/sessions/session-query.repository';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { boundedList, listMsMax } from '../../subgraphs/shared/store/bounded-list';
import { openStores, type Stores } from '../support/stores';
import { type Row, rareFilters, rowsOf, waitingOnly } from './staff-list-rows';

/** 200,000 by name: `STAFF_LIST_ROWS=200000 npx jest test/payments/staff-lists.test.ts`. */
const rowCount = Number(process.env['STAFF_LIST_ROWS'] ?? 3_000);
const size = 20;
/** Documents that a query may read for each that it returns, and besides. */
const reads = { perRow: 4, besides: 40 };

const staff: Caller = {
  kind: 'client',
  credentialId: 'staff',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read'],
  identifiers: [],
};

interface Profiled {
  planSummary: string;
  keysExamined: number;
  docsExamined: number;
  nreturned: number;
  hasSortStage?: boolean;
  command: { maxTimeMS?: number };
}

/** Filters that no index serves over all merchants: they follow the order, and the database ends them in time. */
const followed: Readonly<Record<string, readonly string[]>> = {
  payments: ['family', 'currency', 'currencies', 'minAmount', 'maxAmount'],
  operations: [
    'terminalId',
    'family',
    'channel',
    'channelDetail',
    'operationType',
    'operationResult',
    'paymentMethod',
    'paymentCircuit',
    'currency',
    'operationTypes',
    'operationResults',
    'paymentMethods',
    'paymentCircuits',
    'currencies',
    'contractType',
    'installmentQty',
    'minAmount',
    'maxAmount',
  ],
  checkout_sessions: ['terminalId', 'orderId', 'family', 'kind', 'state', 'method', 'currency', 'pluginName'],
  deliveries: ['kind', 'since', 'until'],
};
const inputs = {
  payments: 'PaymentFilter',
  operations: 'OperationFilter',
  checkout_sessions: 'CheckoutSessionFilter',
  deliveries: 'CallbackFilter',
} as const;
type Listed = keyof typeof inputs;
const listed = Object.keys(inputs) as Listed[];

let stores: Stores;
let lists: Record<Listed, (filter: object, order?: string) => Promise<unknown>>;

beforeAll(async () => {
  stores = await openStores();
  const { connection } = stores;
  const payments = createPaymentQueryRepository(connection);
  const operations = createOperationQueryRepository(connection);
  const sessions = createSessionQueryRepository(connection);
  const callbacks = createCallbackRepository(connection);
  const written = [
    createCheckoutSessionRepository(connection),
    createOperationRepository(connection),
    createPaymentRepository(connection),
  ];
  for (const repository of [callbacks, ...written]) await repository.ensureIndexes();
  // Rows with what lists look at and no more: none that the schema would take.
  for (const name of listed)
    for (const rows of rowsOf(name, rowCount))
      await connection.collection<Row>(name).insertMany(rows, { bypassDocumentValidation: true });
  const slice = { size, after: null };
  lists = {
    payments: (filter, order = 'NEWEST') => payments.list(staff, { ...filter, order: order as 'NEWEST' }, slice),
    operations: (filter, by = 'operationTime') =>
      operations.list(staff, filter, { ...slice, order: { by: by as 'operationTime', direction: 'DESC' } }),
    checkout_sessions: (filter) => sessions.list(staff, filter, slice),
    deliveries: (filter) => callbacks.list(staff, filter, { size, before: null }),
  };
});
afterAll(() => stores.close());

/** What the database did for one list. */
async function profiled(name: Listed, filter: object, order?: string): Promise<Profiled> {
  const database = stores.connection.db;
  if (!database) throw new Error('the connection is not open');
  await database.command({ profile: 2 });
  await lists[name](filter, order);
  await database.command({ profile: 0 });
  const rows = await database
    .collection('system.profile')
    .find({ ns: `${stores.databaseName}.${name}`, 'command.limit': size + 1 })
    .toArray();
  await database.dropCollection('system.profile');
  expect(rows.length).toBe(1);
  return rows[0] as unknown as Profiled;
}

/** What is wrong with a plan, or null. */
function faultOf({ planSummary, keysExamined, docsExamined, nreturned, hasSortStage }: Profiled): string | null {
  const most = Math.max(keysExamined, docsExamined);
  if (planSummary.includes('COLLSCAN')) return planSummary;
  if (most <= reads.perRow * nreturned + reads.besides) return null;
  return `${planSummary} reads ${most} for ${nreturned}${hasSortStage ? ' and sorts' : ''}`;
}

function fieldsOf(input: string): string[] {
  const { definitions } = parse(readFileSync(join(__dirname, '../../schema/contracts/staff.graphql'), 'utf8'));
  const found = definitions.find(
    (definition) => definition.kind === 'InputObjectTypeDefinition' && definition.name.value === input,
  );
  if (found?.kind !== 'InputObjectTypeDefinition') throw new Error(`the schema has no ${input}`);
  return (found.fields ?? []).map((field) => field.name.value);
}

const cases = listed.flatMap((name) => fieldsOf(inputs[name]).map((field) => ({ name, field })));

it.each(listed)('%s without a filter are read along an index', async (name) => {
  expect(faultOf(await profiled(name, {}))).toBeNull();
});

it.each(cases)('$name by $field', async ({ name, field }) => {
  const value = rareFilters[name]?.[field];
  expect([field, value === undefined]).toEqual([field, false]);
  const plan = await profiled(name, { [field]: value });
  if (!followed[name]?.includes(field)) expect(faultOf(plan)).toBeNull();
  else expect([plan.planSummary.includes('COLLSCAN'), plan.command.maxTimeMS]).toEqual([false, listMsMax]);
});

it.each(waitingOnly)('the few %s that are %p', async (name, filter) => {
  expect(faultOf(await profiled(name, filter))).toBeNull();
});

it.each(orderings)('operations in the order of %s scan no collection, and end in time', async (order) => {
  const plan = await profiled('operations', {}, order);
  expect([plan.planSummary.includes('COLLSCAN'), plan.command.maxTimeMS]).toEqual([false, listMsMax]);
});

it.each(paymentOrders)('payments in the order %s are read along an index', async (order) => {
  expect(faultOf(await profiled('payments', {}, order))).toBeNull();
});

it('refuses in words what takes too long', async () => {
  const everything = stores.connection.collection<Row>('operations').find({}).sort({ extra: 1, _id: 1 });
  const square = everything.filter({
    $expr: { $gt: [{ $size: { $setUnion: [{ $range: [0, 20_000] }, ['$_id']] } }, 0] },
  });
  await expect(boundedList(square, 1)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('name a merchantId'),
  });
});
