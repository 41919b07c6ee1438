// The life of a merchant over both doors (merchant administration; decision register 2.3-A): made over REST, equipped in the graph, switched off and on, deleted while it has orders open.
import { type Administration, administrationOf, merchantBody } from '../support/administration';
import { cards, enterCard, payWithFields, type Shop, shopWith } from '../support/checkout';
import { rest } from '../support/client';
import { accessTokenOf, graph } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let alpha: Administration;
let staff: string;

beforeAll(async () => {
  world = await sharedWorld();
  alpha = administrationOf(world, 'alpha');
  staff = await accessTokenOf(world, world.credentials.graph.admin);
});
afterAll(() => world?.stop());

async function ask(query: string, variables: object) {
  const { data, errors } = await graph(world, query, variables, staff);
  return { data, code: errors?.[0]?.extensions.code as string | undefined };
}

interface Equipped {
  merchantId: string;
  shop: Shop;
  body: ReturnType<typeof merchantBody>;
  secretKey: string;
  client: { clientId: string; clientSecret: string };
}

const equip = `mutation ($merchantId: ID!, $terminalId: ID!, $shop: String!) {
  createTerminal(input: { merchantId: $merchantId, terminalId: $terminalId, label: "Web", origins: [$shop] }) { terminalId }
  terminalKey: createApiKey(merchantId: $merchantId, terminalId: $terminalId, label: "till") { apiKey }
  secretKey: createApiKey(merchantId: $merchantId, kind: MERCHANT, label: "reports") { apiKey }
  createClient(input: { family: PAYMENTS, accountId: "alpha", label: "server", merchantId: $merchantId }) { clientSecret client { clientId } } }`;

/** A merchant made over REST with a terminal, a key of each kind that is its own, and a client of the payment service. */
async function equipped(): Promise<Equipped> {
  const body = merchantBody();
  const { merchantId } = body;
  expect((await alpha.create(body)).status).toBe(201);
  const terminalId = `t-${merchantId}`;
  const { data, code } = await ask(equip, { merchantId, terminalId, shop: world.urls.shop });
  expect(code).toBeUndefined();
  const { apiKey } = data.terminalKey;
  const { clientSecret, client } = data.createClient;
  return {
    merchantId,
    body,
    secretKey: data.secretKey.apiKey,
    client: { clientId: client.clientId, clientSecret },
    shop: shopWith(world, { tenant: 'alpha', merchantId, terminalId, apiKey }),
  };
}

const keysOf = async (merchantId: string) =>
  (
    await ask('query ($id: ID!) { merchant(merchantId: $id) { apiKeys { kind } terminals { terminalId } } }', {
      id: merchantId,
    })
  ).data.merchant;

test('a merchant lists its terminals and its active keys', async () => {
  const { merchantId } = await equipped();
  expect(await keysOf(merchantId)).toEqual({
    apiKeys: [{ kind: 'CHECKOUT' }, { kind: 'MERCHANT' }],
    terminals: [{ terminalId: `t-${merchantId}` }],
  });
});

test('an inactive merchant takes no new orders, goes on with those it has, and comes back', async () => {
  const { merchantId, body, shop } = await equipped();
  const { finalized } = await payWithFields(world, shop);
  const { operationId } = finalized.body.operation;
  expect((await alpha.modify(merchantId, { ...body, active: 1 })).status).toBe(200);
  const refused = await shop.build();
  expect([refused.status, refused.body.errors[0].code]).toEqual([404, 'PS0051']);
  expect((await shop.post('captures', operationId)).status).toBe(200);
  expect((await alpha.modify(merchantId, { ...body, active: 0 })).status).toBe(200);
  expect((await shop.build()).status).toBe(200);
});

test('a deleted merchant: no new orders at once, credentials and sessions end, what was authorized can be captured', async () => {
  const { merchantId, shop, secretKey, client } = await equipped();
  const { finalized } = await payWithFields(world, shop);
  const { operationId } = finalized.body.operation;
  const { sessionId } = (await shop.build()).body;
  await enterCard(world, sessionId, cards.visa);
  const accessToken = await accessTokenOf(world, client);
  expect((await alpha.remove(merchantId, 'closing')).status).toBe(202);
  expect([401, 404]).toContain((await shop.build()).status);

  await eventually(async () => (await keysOf(merchantId)).apiKeys.length === 0);
  await eventually(async () => (await shop.build()).status === 401);
  const { call } = rest(world.urls.rest);
  const pay = () => call('POST', '/api/v1/payments', { body: {}, headers: { Authorization: `Bearer ${accessToken}` } });
  await eventually(async () => (await pay()).status === 401);
  expect(secretKey).toMatch(/^merchant_/);

  const sessions = `query ($id: ID!) { merchant(merchantId: $id) { checkoutSessions(first: 10) { edges { node { sessionId state } } } } }`;
  const isClosed = async () => {
    const { edges } = (await ask(sessions, { id: merchantId })).data.merchant.checkoutSessions;
    return (
      edges.length === 2 && edges.every((edge: { node: { state: string } }) => edge.node.state === 'PAYMENT_COMPLETE')
    );
  };
  await eventually(isClosed);
  const capture = `mutation ($id: ID!) { captureOperation(operationId: $id, input: { reason: "order shipped before the end" }) { operation { operationResult } } }`;
  const captured = await ask(capture, { id: operationId });
  expect([captured.code, captured.data?.captureOperation.operation.operationResult]).toEqual([undefined, 'EXECUTED']);

  const more = `mutation ($id: ID!) { createApiKey(merchantId: $id, kind: MERCHANT, label: "again") { keyId } }`;
  expect((await ask(more, { id: merchantId })).code).toBe('notFound');
  const terminal =
    'mutation ($id: ID!) { createTerminal(input: { merchantId: $id, terminalId: "t-again", label: "x", origins: [] }) { terminalId } }';
  expect((await ask(terminal, { id: merchantId })).code).toBe('notFound');
});
