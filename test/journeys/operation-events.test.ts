// What happens to operations, live: both payment families in one subscription, resuming where it was left, and nobody else's (docs/sandbox.md, sections 7 and 9).
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { cards, newOrderId, openInbox, paymentServiceOf, payOnPage, payWithFields, shopOf } from '../support/checkout';
import { accessTokenOf, graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let client: Client;

beforeAll(async () => {
  world = await sharedWorld();
  const token = await accessTokenOf(world, world.credentials.graph.viewer);
  const connectionParams = { authorization: `Bearer ${token}` };
  client = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
});
afterAll(async () => {
  await client?.dispose();
  await world?.stop();
});

interface Item {
  eventId: string;
  sequence: number;
  cursor: string;
  type: string;
  operationType: string;
  operationResult: string;
  operation: { operationId: string; orderId: string | null; merchant: { merchantId: string } };
  payment: { paymentId: string; state: string };
}

const document = `subscription ($merchantId: ID!, $after: String) { operationEvents(merchantId: $merchantId, after: $after) {
  eventId sequence cursor occurredAt type operationType operationResult
  operation { operationId orderId merchant { merchantId } } payment { paymentId state } } }`;

/** Everything that has come so far, in order; the others of a shared world come too. */
function follow(merchantId: string, after: string | null = null) {
  const items: Item[] = [];
  const faults: unknown[] = [];
  const stop = client.subscribe<{ operationEvents: Item }>(
    { query: document, variables: { merchantId, after } },
    {
      next: ({ data }) => data && items.push(data.operationEvents),
      error: (fault) => faults.push(fault),
      complete: () => undefined,
    },
  );
  const ofOrder = (orderId: string) => items.filter(({ operation }) => operation.orderId === orderId);
  return { items, faults, stop, ofOrder };
}

/** A subscription without `after` is live once the first event of a payment made for it is there. */
async function followLive(merchantId: string): Promise<ReturnType<typeof follow>> {
  const followed = follow(merchantId);
  await eventually(async () => {
    await payWithFields(world, shopOf(world, merchantId.includes('alpha') ? 'alpha' : 'beta', 'explicit'));
    return followed.items.length > 0 || undefined;
  });
  return followed;
}

test('an order: each operation once, in sequence, under the id that the merchant is told', async () => {
  const shop = shopOf(world, 'alpha', 'implicit');
  const followed = await followLive(shop.merchantId);
  const inbox = openInbox(world);
  const { finalized, orderId } = await payWithFields(world, shop, { paymentSession: { notificationUrl: inbox.url } });
  const events = await eventually(() => (followed.ofOrder(orderId).length >= 2 ? followed.ofOrder(orderId) : null));
  expect(
    events.map(({ operationType, operationResult, sequence }) => [operationType, operationResult, sequence]),
  ).toEqual([
    ['AUTHORIZATION', 'AUTHORIZED', 1],
    ['CAPTURE', 'EXECUTED', 2],
  ]);
  expect(events[0]).toMatchObject({
    type: 'operation.recorded',
    payment: { state: 'Captured' },
    operation: { operationId: finalized.body.operation.operationId, merchant: { merchantId: shop.merchantId } },
  });
  const told = await inbox.atLeast(2);
  expect(told.map(({ body }) => body.eventId).sort()).toEqual(events.map(({ eventId }) => eventId).sort());
  followed.stop();

  const resumed = follow(shop.merchantId, events[0]?.cursor);
  const [first] = await eventually(() => (resumed.ofOrder(orderId).length > 0 ? resumed.ofOrder(orderId) : null));
  expect(first?.eventId).toBe(events[1]?.eventId);
  resumed.stop();

  const query = `query ($eventId: ID!, $operationId: ID!) {
    operationEvent(eventId: $eventId) { operation { operationId } }
    operation(operationId: $operationId) { timeline { edges { node { eventId } } } callbacks { edges { node { eventId status } } } } }`;
  const variables = { eventId: events[0]?.eventId, operationId: events[0]?.operation.operationId };
  const data = await eventually(async () => {
    const { data: told } = await graph(world, query, variables);
    return told.operation.callbacks.edges[0]?.node.status === 'DELIVERED' ? told : null;
  });
  expect(data).toMatchObject({
    operationEvent: { operation: { operationId: finalized.body.operation.operationId } },
    operation: {
      timeline: { edges: [{ node: { eventId: events[0]?.eventId } }] },
      callbacks: { edges: [{ node: { eventId: events[0]?.eventId } }] },
    },
  });
});

test('a result that is PENDING first and final later: two events about one operation', async () => {
  const shop = shopOf(world, 'alpha', 'explicit');
  const followed = await followLive(shop.merchantId);
  const { orderId } = await payWithFields(world, shop, { number: cards.pending });
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 4_000 });
  const events = await eventually(() => (followed.ofOrder(orderId).length >= 2 ? followed.ofOrder(orderId) : null));
  expect(events.map(({ type, operationResult }) => [type, operationResult])).toEqual([
    ['operation.recorded', 'PENDING'],
    ['operation.resultChanged', 'AUTHORIZED'],
  ]);
  expect(new Set(events.map(({ operation }) => operation.operationId)).size).toBe(1);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2);
  followed.stop();
});

test('the payment service is in the same stream, and sends no merchant notification', async () => {
  const service = await paymentServiceOf(world, 'alpha');
  const followed = await followLive(world.credentials.tenants.alpha.merchantId);
  const created = await service.create({ processing: 'Authorize' });
  expect(created.status).toBe(201);
  const { paymentId } = created.body;
  await payOnPage(world, paymentId, cards.visa);
  const [event] = await eventually(() => {
    const ofPayment = followed.items.filter(({ payment }) => payment.paymentId === paymentId);
    return ofPayment.length > 0 ? ofPayment : null;
  });
  const { data } = await graph(
    world,
    '{ callbacks(first: 1, filter: { operationId: "$" }) { edges { cursor } } }'.replace(
      '$',
      event?.operation.operationId ?? '',
    ),
  );
  expect(data).toEqual({ callbacks: { edges: [] } });
  followed.stop();
});

test("another tenant's operations do not come", async () => {
  const beta = await followLive(world.credentials.tenants.beta.merchantId);
  const orderId = newOrderId();
  await payWithFields(world, shopOf(world, 'alpha', 'explicit'), { order: { orderId } });
  const before = beta.items.length;
  await payWithFields(world, shopOf(world, 'beta', 'explicit'));
  await eventually(() => beta.items.length > before || undefined);
  expect(beta.ofOrder(orderId)).toEqual([]);
  expect(new Set(beta.items.map(({ operation }) => operation.merchant.merchantId))).toEqual(
    new Set([world.credentials.tenants.beta.merchantId]),
  );
  beta.stop();
});

test('a client of one account cannot follow the merchant of another', async () => {
  const create = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { clientId } } }`;
  const input = { family: 'GRAPH', accountId: 'beta', label: 'dashboard', scopes: ['graph:read'] };
  const { data } = await graph(world, create, { input });
  const { clientSecret, client: made } = data.createClient;
  const token = await accessTokenOf(world, { clientId: made.clientId, clientSecret });
  const connectionParams = { authorization: `Bearer ${token}` };
  const own = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
  const variables = { merchantId: world.credentials.tenants.alpha.merchantId, after: null };
  const faults: unknown[] = [];
  own.subscribe(
    { query: document, variables },
    { next: () => undefined, error: (fault) => faults.push(fault), complete: () => undefined },
  );
  await eventually(() => faults.length > 0 || undefined);
  expect(JSON.stringify(faults)).toContain('notFound');
  await own.dispose();
});

test.each(['nonsense', 'Mw.AAAAAAAAAAAAAAAAAAAAAA'])('the cursor %s is refused', async (after) => {
  const followed = follow(world.credentials.tenants.alpha.merchantId, after);
  await eventually(() => followed.faults.length > 0 || undefined);
  expect(JSON.stringify(followed.faults)).toContain('invalidInput');
});
