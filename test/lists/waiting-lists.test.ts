// What a person on duty looks for among all merchants, the few that are not done, by indexes of their own; and how a list ends that no index serves.
import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import type { OperationFilter } from '../../subgraphs/payments/operations/operation-query';
import { createOperationQueryRepository } from '../../subgraphs/payments/operations/operation-query.repository';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { boundedList } from '../../subgraphs/shared/lists/bounded-list';
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';
import { rowsOf } from './list-rows';
import { profiled, wrongWith } from './profiled';

const rowCount = 3_000;
const size = 20;
const staff: Caller = {
  kind: 'client',
  credentialId: 'staff',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read'],
  identifiers: [],
};

let stores: TracedStores;
let lists: {
  operations(filter: OperationFilter): Promise<{ items: unknown[] }>;
  deliveries(filter: object): Promise<{ items: unknown[] }>;
};

beforeAll(async () => {
  stores = await openTracedStores();
  const { connection, product } = stores;
  const operations = createOperationQueryRepository(product);
  const callbacks = createCallbackRepository(product);
  for (const repository of [createOperationRepository(product), callbacks]) await repository.ensureIndexes();
  for (const name of ['operations', 'deliveries'] as const)
    for (const rows of rowsOf(name, rowCount))
      await connection.collection(name).insertMany(rows as never, { bypassDocumentValidation: true });
  const order = { by: 'operationTime', direction: 'DESC' } as const;
  lists = {
    operations: (filter) => operations.list(staff, filter, { size, after: null, order }),
    deliveries: (filter) => callbacks.list(staff, filter, { size, after: null }),
  };
});
afterAll(() => stores.close());

it.each<[which: string, list: () => Promise<{ items: unknown[] }>, count: number]>([
  ['operations without a result', () => lists.operations({ operationResult: 'PENDING' }), 5],
  ['callbacks that are not made', () => lists.deliveries({ status: 'PENDING' }), 5],
  ['callbacks that are on their way or wait', () => lists.deliveries({ statuses: ['PENDING', 'SENDING'] }), 5],
  ['callbacks that were given up', () => lists.deliveries({ statuses: ['EXHAUSTED', 'REJECTED'] }), 5],
  ['callbacks that both fit', () => lists.deliveries({ status: 'PENDING', statuses: ['EXHAUSTED'] }), 5],
])('the few %s are read along an index', async (_which, list, count) => {
  const { result, reads } = await profiled(stores, list);
  expect(result.items).toHaveLength(count);
  expect(reads.map((read) => wrongWith(read, { size })).filter(Boolean)).toEqual([]);
});

it('refuses in words what takes too long', async () => {
  const square = { $expr: { $gt: [{ $size: { $setUnion: [{ $range: [0, 20_000] }, ['$_id']] } }, 0] } };
  const ordered = { sort: { extra: 1, _id: 1 }, maxTimeMS: 1 } as const;
  const all = collectionOf(stores.connection, 'operations');
  await expect(boundedList(all, square, ordered)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('name a merchantId'),
  });
});
