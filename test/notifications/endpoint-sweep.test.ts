// The sweep for what is due and unserved: its cost follows what is open, not how many endpoints or callbacks there ever were.
import { collectionOf } from '../../subgraphs/notifications/callbacks/collection';
import { dueIndexName } from '../../subgraphs/notifications/callbacks/delivery-log.repository';
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

test('finds the endpoints with something due that nobody serves', async () => {
  await given('due', [
    { open: true, dueAt: future },
    { open: true, dueAt: past },
  ]);
  await given('later', [{ open: true, dueAt: future }]);
  await given('done', [{ open: false, dueAt: past }]);
  await given('served', [{ open: true, dueAt: past }], new Date(Date.now() + 60_000));
  await given('empty', []);
  expect(await world.notifications.stores.deliveries.unservedEndpoints(now)).toEqual(['due']);
});

test('begins with one key of the index per endpoint that has something open', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ open: true, dueAt: new Date(future.getTime() + index) }));
  await given('backlog', many);
  await given(
    'history',
    many.map(({ dueAt }) => ({ open: false, dueAt })),
  );
  const plan = await collectionOf(world.stores.connection, 'deliveries')
    .aggregate([{ $match: { open: true } }, { $group: { _id: '$endpointId' } }], { hint: dueIndexName })
    .explain('executionStats');
  const text = JSON.stringify(plan);
  expect(text).toContain('DISTINCT_SCAN');
  expect(text).not.toContain('COLLSCAN');
  const examined = [...text.matchAll(/"(?:totalKeysExamined|keysExamined)":(\d+)/g)].map(([, keys]) => Number(keys));
  expect(Math.max(...examined)).toBeLessThan(20);
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
