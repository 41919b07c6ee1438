// API keys of terminals through the graph and at the edge: shown once, for a terminal of the named merchant, and what caller they make.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { admin, ask, openWorld, viewer, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.closeAll());

const createKey = `mutation ($merchantId: ID!, $terminalId: ID!, $label: String!) {
  createApiKey(merchantId: $merchantId, terminalId: $terminalId, label: $label) { keyId apiKey key { keyId terminalId merchantId label status } } }`;
const revokeKey = 'mutation ($keyId: ID!) { revokeApiKey(keyId: $keyId) { keyId status revokedAt } }';
const listKeys = `query ($terminalId: ID, $first: Int, $after: String) { apiKeys(terminalId: $terminalId, first: $first, after: $after) {
  edges { cursor node { keyId status } } pageInfo { hasNextPage endCursor } } }`;
const accountAdmin = (accountId: string): Caller => ({ ...admin, credentialId: `graph-${accountId}`, accountId });

async function issued(options: object = {}) {
  const terminalId = `terminal-${newId()}`;
  world.terminals.set(terminalId, { accountId: 'alpha', merchantId: 'merchant-alpha' });
  const variables = { merchantId: 'merchant-alpha', terminalId, label: 'till' };
  const { data, codes } = await ask(world.access, createKey, { variables, ...options });
  expect(codes).toEqual([]);
  return { terminalId, ...(data.createApiKey as { keyId: string; apiKey: string }) };
}

test('a key makes the caller of its terminal, with the one scope checkout', async () => {
  const { apiKey, keyId, terminalId } = await issued();
  expect(await world.access.authenticateApiKey(apiKey)).toEqual({
    kind: 'apiKey',
    credentialId: keyId,
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: 'merchant-alpha',
    terminalId,
    scopes: ['checkout'],
    identifiers: [],
  });
  expect(JSON.stringify(await world.connection.collection('api_keys').find().toArray())).not.toContain(
    apiKey.split('.')[1],
  );
});

test('a repetition under the same Idempotency-Key shows the same key and makes no second one', async () => {
  const idempotencyKey = newId();
  const terminalId = `terminal-${newId()}`;
  world.terminals.set(terminalId, { accountId: 'alpha', merchantId: 'merchant-alpha' });
  const options = { variables: { merchantId: 'merchant-alpha', terminalId, label: 'till' }, idempotencyKey };
  const first = await ask(world.access, createKey, options);
  const second = await ask(world.access, createKey, options);
  expect(second).toEqual({ ...first, replayed: true });
  expect(await world.connection.collection('api_keys').countDocuments({ holderId: terminalId })).toBe(1);
});

test.each([
  ['a terminal that is not there', { terminalId: 'nobody' }, admin, 'notFound'],
  ["another merchant's terminal", { merchantId: 'merchant-beta' }, admin, 'notFound'],
  ['an account, whatever it was granted', {}, accountAdmin('beta'), 'forbidden'],
  ['an empty label', { label: ' ' }, admin, 'invalidInput'],
  ['a viewer', {}, viewer, 'forbidden'],
])('no key for %s', async (_what, change, caller, code) => {
  const variables = { merchantId: 'merchant-alpha', terminalId: 'terminal-alpha', label: 'till', ...change };
  expect((await ask(world.access, createKey, { variables, caller })).codes).toEqual([code]);
});

test('a third active key is refused until one is revoked, and a revoked one ends everywhere within a second', async () => {
  const { terminalId, keyId, apiKey } = await issued();
  const variables = { merchantId: 'merchant-alpha', terminalId, label: 'next' };
  expect((await ask(world.access, createKey, { variables })).codes).toEqual([]);
  expect((await ask(world.access, createKey, { variables })).codes).toEqual(['invalidData']);
  const { access: elsewhere } = await world.instance();
  await elsewhere.authenticateApiKey(apiKey);
  const revoked = await ask(world.access, revokeKey, { variables: { keyId } });
  expect(revoked.data.revokeApiKey).toEqual({ keyId, status: 'REVOKED', revokedAt: expect.any(String) });
  await eventually(
    () =>
      elsewhere.authenticateApiKey(apiKey).then(
        () => false,
        (error: { code: string }) => error.code === 'keyRevoked',
      ),
    { timeoutMs: 1_000 },
  );
  expect((await ask(world.access, revokeKey, { variables: { keyId } })).data.revokeApiKey.status).toBe('REVOKED');
  expect((await ask(world.access, createKey, { variables })).codes).toEqual([]);
});

test('keys are listed page by page, to whoever may see them', async () => {
  const { terminalId } = await issued();
  await ask(world.access, createKey, { variables: { merchantId: 'merchant-alpha', terminalId, label: 'second' } });
  const page = async (caller: Caller, after: string | null = null) =>
    (await ask(world.access, listKeys, { caller, variables: { terminalId, first: 1, after } })).data.apiKeys;
  const first = await page(viewer);
  expect(first).toMatchObject({ edges: [{ node: { status: 'ACTIVE' } }], pageInfo: { hasNextPage: true } });
  const second = await page(viewer, first.pageInfo.endCursor);
  expect(second.pageInfo.hasNextPage).toBe(false);
  expect(second.edges[0].node.keyId).not.toBe(first.edges[0].node.keyId);
  expect((await page(accountAdmin('beta'))).edges).toEqual([]);
  const foreign = { caller: accountAdmin('beta'), variables: { keyId: first.edges[0].node.keyId } };
  expect((await ask(world.access, revokeKey, foreign)).codes).toEqual(['forbidden']);
  expect((await ask(world.access, listKeys, { variables: { after: 'nonsense' } })).codes).toEqual(['invalidInput']);
});

test('a seeded key is the same after every start, one with new halves ends the former, and a revoked one stays revoked', async () => {
  const holderId = `terminal-${newId()}`;
  const holder = {
    kind: 'checkout',
    mode: 'live',
    accountId: 'alpha',
    merchantId: 'merchant-alpha',
    holderId,
  } as const;
  const seeded = { ...holder, label: 'sandbox', keyIdTail: 'a'.repeat(24), secret: 'x'.repeat(43) };
  await world.access.apiKeys.seed(seeded);
  await world.access.apiKeys.seed(seeded);
  const whole = `checkout_sandbox_test_${seeded.keyIdTail}.${seeded.secret}`;
  expect(await world.access.authenticateApiKey(whole)).toMatchObject({ terminalId: holderId });
  await world.access.apiKeys.seed({ ...seeded, keyIdTail: 'b'.repeat(24), secret: 'y'.repeat(43) });
  const keys = await world.connection.collection('api_keys').find({ holderId }).sort({ _id: 1 }).toArray();
  expect(keys.map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE']);
  await ask(world.access, revokeKey, { variables: { keyId: `checkout_sandbox_test_${'b'.repeat(24)}` } });
  await world.access.apiKeys.seed({ ...seeded, keyIdTail: 'b'.repeat(24), secret: 'y'.repeat(43) });
  expect(await world.connection.collection('api_keys').countDocuments({ holderId, status: 'ACTIVE' })).toBe(0);
});

describe('clients of the payment service', () => {
  const create = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { clientId merchantId scopes } } }`;
  const input = { family: 'PAYMENTS', accountId: 'alpha', label: 'A shop', merchantId: 'merchant-alpha' };

  test('act for one merchant of their account', async () => {
    const { data } = await ask(world.access, create, { variables: { input } });
    const { client, clientSecret } = data.createClient;
    expect(client).toMatchObject({ merchantId: 'merchant-alpha', scopes: ['payments:write', 'payments:read'] });
    const issuedToken = await world.access.issueAccessToken(
      await world.access.authenticateClient(client.clientId, clientSecret),
      null,
    );
    expect(await world.access.authenticateBearer(issuedToken.accessToken)).toMatchObject({
      kind: 'client',
      accountId: 'alpha',
      merchantId: 'merchant-alpha',
      scopes: ['payments:write', 'payments:read'],
    });
  });

  test.each([
    ['without a merchant', { merchantId: null }, 'invalidData'],
    ['of a merchant that is not there', { merchantId: 'nobody' }, 'notFound'],
    ["of another account's merchant", { accountId: 'beta' }, 'notFound'],
    ['with identifiers', { identifiers: [{ acquirerId: 'a', providerId: 'b', pspId: 'c' }] }, 'invalidData'],
    ['of another family with a merchant', { family: 'GRAPH' }, 'invalidData'],
    ['with scopes of another family', { scopes: ['mts:token'] }, 'invalidData'],
  ])('are not made %s', async (_what, change, code) => {
    expect((await ask(world.access, create, { variables: { input: { ...input, ...change } } })).codes).toEqual([code]);
  });
});
