// Everything that happens in one subscription: payments and tokens of all merchants for staff, its own for a tenant, over WebSocket and as server-sent events, resuming where it was left.
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { StreamClient } from '../gateway/stream-client';
import { payWithFields, shopOf } from '../support/checkout';
import { accountExpiry } from '../support/expiry';
import { accessTokenOf, freshCardNumber, graph, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let staffToken: string;
const clients: Client[] = [];
const streams: StreamClient[] = [];

beforeAll(async () => {
  world = await sharedWorld();
  staffToken = await accessTokenOf(world, world.credentials.graph.viewer);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  for (const stream of streams) stream.close();
  await world?.stop();
});

interface Item {
  __typename: string;
  eventId: string;
  cursor: string;
  type: string;
  merchant: { merchantId: string; name: string } | null;
  operation?: { operationId: string; orderId: string | null };
  payment?: { state: string };
  virtualAccount?: { virtualAccountId: string; state: string };
}

const document = `subscription ($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) {
  __typename eventId cursor type merchant { merchantId name }
  ... on OperationEvent { operation { operationId orderId } payment { state } }
  ... on TokenEvent { virtualAccount { virtualAccountId state } } } }`;

function follow(token: string, variables: object = {}) {
  const connectionParams = { authorization: `Bearer ${token}` };
  const client = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
  clients.push(client);
  const items: Item[] = [];
  const faults: unknown[] = [];
  client.subscribe<{ events: Item }>(
    { query: document, variables: { ...variables } },
    {
      next: ({ data }) => data && items.push(data.events),
      error: (fault) => faults.push(fault),
      complete: () => undefined,
    },
  );
  return { items, faults };
}

/** Once it is live: a payment made for it is there. */
async function followLive(token: string, tenant: 'alpha' | 'beta' = 'alpha', variables: object = {}) {
  const followed = follow(token, variables);
  await eventually(async () => {
    await payWithFields(world, shopOf(world, tenant, 'explicit'));
    return followed.items.length > 0;
  });
  return followed;
}

async function tenantToken(accountId: string): Promise<string> {
  const create = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { clientId } } }`;
  const input = { family: 'GRAPH', accountId, label: 'events', scopes: ['graph:read'] };
  const { data } = await graph(world, create, { input });
  const { clientSecret, client } = data.createClient;
  return accessTokenOf(world, { clientId: client.clientId, clientSecret });
}

async function stream(token: string, search = '', headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await StreamClient.open(world.urls.subscriptions, token, { search, headers });
  streams.push(client);
  return client;
}

test('staff follow payments and tokens of all merchants by one subscription, each with what it is about', async () => {
  const { items } = await followLive(staffToken);
  const paid = await Promise.all(
    (['alpha', 'beta'] as const).map((tenant) => payWithFields(world, shopOf(world, tenant, 'explicit'))),
  );
  const created = await (await partnerOf(world, 'alpha')).createToken({ account: freshCardNumber(), accountExpiry });
  expect(created.status).toBe(201);
  for (const { orderId } of paid) {
    const event = await eventually(() => items.find(({ operation }) => operation?.orderId === orderId));
    expect(event).toMatchObject({
      __typename: 'OperationEvent',
      type: 'operation.recorded',
      payment: { state: 'Authorized' },
    });
    expect(event.merchant?.name).toEqual(expect.any(String));
  }
  const token = await eventually(() => items.find(({ type }) => type === 'virtualAccount.created'));
  expect(token).toMatchObject({ __typename: 'TokenEvent', virtualAccount: { state: 'ACTIVE' } });
  expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(items.length);

  const at = Math.floor(items.length / 2);
  const upTo = [...items];
  const resumed = follow(staffToken, { after: upTo[at]?.cursor });
  await eventually(() => resumed.items.length >= upTo.length - at - 1);
  const missed = upTo.slice(at + 1).map(({ eventId }) => eventId);
  expect(resumed.items.slice(0, missed.length).map(({ eventId }) => eventId)).toEqual(missed);
});

test('a tenant follows its own, and may not name the merchant of another', async () => {
  const [own, merchants] = [await tenantToken('beta'), world.credentials.tenants];
  const followed = await followLive(own, 'beta');
  const { orderId } = await payWithFields(world, shopOf(world, 'alpha', 'explicit'));
  const last = await payWithFields(world, shopOf(world, 'beta', 'explicit'));
  await eventually(() => followed.items.some(({ operation }) => operation?.orderId === last.orderId));
  expect(followed.items.filter(({ operation }) => operation?.orderId === orderId)).toEqual([]);
  const paidTo = followed.items.filter(({ operation }) => operation).map(({ merchant }) => merchant?.merchantId);
  expect([...new Set(paidTo)]).toEqual([merchants.beta.merchantId]);
  const refused = follow(own, { filter: { merchantIds: [merchants.alpha.merchantId] } });
  await eventually(() => refused.faults.length > 0);
  expect(JSON.stringify(refused.faults)).toContain('notFound');
});

test("a cursor of the merchant's own subscription goes on in `events` of that merchant, but nowhere else", async () => {
  const { merchantId } = world.credentials.tenants.alpha;
  const { items } = await followLive(staffToken, 'alpha', { filter: { merchantIds: [merchantId] } });
  const { data } = await graph(world, 'query ($id: ID!) { operationEvent(eventId: $id) { cursor } }', {
    id: items[0]?.eventId,
  });
  const after = data.operationEvent.cursor;
  await payWithFields(world, shopOf(world, 'alpha', 'explicit'));
  const resumed = follow(staffToken, { filter: { merchantIds: [merchantId] }, after });
  await eventually(() => resumed.items.length > 0);
  expect(resumed.items[0]?.eventId).not.toBe(items[0]?.eventId);
  const refused = follow(staffToken, { after });
  await eventually(() => refused.faults.length > 0);
  expect(JSON.stringify(refused.faults)).toContain('invalidInput');
});

test('the same as server-sent events: narrowed, with cursors that WebSockets take too', async () => {
  const first = await stream(staffToken, '?types=operation.recorded&results=AUTHORIZED');
  expect(first.status).toBe(200);
  const paid = await payWithFields(world, shopOf(world, 'alpha', 'explicit'));
  const operationId = paid.finalized.body.operation.operationId;
  const about = ({ data }: { data: Record<string, unknown> | null }) =>
    (data?.['operation'] as { operationId: string } | undefined)?.operationId === operationId;
  const event = await eventually(() => first.events().find(about));
  expect(event).toMatchObject({
    event: 'operation.recorded',
    data: { __typename: 'OperationEvent', cursor: event.id },
  });
  const next = await payWithFields(world, shopOf(world, 'alpha', 'explicit'));
  const again = await stream(staffToken, '', { 'last-event-id': String(event.id) });
  await eventually(() => JSON.stringify(again.events()).includes(next.finalized.body.operation.operationId));
  expect(again.events().filter(about)).toEqual([]);
  const socket = follow(staffToken, { after: event.id });
  await eventually(() => socket.items.some(({ operation }) => operation?.orderId === next.orderId));
});
