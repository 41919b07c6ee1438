// What an endpoint was told last: the latest attempt, the merchants and what became of it, of its last 100 callbacks and no more, in one query for a page of endpoints.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { profiled } from '../lists/profiled';
import { eventually } from '../support/stores';
import { executeInSubgraph } from '../workers/graph';
import { account, openWorld, type World } from '../workers/world';

interface Row extends Record<string, unknown> {
  _id: string;
  endpointId: string;
  position: number;
}

let world: World;
/** The one callback that each account's endpoint has at first. */
let own: Row;
let foreign: Row;
beforeAll(async () => {
  world = await openWorld();
  for (const accountId of [account, 'beta']) await world.setAddress('http://127.0.0.1:7001', accountId);
  world.startOutbox();
  await world.happen({ merchantId: 'merchant-1' }, { accountId: 'beta', merchantId: 'merchant-beta-1' });
  await eventually(async () => (await world.callbacks()).length === 2);
  const rowOf = async (accountId: string) => (await deliveries().findOne({ accountId })) as Row;
  [own, foreign] = await Promise.all([rowOf(account), rowOf('beta')]);
});
afterAll(() => world.close());

const deliveries = () => world.stores.connection.collection<Row>('deliveries');
const attemptAt = (at: string, more: object = {}) => ({
  number: 1,
  at: new Date(at),
  result: 'delivered',
  status: 200,
  durationMs: 40,
  excerpt: null,
  nextAt: null,
  isManual: false,
  ...more,
});
/** One more callback like that one, so many places behind it. */
const like = (row: Row, after: number, change: object = {}): Row => ({
  ...row,
  ...change,
  _id: newId(),
  eventId: newId(),
  position: row.position + after,
});

const alpha: Caller = {
  kind: 'client',
  credentialId: 'x',
  environment: 'sandbox',
  accountId: account,
  scopes: ['graph:read'],
  identifiers: [],
};
const source = `{ callbackEndpoints(first: 100) { edges { node { accountId account { accountId }
  lastAttempt { at result status durationMs } merchants { merchantId }
  lastOutcomes { count delivered rejected exhausted ended retried } } } } }`;
interface Told {
  accountId: string;
  lastAttempt: { at: Date; result: string; status: number | null; durationMs: number | null } | null;
  merchants: { merchantId: string }[];
  lastOutcomes: Record<'count' | 'delivered' | 'rejected' | 'exhausted' | 'ended' | 'retried', number>;
}
async function told(caller = alpha): Promise<Told[]> {
  const { callbackEndpoints } = await executeInSubgraph(world, source, {}, caller);
  return (callbackEndpoints as { edges: { node: Told }[] }).edges.map(({ node }) => node);
}

test('nothing was tried yet: the merchants alone, each account its own', async () => {
  expect(await told()).toMatchObject([
    {
      account: { accountId: account },
      lastAttempt: null,
      lastOutcomes: { count: 0, retried: 0 },
      merchants: [{ merchantId: 'merchant-1' }],
    },
  ]);
  const all = await told(world.staff);
  expect(all.map(({ accountId, merchants }) => [accountId, ...merchants.map(({ merchantId }) => merchantId)])).toEqual(
    expect.arrayContaining([
      [account, 'merchant-1'],
      ['beta', 'merchant-beta-1'],
    ]),
  );
});

test('the latest attempt is told, also where it is one of an older callback, and every merchant once', async () => {
  const late = attemptAt('2026-11-03T00:00:00Z', { number: 2, result: 'httpError', status: 500, durationMs: 70 });
  await deliveries().insertMany([
    like(own, 1, { merchantId: 'merchant-2', attempts: [attemptAt('2026-11-01T00:00:00Z'), late], attemptsMade: 2 }),
    like(own, 2, { merchantId: 'merchant-2', attempts: [attemptAt('2026-11-02T00:00:00Z')], attemptsMade: 1 }),
    like(own, 3, { merchantId: null }),
  ]);
  expect(await told()).toMatchObject([
    {
      lastAttempt: { result: 'httpError', status: 500, durationMs: 70 },
      merchants: [{ merchantId: 'merchant-1' }, { merchantId: 'merchant-2' }],
    },
  ]);
  expect(new Date((await told())[0]?.lastAttempt?.at ?? 0)).toEqual(new Date('2026-11-03T00:00:00Z'));
});

test('what became of the newest 20 that are over is told, whatever is still on its way', async () => {
  expect(await told()).toMatchObject([
    { lastOutcomes: { count: 0, delivered: 0, rejected: 0, exhausted: 0, ended: 0 } },
  ]);
  const many = (count: number, status: string) => Array.from({ length: count }, () => status);
  const open = ['PENDING', 'SENDING', 'ENDED', 'EXHAUSTED'];
  const statuses = [many(5, 'EXHAUSTED'), many(12, 'REJECTED'), open, many(6, 'DELIVERED')].flat();
  const rows = statuses.map((status, index) => like(own, 4 + index, { status }));
  await deliveries().insertMany(rows);
  expect(await told()).toMatchObject([
    { lastOutcomes: { count: 20, delivered: 6, rejected: 12, exhausted: 1, ended: 1 } },
  ]);
  await deliveries().deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
});

test('what was tried in vain and is tried again is told beside that, and nothing that is on its way for the first time', async () => {
  const first = attemptAt('2026-11-01T00:00:00Z', { result: 'connectFailed', status: null });
  const rows = [
    like(foreign, 1, { status: 'PENDING', attempts: [first] }),
    like(foreign, 2, { status: 'SENDING', attempts: [first] }),
    like(foreign, 3, { status: 'SENDING', attempts: [] }),
    like(foreign, 4, { status: 'DELIVERED', attempts: [first] }),
    like(foreign, 5, { status: 'PENDING', attempts: [] }),
  ];
  await deliveries().insertMany(rows);
  const of = (await told(world.staff)).find(({ accountId }) => accountId === 'beta');
  expect(of?.lastOutcomes).toMatchObject({ count: 1, delivered: 1, retried: 2 });
  await deliveries().deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
});

test('100 callbacks of each are looked at along the index, in one query for all endpoints', async () => {
  const many = (row: Row) =>
    Array.from({ length: 1_000 }, (_, index) => like(row, 50 + index, { merchantId: `late-${row['accountId']}` }));
  await deliveries().insertMany([...many(own), ...many(foreign)]);
  const { reads } = await profiled(world.stores, async () => {
    const merchants = (await told(world.staff)).flatMap((each) => each.merchants.map(({ merchantId }) => merchantId));
    expect(merchants.toSorted()).toEqual([`late-${account}`, 'late-beta']);
  });
  const looks = reads.filter(({ command }) => command.aggregate !== undefined);
  expect(looks).toHaveLength(1);
  expect(looks[0]?.docsExamined).toBeLessThanOrEqual(2 * 100);
  expect(looks[0]?.command.maxTimeMS).toBeGreaterThan(0);
});
