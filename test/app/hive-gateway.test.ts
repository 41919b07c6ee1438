// A gateway that is not ours in front of the spread-out shape: the same answers as ours, for whoever asks, and calls that it did not sign are refused.
// `npm test` brings Hive Gateway and names its folder in HIVE_GATEWAY.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newInternalKey, publicHalf } from '../../gateway/subgraphs/internal-keys';
import { built } from '../support/built';
import { payWithFields, shopOf } from '../support/checkout';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, startWorld, type World } from '../support/world';

const root = join(__dirname, '../..');
/** `npm test` has told the program of its spread-out shape about one. */
const keyOfRun = process.env['FOREIGN_GATEWAY_KEY'];
const key = keyOfRun ?? newInternalKey();
const folder = mkdtempSync(join(tmpdir(), 'hive-gateway-'));
let world: World;
let gateway: ChildProcess;
let url: string;
let supergraph: string;
let tokens: Record<'admin' | 'viewer' | 'tenant', string>;
let known: Record<string, string>;

beforeAll(async () => {
  const INTERNAL_PUBLIC_KEYS = JSON.stringify({ gateway: publicHalf(key) });
  world = keyOfRun ? await sharedWorld() : await startWorld({ topology: 'split', env: { INTERNAL_PUBLIC_KEYS } });
  supergraph = printed([]).stdout;
  writeFileSync(join(folder, 'supergraph.graphql'), supergraph);
  url = await startGateway();
  const { admin: adminClient, viewer: viewerClient } = world.credentials.graph;
  const admin = String(await accessTokenOf(world, adminClient));
  const viewer = String(await accessTokenOf(world, viewerClient));
  const { data } = await ask(world.urls.graph, admin, {
    query: `mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } clientSecret } }`,
    variables: { input: { family: 'GRAPH', accountId: 'beta', label: 'behind Hive', scopes: ['graph:read'] } },
  });
  const { client, clientSecret } = data['createClient'];
  tokens = { admin, viewer, tenant: String(await accessTokenOf(world, { clientId: client.clientId, clientSecret })) };
  for (const tenant of ['alpha', 'beta'] as const) await payWithFields(world, shopOf(world, tenant, 'explicit'));
  known = await knownIds();
});
afterAll(async () => {
  if (gateway) {
    const ended = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function printed(args: string[], env: Record<string, string> = { DATA_DIR: world.dataDir }) {
  return spawnSync(process.execPath, [built('supergraph.js'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 24,
  });
}

const addressOf = (subgraph: string) => `http://127.0.0.1:${world.process(`subgraph-${subgraph}`).port}/graphql`;

async function startGateway(): Promise<string> {
  const example = process.env['HIVE_GATEWAY'];
  if (!example) throw new Error('HIVE_GATEWAY names no folder: run this by npm test -- test/app/hive-gateway');
  const env = {
    PATH: process.env['PATH'] ?? '',
    SUPERGRAPH: join(folder, 'supergraph.graphql'),
    SUBGRAPH_ACCESS: addressOf('access'),
    INTERNAL_PRIVATE_KEY: key,
    PORT: '0',
  };
  gateway = spawn(process.execPath, [join(example, 'gateway.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [gateway.stdout, gateway.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  return eventually(() => {
    if (gateway.exitCode !== null) throw new Error(text);
    return /^http:\S+\/graphql$/m.exec(text)?.[0];
  });
}

interface Question {
  query: string;
  variables?: object;
}
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was asked for
  data: any;
  errors?: { message: string; path?: unknown; extensions?: { code?: string } }[];
}

async function ask(at: string, token: string | null, question: Question, headers: Record<string, string> = {}) {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body: JSON.stringify(question),
  });
  return (await response.json()) as Answer;
}

async function knownIds(): Promise<Record<string, string>> {
  const query = `{ payments(first: 1) { edges { node { paymentId merchant { merchantId }
    operations(first: 1) { edges { node { operationId } } } } } } }`;
  const { data } = await ask(world.urls.graph, tokens.admin, { query });
  const [{ node }] = data.payments.edges;
  const { merchantId } = node.merchant;
  return { paymentId: node.paymentId, merchantId, operationId: node.operations.edges[0].node.operationId };
}

const everyone = ['admin', 'viewer', 'tenant'] as const;
const edges = (fields: string) => `{ edges { node { ${fields} } } pageInfo { hasNextPage endCursor } }`;
const callbackFields = 'callbackId status endpoint { endpointId kind } merchant { name }';
const operation = 'query ($operationId: ID!) { operation(operationId: $operationId)';
const payment = 'query ($paymentId: ID!) { payment(paymentId: $paymentId)';

/** What is asked of both, by everyone. */
const questions: readonly [string, string][] = [
  ['the viewer', '{ viewer { id kind name rights roles } }'],
  [
    'merchants with their account',
    `{ merchants(first: 5) ${edges('id merchantId name status account { accountId name }')} }`,
  ],
  [
    'merchants with payments',
    `{ merchants(first: 5) ${edges(`name payments(first: 3) ${edges('paymentId state')}`)} }`,
  ],
  ['merchants with balances', `{ merchants(first: 5) ${edges('merchantId balances { currency }')} }`],
  [
    'merchants with terminals',
    `{ merchants(first: 5) ${edges('merchantId terminals { terminalId status methods }')} }`,
  ],
  ['accounts', `{ accounts(first: 5) ${edges('accountId name')} }`],
  ['payments', `{ payments(first: 5) ${edges('id paymentId state amount currency merchant { merchantId name }')} }`],
  ['payments counted', '{ payments(first: 1) { totalCount { value isExact } } }'],
  [
    'payments of states',
    `{ payments(first: 5, filter: { states: [Captured, Authorized] }) ${edges('paymentId state')} }`,
  ],
  ['one payment', `${payment} { paymentId state money { authorized { minor currency formatted(locale: "da") } } } }`],
  ['the timeline of an operation', `${operation} { timeline(first: 20) ${edges('__typename')} } }`],
  ['its callbacks', `${operation} { callbacks(first: 20) ${edges(callbackFields)} } }`],
  ['its actions', `${payment} { actions { action allowed reason { code message } } } }`],
  [
    'its operations',
    `${payment} { operations(first: 5) ${edges('operationType operationResult merchant { name }')} } }`,
  ],
  ['operations', `{ operations(first: 5) ${edges('operationId operationType operationAmount payment { state }')} }`],
  [
    'one operation',
    'query ($operationId: ID!) { operation(operationId: $operationId) { orderId payment { paymentId } } }',
  ],
  ['a merchant', 'query ($merchantId: ID!) { merchant(merchantId: $merchantId) { name terminals { terminalId } } }'],
  ['callback endpoints', `{ callbackEndpoints(first: 5) ${edges('endpointId kind health { state }')} }`],
  ['clients', `{ clients(first: 5) ${edges('clientId label family scopes')} }`],
  ['keys', `{ apiKeys(first: 5) ${edges('keyId kind status')} }`],
  ['tokenized cards', `{ virtualAccounts(first: 5) ${edges('virtualAccountId state merchant { name }')} }`],
  ['payouts', `{ payouts(first: 5) ${edges('payoutId amount currency')} }`],
  ['onboarding', '{ onboardingCounts { __typename status } }'],
  ['a payment that there is not', '{ payment(paymentId: "00000000-0000-4000-8000-000000000000") { state } }'],
  [
    'with a directive',
    'query ($no: Boolean = false) { merchants(first: 1) { edges { node { name @include(if: $no) } } } }',
  ],
];

/** Errors in any order, without what only our own edge adds. */
function plain({ data, errors = [] }: Answer) {
  return { data, errors: errors.map(({ path, extensions }) => JSON.stringify([path, extensions?.code])).sort() };
}

const variablesOf = (query: string) =>
  Object.fromEntries(Object.entries(known).filter(([name]) => query.includes(`$${name}:`)));

test.each(questions)('answers as our own gateway does: %s', async (_name, query) => {
  const question = { query, variables: variablesOf(query) };
  for (const who of everyone) {
    const both = async () => [
      plain(await ask(world.urls.graph, tokens[who], question)),
      plain(await ask(url, tokens[who], question)),
    ];
    // Callbacks go on meanwhile.
    await eventually(
      async () => {
        const [ours, theirs] = await both();
        return JSON.stringify(ours) === JSON.stringify(theirs);
      },
      { timeoutMs: 10_000 },
    ).catch(() => undefined);
    const [ours, theirs] = await both();
    expect({ who, ...theirs }).toEqual({ who, ...ours });
    // Two refusals of a wrong question would be alike, too.
    if (who === 'admin') expect(theirs?.errors).toEqual([]);
  }
});

test('a mutation runs once under its idempotency key, by whichever gateway it comes', async () => {
  const input = { family: 'GRAPH', accountId: 'beta', label: 'once', scopes: ['graph:read'] };
  const query = 'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } } }';
  const headers = { 'idempotency-key': randomUUID() };
  const created = async (at: string) => {
    const { data } = await ask(at, tokens.admin, { query, variables: { input } }, headers);
    return data.createClient.client.clientId as string;
  };
  const first = await created(url);
  expect([await created(url), await created(world.urls.graph)]).toEqual([first, first]);
});

test.each([
  ['no token', null],
  ['a token that never was', 'at_sandbox_0123456789012345678901234567890123456789'],
])('%s is refused', async (_name, token) => {
  const { data, errors } = await ask(url, token, { query: '{ merchants(first: 1) { edges { node { name } } } }' });
  expect(data ?? null).toBeNull();
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['unauthenticated']);
});

test('what a caller may not ask is refused behind it, too', async () => {
  const query = 'mutation { setClientScopes(clientId: "x", scopes: []) { clientId } }';
  const { errors } = await ask(url, tokens.viewer, { query });
  expect(errors?.[0]?.extensions?.code).toBe('forbidden');
});

const body = JSON.stringify({ query: '{ merchants(first: 1) { edges { node { name } } } }' });
const everything = {
  kind: 'client',
  credentialId: 'x',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:admin'],
  identifiers: [],
};

function statement(signedBy: string, change: object = {}): string {
  const said = {
    iss: 'gateway',
    aud: 'merchants',
    method: 'POST',
    path: '/graphql',
    bodyHash: createHash('sha256').update(body).digest('base64url'),
    iat: Math.floor(Date.now() / 1_000),
    jti: randomUUID(),
    caller: everything,
    requestId: randomUUID(),
    ...change,
  };
  const privateKey = createPrivateKey({ key: Buffer.from(signedBy, 'base64'), format: 'der', type: 'pkcs8' });
  const text = [Buffer.from('{"alg":"EdDSA"}'), Buffer.from(JSON.stringify(said))].map((part) =>
    part.toString('base64url'),
  );
  return [...text, sign(null, Buffer.from(text.join('.')), privateKey).toString('base64url')].join('.');
}

test.each([
  ['what its gateway signs', 200, () => ({ 'x-caller': statement(key) })],
  ['nothing unsigned', 401, () => ({})],
  ["not a caller's own token", 401, () => ({ authorization: `Bearer ${tokens.admin}` })],
  ['nothing that another key signed', 401, () => ({ 'x-caller': statement(newInternalKey()) })],
  ['no sender whose key it is not', 401, () => ({ 'x-caller': statement(key, { iss: 'rest-facade' }) })],
  ['no call to another subgraph', 401, () => ({ 'x-caller': statement(key, { aud: 'payments' }) })],
  ['no worker', 401, () => ({ 'x-caller': statement(key, { caller: { ...everything, kind: 'system' } }) })],
])('a subgraph takes %s', async (_name, status, headersOf) => {
  const headers = { 'content-type': 'application/json', ...(headersOf() as Record<string, string>) };
  expect((await fetch(addressOf('merchants'), { method: 'POST', headers, body })).status).toBe(status);
});

test('the supergraph has what the contract has, and the addresses of the installation', () => {
  expect(supergraph).toContain(`@join__graph(name: "payments", url: "${addressOf('payments')}")`);
  expect(supergraph).not.toMatch(/^type Subscription/m);
  const tenant = printed(['--contract', 'tenant']).stdout;
  const isHidden = (sdl: string, field: string) => new RegExp(`^  ${field}\\b[^]*?@inaccessible`, 'm').test(sdl);
  expect(isHidden(tenant, 'setClientScopes')).toBe(true);
  const elsewhere = JSON.stringify({ access: 'http://access.example/graphql' });
  const refused = printed([], { DATA_DIR: folder, SUBGRAPH_URLS: elsewhere });
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Nobody says where merchants')]);
});
