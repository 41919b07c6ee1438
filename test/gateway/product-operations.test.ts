// The product's own graph: every persisted operation, refused and served, and what people ask of it, by compiled plan and by the gateway's own executor.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getOperationAST, parse } from 'graphql';
import { CompactEncrypt, importJWK } from 'jose';
import { familyVariables } from '../../app/keyring';
import { openPlatform, type Platform } from '../../app/platform';
import { credentialsFile, type SandboxCredentials, seedSandbox } from '../../app/seed';
import { openGraph } from '../../gateway/graph';
import type { Graph } from '../../gateway/plan/execute';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { readConfig } from '../../subgraphs/shared/config';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { built } from '../support/built';
import { accountExpiry } from '../support/expiry';
import { contract } from '../support/graph-contract';
import { newStoreAddresses } from '../support/stores';
import { administrationSamples } from './administration-samples';
import { compared } from './comparison';
import { contextOf, fixtureConfig, staff } from './fixture';
import { jobSamples } from './job-samples';
import { onboardingSamples } from './onboarding-samples';
import { paymentSamples, type Rows } from './payment-samples';
import { reportingSamples } from './reporting-samples';

// JSON has strings where a plan has literals.
const key = Buffer.alloc(32, 3).toString('base64');
let platform: Platform;
let graph: Graph;
let credentials: SandboxCredentials;
let psp: Caller;
let virtualAccountId: string;

beforeAll(async () => {
  const { mongoUri, redisUrl } = await newStoreAddresses();
  const dataDir = await mkdtemp(join(tmpdir(), 'product-operations-'));
  const config = readConfig({
    MONGODB_URI: mongoUri,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    ...Object.fromEntries(familyVariables.map(({ current }) => [current, key])),
    CURSOR_KEY: key,
    SANDBOX_SEED: key,
    SANDBOX_KEY: key,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
  });
  platform = await openPlatform(config, { root: built('') });
  await platform.ensureIndexes();
  await seedSandbox(platform);
  credentials = JSON.parse(await readFile(join(dataDir, credentialsFile), 'utf8')) as SandboxCredentials;
  const subgraphs = await Promise.all(platform.subgraphs.map(buildSubgraph));
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: platform.log });
  psp = pspOf('alpha');
  const created = await graph.execute('CreateVirtualAccount', { input: await newAccount() }, contextOf(psp));
  virtualAccountId = (created.data as { createVirtualAccount: { virtualAccount: { virtualAccountId: string } } })
    .createVirtualAccount.virtualAccount.virtualAccountId;
});
afterAll(async () => {
  await graph?.close();
  await platform?.connection.dropDatabase();
  await platform?.close();
});

function tenant(name: string) {
  const found = credentials.tenants[name];
  if (!found) throw new Error(`no tenant ${name}`);
  return found.tokenization;
}

function pspOf(name: string): Caller {
  const { clientId, acquirerId, providerId, pspId } = tenant(name);
  return {
    kind: 'client',
    credentialId: clientId,
    environment: 'sandbox',
    accountId: name,
    scopes: ['mts:token', 'mts:transaction', 'mts:lifecycle'],
    identifiers: [{ acquirerId, providerId, pspId }],
  };
}

const identifiers = () => {
  const { acquirerId, providerId, pspId } = tenant('alpha');
  return { acquirerId, providerId, pspId };
};

async function newAccount(account = '4242424242424242') {
  const { data } = await graph.execute('GetDecryptionKeys', {}, contextOf());
  const [jwk] = (data as { decryptionKeys: { kid: string; kty: string; n: string; e: string }[] }).decryptionKeys;
  if (!jwk) throw new Error('no decryption key');
  const plaintext = Buffer.from(JSON.stringify({ account, accountExpiry, cvv: '123' }));
  const encryptedData = await new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid })
    .encrypt(await importJWK({ kty: jwk.kty, n: jwk.n, e: jwk.e }, 'RSA-OAEP-256'));
  return { identifiers: identifiers(), merchantId: tenant('alpha').merchantId, encryptedData };
}

async function both(source: string, variables: Record<string, unknown>, caller: Caller, name?: string) {
  const document = parse(source);
  const operation = getOperationAST(document, name);
  if (!operation) throw new Error('no operation');
  const oracle = await graph.oracle();
  const run = () =>
    name && name in contract.operations
      ? graph.execute(name, variables, contextOf(caller))
      : graph.executeDocument({ query: source }, variables, contextOf(caller));
  const answer = await oracle.execute({ source, document, operation, variables, context: contextOf(caller) });
  const { found: compiled, expected } = compared(await run(), answer);
  return { compiled, expected };
}

const absent = newId();
/** Variables of each persisted operation: what may be run twice with one answer, refusals included. */
const tokenizationSamples: Record<string, () => Promise<Rows>> = {
  GetDecryptionKeys: async () => [[staff, {}]],
  GetTestCards: async () => [[staff, {}]],
  GetVirtualAccount: async () => [
    [psp, { virtualAccountId }],
    [pspOf('beta'), { virtualAccountId }],
    [psp, { virtualAccountId: absent }],
    [psp, {}],
  ],
  CreateVirtualAccount: async () => [
    [psp, { input: { ...(await newAccount()), merchantId: 'somebody-else' } }],
    [pspOf('beta'), { input: await newAccount() }],
    [psp, { input: { ...(await newAccount()), encryptedData: 'a.b.c.d.e' } }],
    [psp, { input: await newAccount('6011111111111117') }],
    [psp, { input: {} }],
  ],
  CreateTransaction: async () => {
    const input = {
      identifiers: identifiers(),
      merchantId: tenant('alpha').merchantId,
      transactionId: 't1',
      amount: '000000001000',
      currencyCode: '978',
    };
    return [
      [psp, { input: { ...input, virtualAccountId: absent, transactionDateTime: '20200101000000' } }],
      [pspOf('beta'), { input: { ...input, virtualAccountId, transactionDateTime: '20200101000000' } }],
    ];
  },
  DeleteVirtualAccount: async () => [
    [
      psp,
      { input: { identifiers: identifiers(), virtualAccountId: absent, tokenState: 'DELETE', reasonCode: '1023' } },
    ],
    [psp, { input: { identifiers: identifiers(), virtualAccountId, tokenState: 'SUSPEND', reasonCode: '1023' } }],
  ],
  ApplyIssuerEvent: async () => [
    [psp, { virtualAccountId, event: 'SUSPEND' }],
    [staff, { virtualAccountId: absent, event: 'SUSPEND' }],
    [staff, { virtualAccountId, event: 'NOTHING' }],
  ],
  SetTraAddress: async () => [
    [psp, { accountId: 'alpha', address: 'http://127.0.0.1:9/' }],
    [staff, { accountId: 'alpha', address: 'http://10.0.0.1/' }],
  ],
};

async function paymentCallers() {
  const { alpha, beta } = credentials.tenants;
  if (!alpha || !beta) throw new Error('a tenant is missing');
  const { authenticateApiKey } = platform.access;
  return {
    shop: await authenticateApiKey(alpha.checkout.explicit.apiKey),
    foreign: await authenticateApiKey(beta.checkout.explicit.apiKey),
    client: {
      kind: 'client',
      credentialId: alpha.payments.clientId,
      environment: 'sandbox',
      accountId: 'alpha',
      scopes: ['payments:write', 'payments:read'],
      merchantId: alpha.merchantId,
      identifiers: [],
    } satisfies Caller,
    staff,
  };
}

describe('persisted operations', () => {
  let samples: Record<string, () => Promise<Rows>>;
  beforeAll(async () => {
    const run = (name: string, variables: Record<string, unknown>, caller: Caller) =>
      graph.execute(name, variables, contextOf(caller));
    const prepared = {
      ...(await paymentSamples(run, await paymentCallers())),
      ...(await onboardingSamples(run)),
      ...(await administrationSamples(run)),
      ...reportingSamples,
      ...jobSamples,
    };
    samples = {
      ...tokenizationSamples,
      ...Object.fromEntries(Object.entries(prepared).map(([name, rows]) => [name, async () => rows])),
    };
  });

  it('have samples, each of them', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(contract.operations).sort());
  });

  it.each(Object.entries(contract.operations))('%s', async (name, { document }) => {
    for (const [caller, variables] of (await samples[name]?.()) ?? []) {
      const { compiled, expected } = await both(document, variables, caller, name);
      expect({ variables, ...compiled }).toEqual({ variables, ...expected });
    }
  });
});

const questions = [
  'query Q($id: ID!) { virtualAccount(virtualAccountId: $id) { state merchant { name status invoicing account { name } } agreement { status schemes } timeline { edges { cursor node { sequence type virtualAccount { tokenMasked } } } } callbacks { edges { node { status attempts { result } } } } transactions { edges { node { amount } } } } }',
  '{ merchants(first: 2) { edges { node { merchantId agreements { agreementId pspId } virtualAccounts(first: 2) { edges { node { virtualAccountId merchant { name } } } pageInfo { hasNextPage endCursor } } callbacks { edges { node { callbackId } } } } } pageInfo { hasNextPage } } }',
  '{ clients(first: 50) { edges { node { clientId accountId family limits { name perSecond } } } } callbackEndpoints { edges { node { kind address health { state } } } } }',
  '{ merchants(first: 500) { edges { node { name } } } virtualAccounts { edges { node { state } } } }',
  '{ merchant(merchantId: "nobody") { name virtualAccounts { edges { node { state } } } } agreement(agreementId: "nothing") { status } }',
  '{ virtualAccounts(after: "nonsense") { edges { node { state } } } decryptionKeys { kid } }',
];

describe('what people ask', () => {
  const viewer: Caller = { ...staff, scopes: ['graph:read'] };
  it.each(questions)('%s', async (source) => {
    const variables = { id: virtualAccountId };
    for (const caller of [staff, viewer, { ...viewer, accountId: 'beta' }, psp]) {
      const { compiled, expected } = await both(source, variables, caller);
      expect(compiled).toEqual(expected);
      expect(compiled.errors.filter((error) => error.includes('"internal"'))).toEqual([]);
    }
  });

  it('answers whole lives across four subgraphs', async () => {
    const { data, errors } = await graph.executeDocument(
      { query: questions[0] ?? '' },
      { id: virtualAccountId },
      contextOf(),
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      virtualAccount: {
        state: 'ACTIVE',
        merchant: { status: 'ACTIVE', invoicing: 'ENABLED' },
        timeline: { edges: [{ node: { sequence: 1, type: 'virtualAccount.created' } }] },
      },
    });
  });
});

describe('a mutation that is tried', () => {
  const selection = '__typename ... on Merchant { name account { name } } ... on Refusal { code message field }';
  const change = (merchantId: string, name: string) =>
    `mutation { tryUpdateMerchant(merchantId: "${merchantId}", input: { name: "${name}" }) { ${selection} } }`;

  it.each([
    [
      'is done',
      staff,
      change('merchant-sampled', 'Tried'),
      { __typename: 'Merchant', name: 'Tried', account: { name: expect.any(String) } },
    ],
    [
      'says why not',
      staff,
      change('nobody', 'Tried'),
      { __typename: 'Refusal', code: 'notFound', field: null, message: expect.any(String) },
    ],
  ])('%s', async (_how, caller, source, expected) => {
    const { compiled, expected: byOracle } = await both(source, {}, caller);
    expect(compiled).toEqual(byOracle);
    expect(compiled).toEqual({ data: { tryUpdateMerchant: expected }, errors: [] });
  });
});

describe('a mutation with an Idempotency-Key', () => {
  const once = 'mutation($input: CreateMerchantInput!) { createMerchant(input: $input) { merchantId name } }';
  const input = { accountId: 'alpha', merchantId: 'idempotent-1', merchantNumber: 900_001, name: 'Once' };
  const run = (fingerprint: string, query = once, key = 'key-1') => {
    const context = requestContext(staff, newId(), { key, scope: 'graph', fingerprint });
    return graph.executeDocument({ query }, { input }, context).then((result) => ({ result, reply: context.reply }));
  };
  const codes = ({ result }: Awaited<ReturnType<typeof run>>) => result.errors?.map(({ extensions }) => extensions);

  it('has its effect once, says so, and refuses another request under the same key', async () => {
    const [first, again, other] = [await run('same'), await run('same'), await run('other')];
    expect(first.result).toEqual({ data: { createMerchant: { merchantId: 'idempotent-1', name: 'Once' } } });
    expect(again.result).toEqual(first.result);
    expect([first.reply.idempotentReplayed, again.reply.idempotentReplayed]).toEqual([undefined, true]);
    expect(codes(other)).toEqual([{ code: 'idempotencyMismatch' }]);
  });

  it.each(['createMerchant', 'tryCreateMerchant'])('is not done beside another %s under its key', async (other) => {
    const two = ['a', 'b'].map((m) => `(input: { accountId: "alpha", merchantId: "${m}", name: "x" }) { __typename }`);
    const query = `mutation { createMerchant${two[0]} ...More } fragment More on Mutation { other: ${other}${two[1]} }`;
    expect(codes(await run('two', query, other))).toEqual([{ code: 'invalidInput', field: 'Idempotency-Key' }]);
    const found = '{ a: merchant(merchantId: "a") { name } b: merchant(merchantId: "b") { name } }';
    expect((await graph.executeDocument({ query: found }, {}, contextOf())).data).toEqual({ a: null, b: null });
  });
});
