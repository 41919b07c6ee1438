// Attempts of callbacks in `events`, from a shop's payment to whoever follows: over WebSocket and as server-sent events, resumed by cursor, for its account and staff alone.
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { StreamClient } from '../gateway/stream-client';
import { payWithFields, shopOf } from '../support/checkout';
import { accessTokenOf } from '../support/partner';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { type Receiver, startReceiver } from '../workers/receiver';

let world: World;
let receiver: Receiver;
let staffToken: string;
const clients: Client[] = [];
const streams: StreamClient[] = [];

beforeAll(async () => {
  [world, receiver] = await Promise.all([sharedWorld(), startReceiver()]);
  staffToken = await accessTokenOf(world, world.credentials.graph.viewer);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  for (const stream of streams) stream.close();
  await receiver?.close();
  await world?.stop();
});

interface Item {
  __typename: string;
  cursor: string;
  type: string;
  sequence: number;
  number: number;
  result: string;
  httpStatus: number | null;
  nextAt: string | null;
  merchant: { merchantId: string };
  callback: { callbackId: string; attempts: { number: number }[] } | null;
}

const document = `subscription ($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) {
  __typename cursor type sequence merchant { merchantId }
  ... on CallbackAttemptEvent { number result httpStatus nextAt callback { callbackId attempts { number } } } } }`;
const types = ['callback.attempted'];

function follow(token: string, variables: object) {
  const connectionParams = { authorization: `Bearer ${token}` };
  const client = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
  clients.push(client);
  const items: Item[] = [];
  const errors: { extensions: { code: string } }[] = [];
  client.subscribe<{ events: Item }>(
    { query: document, variables: { ...variables } },
    {
      next: (told) => {
        if (told.data?.events) items.push(told.data.events);
        errors.push(...((told.errors ?? []) as never[]));
      },
      error: (fault) => errors.push(fault as never),
      complete: () => undefined,
    },
  );
  return { items, errors };
}

async function clientOf(accountId: string, scopes: string[]): Promise<string> {
  const create =
    'mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { clientId } } }';
  const input = { family: 'GRAPH', accountId, label: 'attempts', scopes };
  const { clientSecret, client } = (await askGraph(world, create, { input })).createClient;
  return accessTokenOf(world, { clientId: client.clientId, clientSecret });
}

const callbacksOf = 'operation(operationId: $id) { callbacks(first: 5) { edges { node { callbackId status } } } }';

/** Pays in beta's shop, whose notification goes to our receiver under a name of its own; the callback of it. */
async function notified(name: string, ...statuses: number[]): Promise<{ callbackId: string; cursor: string }> {
  let count = 0;
  receiver.answer((request, response) => {
    const status = request.path.includes(name) ? (statuses[Math.min(count++, statuses.length - 1)] ?? 204) : 204;
    response.writeHead(status).end();
  });
  // A place right before what follows.
  const before = await StreamClient.open(world.urls.subscriptions, staffToken, { search: '?types=operation.recorded' });
  streams.push(before);
  await payWithFields(world, shopOf(world, 'beta', 'explicit'));
  const place = await eventually(() => before.events().find(({ id }) => id !== null)?.id);
  const paid = await payWithFields(world, shopOf(world, 'beta', 'explicit'), {
    paymentSession: { notificationUrl: `${receiver.url}/${name}` },
  });
  const id = paid.finalized.body.operation.operationId;
  const callbackId = await eventually(async () => {
    const { operation } = await askGraph(world, `query ($id: ID!) { ${callbacksOf} }`, { id });
    return operation.callbacks.edges[0]?.node.callbackId as string | undefined;
  });
  return { callbackId, cursor: String(place) };
}

const own = (items: Item[], callbackId: string) => items.filter(({ callback }) => callback?.callbackId === callbackId);
const shown = (items: Item[]) => items.map(({ number, result, httpStatus }) => [number, result, httpStatus]);
const failedThenDelivered = [
  [1, 'httpError', 500],
  [2, 'delivered', 204],
];

test('a failure and the delivery after it come live, in order, to staff and the account, resumed by cursor, and to nobody else', async () => {
  const { merchantId } = world.credentials.tenants.beta;
  const [beta, alpha] = await Promise.all([clientOf('beta', ['graph:read']), clientOf('alpha', ['graph:read'])]);
  const { callbackId, cursor } = await notified('fails-once', 500, 204);
  const [staff, tenant, foreign] = [staffToken, beta, alpha].map((token) =>
    follow(token, { filter: { types }, after: cursor }),
  );
  await eventually(() => own(tenant?.items ?? [], callbackId).length === 2);
  await eventually(() => own(staff?.items ?? [], callbackId).length === 2);
  const items = own(tenant?.items ?? [], callbackId);
  expect(shown(items)).toEqual(failedThenDelivered);
  expect(shown(own(staff?.items ?? [], callbackId))).toEqual(failedThenDelivered);
  expect(items).toMatchObject([
    { __typename: 'CallbackAttemptEvent', type: 'callback.attempted', sequence: 1, nextAt: expect.any(String) },
    { sequence: 2, nextAt: null, merchant: { merchantId }, callback: { attempts: [{ number: 1 }, { number: 2 }] } },
  ]);
  expect(own(foreign?.items ?? [], callbackId)).toEqual([]);
  expect((foreign?.items ?? []).every((item) => item.merchant.merchantId !== merchantId)).toBe(true);

  const resumed = follow(beta, { filter: { types }, after: items[0]?.cursor });
  await eventually(() => own(resumed.items, callbackId).length > 0);
  expect(shown(own(resumed.items, callbackId))).toEqual([failedThenDelivered[1]]);
});

test('a redelivery by hand is told though nothing failed, as server-sent event too', async () => {
  const { callbackId, cursor } = await notified('by-hand', 204);
  await eventually(async () => {
    const { callback } = await askGraph(world, 'query ($id: ID!) { callback(callbackId: $id) { status } }', {
      id: callbackId,
    });
    return callback.status === 'DELIVERED';
  });
  const search = `?types=${types}&after=${encodeURIComponent(cursor)}`;
  const stream = await StreamClient.open(world.urls.subscriptions, staffToken, { search });
  streams.push(stream);
  await askGraph(world, 'mutation ($id: ID!) { redeliverCallback(callbackId: $id) { callbackId } }', {
    id: callbackId,
  });
  const about = ({ data }: { data: Record<string, unknown> | null }) =>
    (data?.['callback'] as { callbackId: string } | null)?.callbackId === callbackId;
  const event = await eventually(() => stream.events().find(about));
  expect(event).toMatchObject({
    event: 'callback.attempted',
    data: {
      __typename: 'CallbackAttemptEvent',
      sequence: 1,
      number: 2,
      result: 'delivered',
      httpStatus: 204,
      nextAt: null,
    },
  });
  expect(stream.events().filter(about)).toHaveLength(1);
});

test('without the right to read callbacks the event comes, its callback null with an error beside; without that to events nothing does', async () => {
  const { callbackId, cursor } = await notified('no-right', 500);
  await eventually(async () => {
    const { callback } = await askGraph(
      world,
      'query ($id: ID!) { callback(callbackId: $id) { attempts { number } } }',
      {
        id: callbackId,
      },
    );
    return callback.attempts.length > 0;
  });
  const some = follow(await clientOf('beta', ['graph:events:read']), { filter: { types }, after: cursor });
  await eventually(() => some.items.length > 0);
  expect(some.items[0]).toMatchObject({ number: 1, result: 'httpError', httpStatus: 500, callback: null });
  expect(some.errors[0]?.extensions.code).toBe('forbidden');
  const none = follow(await clientOf('beta', ['graph:payments:read']), { filter: { types }, after: cursor });
  await eventually(() => none.errors.length > 0);
  expect(none.items).toEqual([]);
});
