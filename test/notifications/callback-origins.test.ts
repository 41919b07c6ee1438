// Callback endpoints grouped by origin: who is well, what waits and whose it is; by health and by merchant, and to whom they belong.
import { createNotifications } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { eventually } from '../support/stores';
import { executeInSubgraph } from '../workers/graph';
import { paymentEventOf, securityToken } from '../workers/payment-event';
import { account, openWorld, type World } from '../workers/world';

let world: World;
let sealed: Sealed;
/** Three endpoints at one origin of one account, and one of another account at an origin of its own. */
const told = [
  { url: 'http://127.0.0.1:7001/one', merchantId: 'merchant-1', terminalId: 'till-1' },
  { url: 'http://127.0.0.1:7001/one', merchantId: 'merchant-1', terminalId: 'till-2' },
  { url: 'http://127.0.0.1:7001/two', merchantId: 'merchant-1', terminalId: 'till-1' },
  { url: 'http://127.0.0.1:7002/one', merchantId: 'merchant-2', terminalId: 'till-3' },
  { url: 'http://127.0.0.1:7003/one', merchantId: 'merchant-3', terminalId: 'till-4', accountId: 'beta' },
];

beforeAll(async () => {
  world = await openWorld();
  sealed = await world.vault.seal({ owner: account, field: 'notification.securityToken' }, securityToken);
  world.startOutbox();
  for (const { url, merchantId, terminalId, accountId = account } of told) {
    const event = paymentEventOf({ sealed, notificationUrl: url }, { merchantId, accountId });
    await world.happen({ ...event, data: { ...event.data, terminalId } });
  }
  await eventually(async () => (await world.callbacks()).length === told.length);
  await world.stores.connection
    .collection('callback_endpoints')
    .updateOne({ address: 'http://127.0.0.1:7001/two' }, { $set: { 'health.state': 'DEGRADED' } });
});
afterAll(() => world.close());

const own = (accountId: string): Caller => ({ ...world.staff, accountId });
const read = `query ($first: Int, $after: String, $health: [CallbackEndpointState!], $merchantId: ID) {
  callbackOrigins(first: $first, after: $after, health: $health, merchantId: $merchantId) {
    edges { node { origin total { value isExact } health { state total { value isExact } }
      undelivered { total { value isExact } oldestAt } terminals { terminalId } } } pageInfo { hasNextPage endCursor } } }`;

interface Read {
  edges: { node: { origin: string; undelivered: { oldestAt: Date } } & Record<string, unknown> }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const list = async (variables: Record<string, unknown>, caller: Caller): Promise<Read> =>
  (await executeInSubgraph(world, read, variables, caller))['callbackOrigins'] as Read;
const origins = async (variables: Record<string, unknown>, caller: Caller) =>
  (await list(variables, caller)).edges.map(({ node }) => node.origin.replace('http://127.0.0.1:', ''));
const exactly = (value: number) => ({ value, isExact: true });

test('each origin with its endpoints by health, what waits, and the terminals that it hears of', async () => {
  const { edges } = await list({}, own(account));
  expect(edges.map(({ node }) => node)).toMatchObject([
    {
      origin: 'http://127.0.0.1:7001',
      total: exactly(2),
      health: [
        { state: 'HEALTHY', total: exactly(1) },
        { state: 'DEGRADED', total: exactly(1) },
        { state: 'DISABLED', total: exactly(0) },
      ],
      undelivered: { total: exactly(3) },
      terminals: [{ terminalId: 'till-1' }, { terminalId: 'till-2' }],
    },
    {
      origin: 'http://127.0.0.1:7002',
      total: exactly(1),
      undelivered: { total: exactly(1) },
      terminals: [{ terminalId: 'till-3' }],
    },
  ]);
  const made = (await world.callbacks()).filter(({ merchantId }) => merchantId === 'merchant-1');
  const oldest = Math.min(...made.map(({ createdAt }) => createdAt.getTime()));
  expect(new Date(edges[0]?.node.undelivered.oldestAt ?? 0).getTime()).toBe(oldest);
});

test.each([
  ['an account', {}, () => own(account), ['7001', '7002']],
  ['another account', {}, () => own('beta'), ['7003']],
  ['an account without any', {}, () => own('gamma'), []],
  ['staff', {}, () => world.staff, ['7001', '7002', '7003']],
  ['staff, of a merchant', { merchantId: 'merchant-2' }, () => world.staff, ['7002']],
  ['an account, of a merchant of another', { merchantId: 'merchant-3' }, () => own(account), []],
  ['staff, with an endpoint that is not well', { health: ['DEGRADED', 'DISABLED'] }, () => world.staff, ['7001']],
  ['staff, with a disabled endpoint', { health: ['DISABLED'] }, () => world.staff, []],
])('%s', async (_who, variables, caller, expected) => {
  expect(await origins(variables, caller())).toEqual(expected);
});

test('page by page', async () => {
  const first = await list({ first: 2 }, world.staff);
  expect(first.pageInfo.hasNextPage).toBe(true);
  expect(await origins({ first: 2, after: first.pageInfo.endCursor }, world.staff)).toEqual(['7003']);
});

test.each([
  [{ first: 0 }, 'invalidInput'],
  [{ first: 101 }, 'invalidInput'],
  [{ after: 'nothing' }, 'invalidInput'],
])('%j is refused', async (variables, code) => {
  await expect(list(variables, world.staff)).rejects.toMatchObject({ code });
});

test('without the right it is refused', async () => {
  await expect(list({}, { ...own(account), scopes: ['mts:token'] })).rejects.toMatchObject({ code: 'forbidden' });
});

test('endpoints by origin, by merchant, and both with their health', async () => {
  const endpoints = async (variables: Record<string, unknown>, caller: Caller) => {
    const query = `query ($origin: String, $merchantId: ID, $health: [CallbackEndpointState!]) {
      callbackEndpoints(origin: $origin, merchantId: $merchantId, health: $health) { edges { node { address } } } }`;
    const { callbackEndpoints } = (await executeInSubgraph(world, query, variables, caller)) as {
      callbackEndpoints: { edges: { node: { address: string } }[] };
    };
    return callbackEndpoints.edges.map(({ node }) => node.address.replace('http://127.0.0.1:', '')).sort();
  };
  const origin = 'http://127.0.0.1:7001';
  expect(await endpoints({ origin }, world.staff)).toEqual(['7001/one', '7001/two']);
  expect(await endpoints({ origin, health: ['DEGRADED'] }, world.staff)).toEqual(['7001/two']);
  expect(await endpoints({ merchantId: 'merchant-2' }, own(account))).toEqual(['7002/one']);
  expect(await endpoints({ merchantId: 'merchant-2', origin }, own(account))).toEqual([]);
  expect(await endpoints({ origin }, own('beta'))).toEqual([]);
});

test('endpoints of a release before get their origin at the next start', async () => {
  const stored = world.stores.connection.collection('callback_endpoints');
  await stored.updateMany({ address: /:7002/ }, { $unset: { origin: 1 } });
  expect(await origins({}, own(account))).toEqual(['7001']);
  await prepareAnew();
  expect(await origins({}, own(account))).toEqual(['7001', '7002']);
});

function prepareAnew(): Promise<void> {
  const { connection } = world.stores;
  const config = {
    environment: 'sandbox' as const,
    isSandbox: true,
    REST_URL: '',
    EVENT_REPLAY_DAYS: 30,
    CURSOR_KEY: 'c2VjcmV0',
  };
  const unused = undefined as never;
  return createNotifications({
    connection,
    config: { ...config, LANES: 1 },
    inTransaction: unused,
    idempotent: unused,
    clock: unused,
    vault: unused,
    audit: unused,
    isAccount: async () => true,
  }).ensureIndexes();
}
