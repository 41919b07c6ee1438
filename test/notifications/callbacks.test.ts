// Callbacks, events and timelines in the graph: lists in pages, each tenant its own, one query for many parents (docs/sandbox.md, section 7).
import { Db } from 'mongodb';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { maskCardNumbers } from '../../subgraphs/shared/card-number';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { executeInSubgraph } from '../workers/graph';
import { type Receiver, startReceiver } from '../workers/receiver';
import { account, openWorld, type World } from '../workers/world';

let world: World;
let receiver: Receiver;
const aggregateId = newId();
const maskedCard = maskCardNumbers('paid with 4242 4242 4242 4242');

const client = (accountId: string | null, ...scopes: Caller['scopes']): Caller => ({
  kind: 'client',
  credentialId: 'x',
  environment: 'sandbox',
  accountId,
  scopes,
  identifiers: [],
});
const alpha = client(account, 'graph:read');
const beta = client('beta', 'graph:read', 'graph:admin');
const run = (source: string, variables = {}, caller = alpha) => executeInSubgraph(world, source, variables, caller);
type Page<Node> = {
  edges: { cursor: string; node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
};
type Listed = { callbackId: string; eventId: string; status: string; attempts: { result: string }[] };
const fields =
  'edges { cursor node { callbackId eventId status attempts { result } } } pageInfo { hasNextPage endCursor }';
const listed = async (filter: object, first: number | null = null, after: string | null = null, caller = alpha) =>
  (
    await run(
      `query ($filter: CallbackFilter, $first: Int, $after: String) { callbacks(filter: $filter, first: $first, after: $after) { ${fields} } }`,
      { filter, first, after },
      caller,
    )
  )['callbacks'] as Page<Listed>;

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  await world.setAddress(receiver.url);
  await world.setAddress(receiver.url, 'beta');
  world.startOutbox();
  world.startCallbacks();
  for (let index = 0; index < 5; index += 1) await world.happen({ aggregateId });
  await world.happen({ accountId: 'beta', merchantId: 'merchant-beta-1' });
  await eventually(async () => (await world.callbacks()).filter(({ status }) => status === 'DELIVERED').length === 6);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

test('are listed newest first, in pages that meet without gap or repeat', async () => {
  const seen: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 3; page += 1) {
    const { edges, pageInfo }: Page<Listed> = await listed({}, 2, after);
    seen.push(...edges.map(({ node }) => node.eventId));
    after = pageInfo.endCursor;
    expect(pageInfo.hasNextPage).toBe(page < 2);
  }
  const own = (await world.callbacks()).filter(({ accountId }) => accountId === account);
  expect(seen).toEqual(own.map(({ eventId }) => eventId).reverse());
});

test.each([
  [{ status: 'DELIVERED' }, 5],
  [{ status: 'EXHAUSTED' }, 0],
  [{ kind: 'NOTIFY_UPDATE' }, 5],
  [{ merchantId: 'merchant-alpha-1' }, 5],
  [{ merchantId: 'merchant-beta-1' }, 0],
  [{ virtualAccountId: aggregateId }, 5],
  [{ virtualAccountId: newId() }, 0],
  [{ since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' }, 0],
  [{ since: '2020-01-01T00:00:00Z' }, 5],
])('filter %j finds %d', async (filter, count) => expect((await listed(filter)).edges).toHaveLength(count));

test.each([[0], [-1], [101]])('a page of %d is refused', async (first) => {
  await expect(listed({}, first)).rejects.toMatchObject({ code: 'invalidInput' });
});

test.each([
  ['x'],
  ['W10'],
  [Buffer.from('["a"]').toString('base64url')],
  [Buffer.from('[{"$gt":0}]').toString('base64url')],
])('a cursor %j is refused', async (after) =>
  expect(listed({}, 1, after)).rejects.toMatchObject({ code: 'invalidInput' }),
);

test('somebody else sees none of them, by list, id, event or entity', async () => {
  const [mine] = (await listed({})).edges;
  const ids = { callbackId: mine?.node.callbackId, eventId: mine?.node.eventId };
  expect((await listed({}, null, null, beta)).edges).toHaveLength(1);
  expect(
    await run(
      'query ($callbackId: ID!, $eventId: ID!) { callback(callbackId: $callbackId) { callbackId } tokenEvent(eventId: $eventId) { eventId } }',
      ids,
      beta,
    ),
  ).toEqual({
    callback: null,
    tokenEvent: null,
  });
  const representations = [
    { __typename: 'Callback', callbackId: ids.callbackId },
    { __typename: 'TokenEvent', eventId: ids.eventId },
    { __typename: 'VirtualAccount', virtualAccountId: aggregateId },
    { __typename: 'Merchant', merchantId: 'merchant-alpha-1' },
  ];
  const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on Callback { callbackId } ... on TokenEvent { eventId }
    ... on VirtualAccount { timeline { edges { node { eventId } } } callbacks { edges { node { eventId } } } }
    ... on Merchant { callbacks { edges { node { eventId } } } } } }`;
  const none = { edges: [] };
  expect((await run(entities, { representations }, beta))['_entities']).toEqual([
    null,
    null,
    { timeline: none, callbacks: none },
    { callbacks: none },
  ]);
  await expect(
    run('mutation ($callbackId: ID!) { redeliverCallback(callbackId: $callbackId) { callbackId } }', ids, beta),
  ).rejects.toMatchObject({ code: 'notFound' });
  const input = { since: '2020-01-01T00:00:00Z', includeDelivered: true, merchantId: 'merchant-alpha-1' };
  expect(
    await run(
      'mutation ($input: RedeliverCallbacksInput!) { redeliverCallbacks(input: $input) { count hasMore } }',
      { input },
      beta,
    ),
  ).toEqual({
    redeliverCallbacks: { count: 0, hasMore: false },
  });
});

test.each([
  ['{ callbacks { edges { cursor } } }'],
  ['{ callbackEndpoints { edges { cursor } } }'],
  ['{ tokenEvent(eventId: "x") { eventId } }'],
  ['mutation { redeliverCallback(callbackId: "x") { callbackId } }'],
])('%s is forbidden for a tokenization client', async (source) => {
  await expect(run(source, {}, client(account, 'mts:token'))).rejects.toMatchObject({ code: 'forbidden' });
});

test('a reader may not send again', async () => {
  await expect(run('mutation { redeliverCallback(callbackId: "x") { callbackId } }')).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('an event, its callback and its place in the timeline carry one id, and a cursor of the log', async () => {
  const [edge] = (await listed({ virtualAccountId: aggregateId }, 1)).edges;
  const data = await run(
    'query ($id: ID!) { callback(callbackId: $id) { eventId event { eventId sequence type cursor virtualAccount { virtualAccountId } } } }',
    { id: edge?.node.callbackId },
  );
  const { eventId, event } = data['callback'] as { eventId: string; event: { eventId: string; cursor: string } };
  expect(event).toMatchObject({
    eventId,
    sequence: 5,
    type: 'virtualAccount.suspended',
    virtualAccount: { virtualAccountId: aggregateId },
  });
  expect(world.notifications.eventLog.parseCursor(event.cursor)).toBeGreaterThan(0);
  expect(receiver.received.map((call) => call.eventId)).toContain(eventId);
});

test('timelines and callbacks of many parents cost one query each', async () => {
  const others = await world.happen({}, {}, {});
  const representations = [aggregateId, ...others.map((event) => event.aggregateId)].map((virtualAccountId) => ({
    __typename: 'VirtualAccount',
    virtualAccountId,
  }));
  const aggregate = jest.spyOn(Db.prototype, 'aggregate');
  const data = await run(
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on VirtualAccount { timeline { edges { node { sequence } } } callbacks { edges { node { status } } } } } }',
    { representations },
  );
  expect(aggregate).toHaveBeenCalledTimes(2);
  aggregate.mockRestore();
  const [first] = data['_entities'] as { timeline: Page<{ sequence: number }>; callbacks: Page<object> }[];
  expect(first?.timeline.edges.map(({ node }) => node.sequence)).toEqual([1, 2, 3, 4, 5]);
  expect(first?.callbacks.edges).toHaveLength(5);
});

test('a bulk redelivery takes what was given up, and delivered ones when asked to', async () => {
  const input = { since: '2020-01-01T00:00:00Z' };
  const mutation =
    'mutation ($input: RedeliverCallbacksInput!) { redeliverCallbacks(input: $input, reason: "the shop was away") { count hasMore } }';
  const admin = client(account, 'graph:read', 'graph:admin');
  await allDelivered();
  expect(await run(mutation, { input }, admin)).toEqual({ redeliverCallbacks: { count: 0, hasMore: false } });
  const before = receiver.received.length;
  expect(await run(mutation, { input: { ...input, includeDelivered: true } }, admin)).toEqual({
    redeliverCallbacks: { count: 8, hasMore: false },
  });
  await eventually(() => receiver.received.length === before + 8);
  const changes = [
    { field: 'since', from: null, to: '2020-01-01T00:00:00.000Z' },
    { field: 'includeDelivered', from: null, to: 'true' },
    { field: 'reason', from: null, to: 'the shop was away' },
  ];
  expect(await redelivered('account')).toMatchObject([
    { actor: 'x', accountId: account, subjectId: account, count: 8, changes },
  ]);
});

test('who sent one callback again stands in the audit; a foreign attempt leaves nothing', async () => {
  const [edge] = (await listed({ virtualAccountId: aggregateId }, 1)).edges;
  const ids = { callbackId: edge?.node.callbackId };
  const mutation = 'mutation ($callbackId: ID!) { redeliverCallback(callbackId: $callbackId) { callbackId } }';
  await expect(run(mutation, ids, beta)).rejects.toMatchObject({ code: 'notFound' });
  expect(await redelivered('callback')).toEqual([]);
  await allDelivered();
  await run(mutation, ids, client(account, 'graph:admin'));
  expect(await redelivered('callback')).toMatchObject([
    { actor: 'x', accountId: account, subjectId: ids.callbackId, changes: [{ field: 'status', to: 'PENDING' }] },
  ]);
});

test.each([
  ['stands in the audit', '  the shop asked for it ', [{ field: 'reason', from: null, to: 'the shop asked for it' }]],
  ['without its card number', 'paid with 4242 4242 4242 4242', [{ field: 'reason', from: null, to: maskedCard }]],
  ['of blanks is none', '   ', []],
])('why a callback was sent again %s', async (_what, reason, told) => {
  const [edge] = (await listed({ virtualAccountId: aggregateId }, 1)).edges;
  const ids = { callbackId: edge?.node.callbackId, reason };
  const mutation =
    'mutation ($callbackId: ID!, $reason: String) { redeliverCallback(callbackId: $callbackId, reason: $reason) { callbackId } }';
  const admin = client(account, 'graph:admin');
  await allDelivered();
  await run(mutation, ids, admin);
  const changes = [{ field: 'status', from: expect.any(String), to: 'PENDING' }, ...told];
  expect((await redelivered('callback')).map((record) => record['changes'])).toContainEqual(changes);
  await expect(run(mutation, { ...ids, reason: 'x'.repeat(501) }, admin)).rejects.toMatchObject({
    code: 'invalidInput',
    details: { field: 'reason' },
  });
});

const redelivered = (subjectType: string) =>
  world.stores.connection.collection('audit').find({ action: 'callback.redelivered', subjectType }).toArray();

/** One that is under way is not sent again. */
const allDelivered = () =>
  eventually(async () => (await world.callbacks()).filter(({ status }) => status === 'DELIVERED').length === 9);
