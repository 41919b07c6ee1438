// The sweep for what is due and unserved: its cost follows what is open, not how many endpoints or callbacks there ever were.

import type { DueTime } from '../../subgraphs/notifications';
import { dueTimeIndexName } from '../../subgraphs/notifications/callbacks/due-callback.repository';
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { openWorld, type World } from '../workers/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const past = new Date('2026-11-21T10:00:00Z');
const now = new Date('2026-11-21T12:00:00Z');
const future = new Date('2026-11-21T13:00:00Z');

/** With what the sweep looks at and no more. */
const bare = { bypassDocumentValidation: true } as const;

async function given(
  endpointId: string,
  dues: { open: boolean; dueAt: Date }[],
  leaseUntil = new Date(0),
): Promise<void> {
  const { connection } = world.stores;
  await collectionOf(connection, 'callback_endpoints').insertOne(
    {
      _id: endpointId as never,
      accountId: endpointId,
      kind: 'notify-update',
      environment: 'sandbox',
      lease: { until: leaseUntil },
    },
    bare,
  );
  if (dues.length === 0) return;
  const rows = dues.map((due, index) => ({
    _id: `${endpointId}-${index}` as never,
    eventId: `${endpointId}-${index}`,
    endpointId,
    position: index,
    ...due,
    status: 'PENDING',
    orderingKey: 'k',
    createdAt: past,
  }));
  await collectionOf(connection, 'deliveries').insertMany(rows, bare);
}

const dueEndpoints = (before?: DueTime) => world.notifications.stores.deliveries.dueEndpoints(now, before);

test('finds the endpoints with something due, and which of them nobody serves', async () => {
  await given('due', [
    { open: true, dueAt: future },
    { open: true, dueAt: past },
  ]);
  await given('later', [{ open: true, dueAt: future }]);
  await given('done', [{ open: false, dueAt: past }]);
  await given('served', [{ open: true, dueAt: past }], new Date(Date.now() + 60_000));
  await given('empty', []);
  const { endpointIds, next } = await dueEndpoints();
  expect(endpointIds.sort()).toEqual(['due', 'served']);
  expect(next).toBeNull();
  expect(await world.notifications.stores.leases.unserved(endpointIds)).toEqual(['due']);
});

test('costs one key of the index where nothing is due, however many endpoints and callbacks there are', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ open: true, dueAt: new Date(future.getTime() + index) }));
  await given('backlog', many);
  await given(
    'history',
    many.map(({ dueAt }) => ({ open: false, dueAt })),
  );
  const plan = await collectionOf(world.stores.connection, 'deliveries')
    .find({ open: true, dueAt: { $lte: new Date(0) } }, { projection: { _id: 0, dueAt: 1, endpointId: 1 } })
    .hint(dueTimeIndexName)
    .sort({ open: -1, dueAt: -1, endpointId: -1 })
    .explain('executionStats');
  expect(plan['executionStats']).toMatchObject({ totalDocsExamined: 0, nReturned: 0 });
  expect(plan['executionStats'].totalKeysExamined).toBeLessThan(3);
});

test('a backlog is walked page by page, the latest first, to its end', async () => {
  const backlog = Array.from({ length: 5_200 }, (_, index) => ({
    open: true,
    dueAt: new Date(past.getTime() + 1 + index),
  }));
  await given('large', backlog);
  const first = await dueEndpoints();
  expect(first.endpointIds).toEqual(['large']);
  expect(first.next).toEqual({ endpointId: 'large', dueAt: new Date(past.getTime() + 201) });
  const second = await dueEndpoints(first.next as DueTime);
  expect(second.endpointIds.sort()).toEqual(['due', 'large', 'served']);
  expect(second.next).toBeNull();
});

test('what is due first is read of many endpoints at once, of each from its beginning, a large one cut', async () => {
  const { firstDue } = world.notifications.stores.deliveries;
  const found = await firstDue(['served', 'large', 'empty', 'due', 'later'], now, 64);
  const shape = [...found].map(([endpointId, { callbacks, isAll }]) => [endpointId, callbacks[0]?._id, isAll]);
  expect(shape.sort()).toEqual([
    ['due', 'due-1', true],
    ['large', 'large-0', false],
    ['served', 'served-0', true],
  ]);
  expect(found.get('large')?.callbacks.length).toBeGreaterThanOrEqual(64);
  const places = found.get('large')?.callbacks.map(({ position }) => position);
  expect(places).toEqual(places?.map((_position, index) => index));
});

test('an index of an earlier version is dropped, and everything works as before', async () => {
  const { connection } = world.stores;
  await connection.collection('deliveries').createIndex({ endpointId: 1, dueAt: 1 }, { name: 'due' });
  const old = { accountId: 1, kind: 1, environment: 1 } as const;
  await connection.collection('callback_endpoints').createIndex(old, { unique: true });
  await world.notifications.ensureIndexes();
  await world.notifications.ensureIndexes();
  const names = async (name: string) => (await connection.collection(name).indexes()).map((index) => index.name);
  expect(await names('deliveries')).not.toContain('due');
  expect(await names('callback_endpoints')).not.toContain('accountId_1_kind_1_environment_1');
});
