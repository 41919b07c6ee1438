// Keys of the administration interface by the one graph mutation: who they speak for, how they are shown and taken, two at a time, revoked everywhere within a second.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { admin, ask, openWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.closeAll());

const createKey = `mutation ($merchantId: ID!, $kind: ApiKeyKind!, $mode: ApiKeyMode! = LIVE, $terminalId: ID, $label: String! = "back office") {
  createApiKey(merchantId: $merchantId, kind: $kind, mode: $mode, terminalId: $terminalId, label: $label) {
    keyId apiKey consumerKey consumerSecret key { keyId kind mode terminalId merchantId label status } } }`;
const merchantKeys = `query ($merchantId: ID!) { _entities(representations: [{ __typename: "Merchant", merchantId: $merchantId }]) {
  ... on Merchant { apiKeys { keyId kind } } } }`;
type Kind = 'CONSUMER' | 'PARTNER' | 'MERCHANT';

interface Made {
  keyId: string;
  apiKey: string | null;
  consumerKey: string | null;
  consumerSecret: string | null;
  key: Record<string, unknown>;
}

/** A merchant of an account of its own. */
function newMerchant() {
  const [accountId, merchantId] = [`account-${newId()}`, `merchant-${newId()}`];
  world.merchants.set(merchantId, { accountId });
  return { accountId, merchantId };
}

async function make(variables: { merchantId: string; kind: Kind; mode?: string }): Promise<Made> {
  const { data, codes } = await ask(world.access, createKey, { variables });
  expect(codes).toEqual([]);
  return data.createApiKey;
}

function callerOf({ apiKey, consumerKey, consumerSecret }: Made, access = world.access): Promise<Caller> {
  return apiKey
    ? access.authenticateSecretKey(apiKey)
    : access.authenticateConsumer(consumerKey ?? '', consumerSecret ?? '');
}

test.each([
  ['CONSUMER', ['administration'], false],
  ['PARTNER', ['onboarding', 'reporting'], false],
  ['MERCHANT', ['reporting'], true],
] as const)('a %s key holds %j and is shown as it is sent', async (kind, scopes, isOfMerchant) => {
  const { accountId, merchantId } = newMerchant();
  const made = await make({ merchantId, kind });
  const { keyId } = made;
  expect(await callerOf(made)).toEqual({
    kind: 'apiKey',
    credentialId: keyId,
    environment: 'sandbox',
    accountId,
    scopes,
    identifiers: [],
    merchantId: isOfMerchant ? merchantId : undefined,
  });
  expect(made.key).toEqual({
    keyId,
    kind,
    mode: 'LIVE',
    terminalId: null,
    merchantId: isOfMerchant ? merchantId : null,
    label: 'back office',
    status: 'ACTIVE',
  });
  expect([made.apiKey === null, made.consumerKey, made.consumerSecret === null]).toEqual(
    kind === 'CONSUMER' ? [true, keyId, false] : [false, null, true],
  );
});

test('a key is taken only where its kind is sent', async () => {
  const { merchantId } = newMerchant();
  const [consumer, partner, merchant] = await Promise.all(
    (['CONSUMER', 'PARTNER', 'MERCHANT'] as const).map((kind) => make({ merchantId, kind })),
  );
  const halves = (made?: Made) => (made?.apiKey ?? '').split('.') as [string, string];
  const whole = `${consumer?.consumerKey}.${consumer?.consumerSecret}`;
  for (const attempt of [
    () => world.access.authenticateSecretKey(whole),
    () => world.access.authenticateApiKey(partner?.apiKey ?? ''),
    () => world.access.authenticateConsumer(...halves(partner)),
    () => world.access.authenticateConsumer(...halves(merchant)),
    () => world.access.authenticateConsumer(consumer?.consumerKey ?? '', 'x'.repeat(43)),
    () => world.access.authenticateSecretKey((merchant?.apiKey ?? '').replace('merchant_', 'partner_')),
    () => world.access.authenticateSecretKey(`Bearer ${partner?.apiKey}`),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'unauthenticated' });
  }
});

test('two keys of a holder and kind work at a time, counted apart for each kind and mode', async () => {
  const { merchantId } = newMerchant();
  const [first] = [await make({ merchantId, kind: 'PARTNER' }), await make({ merchantId, kind: 'PARTNER' })];
  const variables = { merchantId, kind: 'PARTNER' };
  expect((await ask(world.access, createKey, { variables })).codes).toEqual(['invalidData']);
  await make({ merchantId, kind: 'CONSUMER' });
  const test = await make({ merchantId, kind: 'PARTNER', mode: 'LIVE_TEST' });
  expect(test.keyId).toMatch(/^partner_sandbox_live-test_/);
  expect(await callerOf(test)).toMatchObject({ credentialId: test.keyId });
  await ask(world.access, 'mutation ($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', {
    variables: { id: first?.keyId },
  });
  await make({ merchantId, kind: 'PARTNER' });
});

test.each(['CONSUMER', 'PARTNER', 'MERCHANT'] as const)(
  'a revoked %s key says so to its holder in every process within a second, and to nobody else',
  async (kind) => {
    const { merchantId } = newMerchant();
    const made = await make({ merchantId, kind });
    const { access: elsewhere } = await world.instance();
    await callerOf(made, elsewhere);
    await ask(world.access, 'mutation ($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', {
      variables: { id: made.keyId },
    });
    await expect(callerOf(made)).rejects.toMatchObject({ code: 'keyRevoked' });
    const refused = (error: { code: string }) => error.code === 'keyRevoked';
    await eventually(() => callerOf(made, elsewhere).then(() => false, refused), { timeoutMs: 1_000 });
    const guessed: Made = {
      ...made,
      apiKey: made.apiKey && `${made.keyId}.${'x'.repeat(43)}`,
      consumerSecret: made.consumerSecret && 'x'.repeat(43),
    };
    await expect(callerOf(guessed)).rejects.toMatchObject({ code: 'unauthenticated' });
  },
);

test.each([
  ['a merchant that is not there', { merchantId: 'nobody' }, 'notFound'],
  ['a terminal in a key that has none', { terminalId: 'terminal-alpha' }, 'invalidData'],
  ['no terminal in a key of the checkout', { kind: 'CHECKOUT' }, 'invalidInput'],
  ['a test key for a terminal', { kind: 'CHECKOUT', mode: 'LIVE_TEST', terminalId: 'terminal-alpha' }, 'invalidData'],
])('no key for %s', async (_what, change, code) => {
  const variables = { merchantId: 'merchant-alpha', kind: 'PARTNER', ...change };
  expect((await ask(world.access, createKey, { variables })).codes).toEqual([code]);
});

test('a merchant shows its active keys and those of its terminals, not those of its account', async () => {
  const { merchantId } = newMerchant();
  await make({ merchantId, kind: 'PARTNER' });
  const { keyId } = await make({ merchantId, kind: 'MERCHANT' });
  const former = await make({ merchantId, kind: 'MERCHANT' });
  await ask(world.access, 'mutation ($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', {
    variables: { id: former.keyId },
  });
  const seen = async (caller: Caller) =>
    (await ask(world.access, merchantKeys, { caller, variables: { merchantId } })).data._entities[0].apiKeys;
  expect(await seen(admin)).toEqual([{ keyId, kind: 'MERCHANT' }]);
  expect(await seen({ ...admin, accountId: 'beta' })).toEqual([]);
});
