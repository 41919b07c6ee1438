// Entities by key, straight at each subgraph: what belongs to another account resolves to nothing, as if it were absent.
import { type ExecutionResult, graphql } from 'graphql';
import { createDomains } from '../../deploy/domains';
import { type Caller, type Scope, systemCaller } from '../../subgraphs/shared/caller';
import { manualClock } from '../../subgraphs/shared/clock';
import { createCommitter } from '../../subgraphs/shared/committer';
import { readConfig } from '../../subgraphs/shared/config';
import { requestContext } from '../../subgraphs/shared/context';
import { createIdempotent } from '../../subgraphs/shared/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { createVault } from '../../subgraphs/shared/vault';
import { openStores, type Stores } from '../support/stores';
import { schemaOf } from '../support/subgraph';

type Domains = Awaited<ReturnType<typeof createDomains>>;

let stores: Stores;
let domains: Domains;
const key = Buffer.alloc(32, 7).toString('base64');

beforeAll(async () => {
  stores = await openStores();
  const { connection } = stores;
  const clock = manualClock(new Date('2026-11-21T12:00:00Z'));
  const vault = createVault(connection, { current: key, previous: '' });
  domains = createDomains({
    connection,
    inTransaction: createCommitter(connection).inTransaction,
    idempotent: createIdempotent({ connection, clock, vault }),
    clock,
    vault,
    config: readConfig({ INTERNAL_SECRET: key, VAULT_KEY: key, CRYPTO_THREADS: '1' }),
    sriHash: 'sha384-test',
  });
  await domains.ensureIndexes();
  for (const accountId of ['alpha', 'beta']) {
    const identifiers = { acquirerId: `a-${accountId}`, providerId: `p-${accountId}`, pspId: `s-${accountId}` };
    const merchantNumber = accountId === 'alpha' ? 1 : 2;
    await domains.merchants.seedTenant({
      accountId,
      name: accountId,
      merchantId: `merchant-${accountId}`,
      merchantNumber,
      identifiers,
    });
    await domains.access.seedClient({
      clientId: `client-${accountId}`,
      clientSecret: `secret-${accountId}`,
      family: 'tokenization',
      accountId,
      scopes: ['mts:token'],
      identifiers: [identifiers],
    });
  }
});
afterAll(async () => {
  await domains.tokenization.close();
  await stores.close();
});

const staff: Caller = { ...systemCaller('sandbox', 'staff'), kind: 'client', scopes: ['graph:read', 'graph:admin'] };
const beta: Caller = { ...staff, accountId: 'beta', credentialId: 'beta-dashboard' };
const alpha: Caller = { ...staff, accountId: 'alpha', merchantId: 'merchant-alpha', credentialId: 'client-alpha' };
const nobody: Caller = { ...beta, kind: 'anonymous', accountId: '', scopes: [] };

/** Asks one subgraph. */
async function ask<Data>(subgraph: string, caller: Caller, source: string, variableValues: Record<string, unknown>) {
  const definition = domains.subgraphs.find(({ name }) => name === subgraph);
  if (!definition) throw new Error(`there is no subgraph ${subgraph}`);
  const schema = await schemaOf({ subgraph: definition });
  const contextValue = requestContext(caller, newId());
  return (await graphql({ schema, source, variableValues, contextValue })) as ExecutionResult<Data>;
}

/** The entity as that caller gets it from a subgraph; a refusal counts as nothing. */
async function entity(subgraph: string, caller: Caller, representation: object, field: string): Promise<unknown> {
  const typename = (representation as { __typename: string }).__typename;
  const source = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${typename} { ${field} } } }`;
  const { data } = await ask<{ _entities: unknown[] }>(subgraph, caller, source, { r: [representation] });
  return data?._entities[0] ?? null;
}

/** What a mutation made for alpha. */
async function made<Made>(subgraph: string, scope: Scope, mutation: string, variables: object = {}): Promise<Made> {
  const caller: Caller = { ...alpha, kind: scope === 'onboarding' ? 'apiKey' : 'client', scopes: [scope] };
  const { data, errors } = await ask<{ made: Made }>(subgraph, caller, mutation, { ...variables });
  if (!data) throw new Error(JSON.stringify(errors));
  return data.made;
}

/** The key of alpha's agreement, as staff find it. */
async function agreementOfAlpha(): Promise<string> {
  const merchant = { __typename: 'Merchant', merchantId: 'merchant-alpha' };
  const found = (await entity('merchants', staff, merchant, 'agreements { agreementId }')) as {
    agreements: { agreementId: string }[];
  };
  return String(found.agreements[0]?.agreementId);
}

async function paymentOfAlpha(): Promise<string> {
  const source = `mutation ($input: CreatePaymentInput!) { made: createPayment(input: $input) { payment { paymentId } } }`;
  const input = { amount: '5000', currencyCode: 'EUR', processing: 'Authorize' };
  const { payment } = await made<{ payment: { paymentId: string } }>('payments', 'payments:write', source, { input });
  return payment.paymentId;
}

/** The first operation of a payment that was paid on its page. */
async function operationOfAlpha(): Promise<string> {
  const source = `mutation ($id: ID!, $card: CardInput!) { made: fillPaymentCard(paymentId: $id, card: $card) { state } }`;
  const paymentId = await paymentOfAlpha();
  const card = { number: '4242424242424242', expiry: '12/30', cvv: '123', holder: 'Ada Lovelace' };
  await made('payments', 'sandbox:control', source, { id: paymentId, card });
  return String((await stores.connection.collection('operations').findOne({ paymentId }))?._id);
}

async function applicationOfAlpha(): Promise<string> {
  const source = `mutation ($input: CreateOnboardingInput!) { made: createOnboarding(input: $input) { application { id } } }`;
  const application = { country: 'DNK', currency: 'DKK', company: { organizationNumber: '25313763' } };
  const input = { application, adminUser: { email: 'admin@shop.example' } };
  const { application: kept } = await made<{ application: { id: string } }>('onboarding', 'onboarding', source, {
    input,
  });
  return kept.id;
}

async function terminalOfAlpha(): Promise<string> {
  const terminalId = 'terminal-alpha';
  const source = `mutation ($input: CreateTerminalInput!) { made: createTerminal(input: $input) { terminalId } }`;
  const input = { terminalId, merchantId: 'merchant-alpha', label: 'x', origins: ['https://shop.example'] };
  await made('merchants', 'graph:admin', source, { input });
  return terminalId;
}

/** As it is kept, for what only workers or sealed calls make. */
async function keptOfAlpha(collection: string, document: object): Promise<string> {
  const _id = newId() as never;
  const owner = { environment: 'sandbox', accountId: 'alpha', merchantId: 'merchant-alpha' };
  await stores.connection.collection(collection).insertOne({ _id, ...owner, ...document });
  return _id;
}

const owned = [
  { subgraph: 'merchants', type: 'Merchant', field: 'name', key: async () => ({ merchantId: 'merchant-alpha' }) },
  {
    subgraph: 'merchants',
    type: 'Agreement',
    field: 'status',
    key: async () => ({ agreementId: await agreementOfAlpha() }),
  },
  {
    ...{ subgraph: 'merchants', type: 'Terminal', field: 'label' },
    key: async () => ({ terminalId: await terminalOfAlpha() }),
  },
  { subgraph: 'access', type: 'Client', field: 'label', key: async () => ({ clientId: 'client-alpha' }) },
  {
    ...{ subgraph: 'payments', type: 'Payment', field: 'state' },
    key: async () => ({ paymentId: await paymentOfAlpha() }),
  },
  {
    ...{ subgraph: 'payments', type: 'Operation', field: 'operationType' },
    key: async () => ({ operationId: await operationOfAlpha() }),
  },
  {
    ...{ subgraph: 'onboarding', type: 'OnboardingApplication', field: 'status' },
    key: async () => ({ id: await applicationOfAlpha() }),
  },
  {
    ...{ subgraph: 'reporting', type: 'Payout', field: 'currency' },
    key: async () => ({ payoutId: await keptOfAlpha('payouts', { currency: 'EUR', date: '2026-11-20' }) }),
  },
  {
    ...{ subgraph: 'tokenization', type: 'VirtualAccount', field: 'state' },
    key: async () => ({ virtualAccountId: await keptOfAlpha('virtual_accounts', { state: 'ACTIVE' }) }),
  },
  {
    ...{ subgraph: 'notifications', type: 'Callback', field: 'path' },
    key: async () => ({ callbackId: await keptOfAlpha('deliveries', { path: '/notify', eventId: newId() }) }),
  },
];

test.each(owned)(
  '$type of $subgraph: staff get it, another tenant and nobody do not',
  async ({ subgraph, type, field, key }) => {
    const representation = { __typename: type, ...(await key()) };
    expect(await entity(subgraph, staff, representation, field)).toMatchObject({ [field]: expect.any(String) });
    expect(await entity(subgraph, beta, representation, field)).toBeNull();
    expect(await entity(subgraph, nobody, representation, field)).toBeNull();
  },
);

test('what a subgraph hangs on a foreign merchant is empty', async () => {
  const merchant = { __typename: 'Merchant', merchantId: 'merchant-alpha' };
  for (const [subgraph, list] of [
    ['tokenization', 'virtualAccounts'],
    ['notifications', 'callbacks'],
  ] as const) {
    const found = (await entity(subgraph, beta, merchant, `${list}(first: 5) { edges { cursor } }`)) as Record<
      string,
      { edges: unknown[] }
    > | null;
    expect(found?.[list]?.edges ?? []).toEqual([]);
  }
});
