// What a caller's contract does not have is not there, whichever way it is asked for; the same graph goes on answering pages, facade and sandbox.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { readTrustedDocuments } from '../../gateway/plan/trusted-documents';
import { accessTokenOf, graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let tokens: Record<'admin' | 'viewer' | 'tenant', string>;
let tenantId: string;
let trusted: Map<string, string>;
const clients: Client[] = [];

beforeAll(async () => {
  world = await sharedWorld();
  const [admin, viewer] = await Promise.all(
    (['admin', 'viewer'] as const).map((who) => accessTokenOf(world, world.credentials.graph[who])),
  );
  const { data } = await graph(
    world,
    'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } clientSecret } }',
    {
      input: { family: 'GRAPH', accountId: 'beta', label: 'contract', scopes: ['graph:read', 'graph:callbacks:write'] },
    },
    admin,
  );
  const { client, clientSecret } = data.createClient;
  tenantId = client.clientId;
  const tenant = await accessTokenOf(world, { clientId: client.clientId, clientSecret });
  tokens = { admin: String(admin), viewer: String(viewer), tenant };
  const documents = readTrustedDocuments(join(__dirname, '../../schema/trusted'));
  trusted = new Map([...documents].map(([hash, text]) => [/^\w+ (\w+)/.exec(text)?.[1] ?? '', hash]));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  await world?.stop();
});

interface Answer {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } }[];
}
type Ask = (token: string, document: { query?: string; documentId?: string; variables?: object }) => Promise<Answer>;

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'x-requested-with': 'test' });

const answerOf = async (response: Promise<Response>) => (await response).json() as Promise<Answer>;
const posted = (path: string, token: string, body: object) =>
  answerOf(
    fetch(`${world.urls.graph}${path}`, {
      method: 'POST',
      headers: { ...headersOf(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
const got = (path: string, token: string, search: Record<string, string>) =>
  answerOf(fetch(`${world.urls.graph}${path}?${new URLSearchParams(search)}`, { headers: headersOf(token) }));

const ways: Record<'POST' | 'GET' | 'WebSocket' | 'export' | 'stream', Ask> = {
  POST: (token, body) => posted('', token, body),
  export: (token, body) => posted('/export', token, body),
  GET: (token, { variables = {}, ...named }) => got('', token, { ...named, variables: JSON.stringify(variables) }),
  // Only refusals are asked for here: a stream that is answered has no end.
  stream: (token, { query = '' }) => got('/events', token, { query }),
  WebSocket: (token, { query = '', ...named }) => {
    const connectionParams = { authorization: `Bearer ${token}` };
    const client = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
    clients.push(client);
    return new Promise((resolve) => {
      const said = (errors: unknown) => resolve({ errors: errors as NonNullable<Answer['errors']> });
      client.subscribe({ query, ...named } as never, {
        next: (result) => resolve(result as Answer),
        error: said,
        complete: () => resolve({}),
      });
    });
  },
};

const unknown = 'GRAPHQL_VALIDATION_FAILED';
const page = '{ checkoutPage(sessionId: "s") { state } }';
const refund =
  'mutation { refundOperation(operationId: "o", input: { amount: "1", currency: "EUR" }) { operationId } }';
const list = `query ($after: String) { sandboxMails(after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } }`;

test.each<[string, keyof typeof tokens, keyof typeof ways, Parameters<Ask>[1]]>([
  ['a field of the pages', 'admin', 'POST', { query: page }],
  ['a field of the pages', 'viewer', 'GET', { query: page }],
  ['a field of the pages', 'admin', 'WebSocket', { query: page }],
  ['a field of the pages, subscribed to', 'admin', 'WebSocket', { query: 'subscription { checkoutPage { state } }' }],
  ['a field of the pages, as a file', 'admin', 'export', { query: list }],
  ['a field of the facade', 'admin', 'POST', { query: 'mutation { cancelCheckout(sessionId: "s") { state } }' }],
  ['a field of the sandbox', 'admin', 'POST', { query: '{ testCards { number } }' }],
  [
    'a type that only the pages have',
    'admin',
    'POST',
    { query: '{ node(id: "n") { ... on CheckoutPage { state } } }' },
  ],
  ['a field of the pages', 'tenant', 'POST', { query: page }],
  ['a field of staff', 'tenant', 'POST', { query: refund }],
  ['a field of staff', 'tenant', 'WebSocket', { query: refund }],
  [
    'a field of the sandbox beside one of its own',
    'tenant',
    'POST',
    { query: '{ viewer { id } receivedCallbacks { id } }' },
  ],
  ['a field of the sandbox', 'tenant', 'GET', { query: '{ receivedCallbacks { id } }' }],
])('%s is not there for %s over %s', async (_what, who, way, document) => {
  // The second time it is known, the third another caller has asked it meanwhile.
  for (const time of [1, 2, 3]) {
    const { data, errors } = await ways[way](tokens[who], document);
    expect([time, data ?? null, errors?.[0]?.extensions?.code]).toEqual([time, null, unknown]);
    expect(errors?.[0]?.message).toMatch(/^(Cannot query field|Unknown type)/);
    if (time === 2) await ways[way](tokens.admin, document);
  }
});

test.each<[string, keyof typeof tokens, keyof typeof ways, () => Parameters<Ask>[1], string]>([
  [
    'a trusted document with a field of staff, by a tenant',
    'tenant',
    'POST',
    () => ({ documentId: `sha256:${trusted.get('RefundOperation')}`, variables: {} }),
    unknown,
  ],
  [
    'the same over WebSocket',
    'tenant',
    'WebSocket',
    () => ({ documentId: `sha256:${trusted.get('RefundOperation')}`, variables: {} }),
    unknown,
  ],
  [
    'a stream of a field of the pages',
    'admin',
    'stream',
    () => ({ query: 'subscription { checkoutPage { state } }' }),
    'GRAPHQL_VALIDATION_FAILED',
  ],
  ['what staff lack the right for', 'viewer', 'POST', () => ({ query: refund }), 'forbidden'],
])('%s is refused', async (_what, who, way, document, code) => {
  const { data, errors } = await ways[way](tokens[who], document());
  expect([data ?? null, errors?.[0]?.extensions?.code]).toEqual([null, code]);
});

test('what stands in a contract is answered under it', async () => {
  for (const [who, query] of [
    ['admin', '{ viewer { kind } accounts(first: 1) { edges { cursor } } }'],
    ['tenant', '{ viewer { kind } merchants(first: 1) { edges { node { merchantId } } } }'],
  ] as const)
    for (const way of ['POST', 'GET', 'WebSocket'] as const) {
      const { data, errors } = await ways[way](tokens[who], { query });
      expect([errors, data]).toEqual([undefined, expect.objectContaining({ viewer: { kind: 'CLIENT' } })]);
    }
});

test.each([
  ['admin', 'staff'],
  ['viewer', 'staff'],
  ['tenant', 'tenant'],
] as const)('%s reads the schema of the contract of %s', async (who, contract) => {
  const text = await (await fetch(`${world.urls.graph}/schema.graphql`, { headers: headersOf(tokens[who]) })).text();
  const printed = readFileSync(join(__dirname, `../../schema/contracts/${contract}.graphql`), 'utf8');
  expect(printed.endsWith(`${text}\n`) || printed.endsWith(text)).toBe(true);
});

test('an introspection tells what the caller may ask', async () => {
  const query = '{ __schema { queryType { fields { name } } types { name } } }';
  const { data } = await ways.POST(tokens.admin, { query });
  const { queryType, types } = (
    data as { __schema: { queryType: { fields: { name: string }[] }; types: { name: string }[] } }
  ).__schema;
  const names = [...queryType.fields, ...types].map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['viewer', 'accounts', 'ClientWithSecret']));
  expect(names.filter((name) => ['checkoutPage', 'testCards', 'CheckoutPage'].includes(name))).toEqual([]);
});

test('the sandbox goes on asking what is not shown', async () => {
  const { status, body } = await sandboxCall(world, 'GET', '/sandbox/cards');
  expect([status, body.length > 5]).toEqual([200, true]);
});

test.each<[keyof typeof ways, string, string]>([
  ['POST', 'mutation Probe { settleDay(date: "2026-01-01") { __typename } }', 'Probe'],
  ['WebSocket', 'mutation ProbeOfSocket { settleDay(date: "2026-01-01") { __typename } }', 'ProbeOfSocket'],
  ['stream', 'mutation ProbeOfStream { settleDay(date: "2026-01-01") { __typename } }', 'EventStream'],
])('a tenant that asks for what is staff’s is in the audit: %s', async (way, asked, subjectId) => {
  await ways[way](tokens.tenant, { query: asked });
  const query = `query ($filter: AuditFilter) { auditRecords(first: 20, filter: $filter) { edges { node { subjectId } } } }`;
  const variables = { filter: { actor: tenantId, action: 'right.refused' } };
  await eventually(async () => {
    const { data } = await graph(world, query, variables, tokens.admin);
    return data.auditRecords.edges.some(({ node }: { node: { subjectId: string } }) => node.subjectId === subjectId);
  });
});
