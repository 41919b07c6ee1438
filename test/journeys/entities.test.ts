// Entities by key, straight at each subgraph: what belongs to another account resolves to nothing, as if it were absent.
import { type ExecutionResult, graphql } from 'graphql';
import { createDomains } from '../../deploy/domains';
import { type Caller, systemCaller } from '../../subgraphs/shared/caller';
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
const nobody: Caller = { ...beta, kind: 'anonymous', accountId: '', scopes: [] };

/** The entity as that caller gets it from a subgraph; a refusal counts as nothing. */
async function entity(subgraph: string, caller: Caller, representation: object, field: string): Promise<unknown> {
  const definition = domains.subgraphs.find(({ name }) => name === subgraph);
  if (!definition) throw new Error(`there is no subgraph ${subgraph}`);
  const typename = (representation as { __typename: string }).__typename;
  const result = (await graphql({
    schema: await schemaOf({ subgraph: definition }),
    source: `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${typename} { ${field} } } }`,
    variableValues: { r: [representation] },
    contextValue: requestContext(caller, newId()),
  })) as ExecutionResult<{ _entities: unknown[] }>;
  return result.data?._entities[0] ?? null;
}

/** The key of alpha's agreement, as staff find it. */
async function agreementOfAlpha(): Promise<string> {
  const merchant = { __typename: 'Merchant', merchantId: 'merchant-alpha' };
  const found = (await entity('merchants', staff, merchant, 'agreements { agreementId }')) as {
    agreements: { agreementId: string }[];
  };
  return String(found.agreements[0]?.agreementId);
}

const owned = [
  { subgraph: 'merchants', type: 'Merchant', field: 'name', key: async () => ({ merchantId: 'merchant-alpha' }) },
  {
    subgraph: 'merchants',
    type: 'Agreement',
    field: 'status',
    key: async () => ({ agreementId: await agreementOfAlpha() }),
  },
  { subgraph: 'access', type: 'Client', field: 'label', key: async () => ({ clientId: 'client-alpha' }) },
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
