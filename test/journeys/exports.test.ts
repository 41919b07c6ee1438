// A list as a file from the running platform: whole, by staff, in the audit; refused to others before anything is sent.
import { randomUUID } from 'node:crypto';
import { newOrderId, type Shop, shopOf } from '../support/checkout';
import { accessTokenOf, graph } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let shop: Shop;
let staff: string;
let from: string;
const orders = Array.from({ length: 5 }, newOrderId);

beforeAll(async () => {
  world = await sharedWorld();
  shop = shopOf(world, 'beta', 'explicit');
  staff = await accessTokenOf(world, world.credentials.graph.admin);
  for (const orderId of orders) expect((await shop.build({ order: { orderId } })).status).toBe(200);
  const { data } = await graph(
    world,
    'query ($orderId: String) { payments(filter: { orderId: $orderId }) { edges { node { createdAt } } } }',
    {
      orderId: orders[0],
    },
  );
  from = data.payments.edges[0].node.createdAt;
});
afterAll(() => world?.stop());

const query = `query Exported($first: Int, $after: String, $filter: PaymentFilter) {
  payments(first: $first, after: $after, filter: $filter) {
    edges { node { orderId state money { amount { minor currency } } } } pageInfo { hasNextPage endCursor } } }`;

interface Asked {
  token?: string;
  body?: object;
  more?: string;
  headers?: Record<string, string>;
}

function exported({ token = staff, body, more = '', headers }: Asked = {}): Promise<Response> {
  const variables = { first: 2, filter: { terminalId: shop.terminalId, from } };
  return fetch(`${world.urls.graph}/export${more}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body ?? { query, variables }),
  });
}

/** The record that an export left in the audit. */
function recordOf(requestId: string, subjectId: string): Promise<{ changes: object[] }> {
  const records =
    'query ($subjectId: ID) { auditRecords(subjectId: $subjectId, first: 50) { edges { node { action actor requestId changes { field to } } } } }';
  return eventually(async () => {
    const { data } = await graph(world, records, { subjectId });
    const edges = data.auditRecords.edges as { node: { requestId: string; changes: object[] } }[];
    return edges.map(({ node }) => node).find((node) => node.requestId === requestId);
  });
}

test('every payment once, over many pages, newest first; and the audit knows who took it', async () => {
  const requestId = randomUUID();
  const answer = await exported({ headers: { 'x-request-id': requestId } });
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="payments.csv"',
  ]);
  const [head, ...rows] = (await answer.text()).trimEnd().split('\r\n');
  expect(head).toBe('orderId,state,money.amount.minor,money.amount.currency');
  const own = rows.filter((row) => orders.includes(String(row.split(',')[0])));
  expect(own).toEqual([...orders].reverse().map((orderId) => `${orderId},Created,5000,EUR`));
  const record = await recordOf(requestId, 'payments');
  expect(record).toMatchObject({
    action: 'list.exported',
    actor: world.credentials.graph.admin.clientId,
    changes: [
      { field: 'format', to: 'csv' },
      { field: 'filter', to: expect.stringContaining(shop.terminalId) },
    ],
  });
});

test.each([
  [
    'in the document',
    `query ($after: String) { merchant(merchantId: "MERCHANT") { payments(first: 2, after: $after, filter: { states: [Created] }) { ROWS } } }`,
    {},
  ],
  [
    'in its variables',
    `query ($id: ID!, $after: String, $filter: PaymentFilter) { merchant(merchantId: $id) { payments(after: $after, filter: $filter) { ROWS } } }`,
    { filter: { states: ['Created'] } },
  ],
  [
    'in what they are unless they are given',
    `query ($id: ID!, $after: String, $filter: PaymentFilter = { states: [Created] }) { merchant(merchantId: $id) { payments(after: $after, filter: $filter) { ROWS } } }`,
    {},
  ],
])('the audit knows what an export was narrowed by, %s', async (_where, source, variables) => {
  const { merchantId } = world.credentials.tenants.alpha;
  const rows = 'edges { node { orderId } } pageInfo { hasNextPage endCursor }';
  const requestId = randomUUID();
  const answer = await exported({
    body: {
      query: source.replace('MERCHANT', merchantId).replace('ROWS', rows),
      variables: { ...variables, id: merchantId },
    },
    headers: { 'x-request-id': requestId },
  });
  expect(answer.status).toBe(200);
  await answer.text();
  const { changes } = await recordOf(requestId, 'merchant.payments');
  expect(changes).toEqual([
    { field: 'format', to: 'csv' },
    {
      field: 'filter',
      to: JSON.stringify({ 'merchant.merchantId': merchantId, filter: { states: ['Created'] } }),
    },
  ]);
});

test('the same as JSON lines', async () => {
  const lines = (await (await exported({ more: '?format=jsonl' })).text()).trimEnd().split('\n');
  const own = lines.map((line) => JSON.parse(line)).filter(({ orderId }) => orders.includes(orderId));
  expect(own[0]).toEqual({
    orderId: orders[4],
    state: 'Created',
    money: { amount: { minor: '5000', currency: 'EUR' } },
  });
  expect(own).toHaveLength(5);
});

test.each<[string, () => Promise<Asked>, number, string]>([
  ['without a token', async () => ({ headers: { authorization: '' } }), 401, 'unauthenticated'],
  [
    'by who may only look',
    async () => ({ token: await accessTokenOf(world, world.credentials.graph.viewer) }),
    403,
    'forbidden',
  ],
  ['in a form that nobody knows', async () => ({ more: '?format=xlsx' }), 400, 'invalidInput'],
  ['of a document without a list', async () => ({ body: { query: '{ viewer { name } }' } }), 400, 'invalidInput'],
  ['of a document that is none', async () => ({ body: { query: '{ nothing }' } }), 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['of a page that is too large', async () => ({ body: { query, variables: { first: 101 } } }), 400, 'invalidInput'],
  ['by a body that is none', async () => ({ body: [] }), 400, 'invalidInput'],
])('%s nothing is exported', async (_case, asked, status, code) => {
  const answer = await exported(await asked());
  const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
  expect([answer.status, errors[0]?.extensions.code]).toEqual([status, code]);
  expect(answer.headers.get('content-disposition')).toBeNull();
});
