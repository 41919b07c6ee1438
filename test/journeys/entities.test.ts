// Entities by key, straight at each subgraph: what belongs to another account resolves to nothing, as if it were absent.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type EntityWorld, openEntityWorld, staff } from './entity-world';
import { ownedEntities } from './owned-entities';

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
});
afterAll(() => world.close());

const beta: Caller = { ...staff, accountId: 'beta', credentialId: 'beta-dashboard' };
const nobody: Caller = { ...beta, kind: 'anonymous', accountId: '', scopes: [] };

/** The entity as that caller gets it from a subgraph; a refusal counts as nothing. */
async function entity(subgraph: string, caller: Caller, representation: object, field: string): Promise<unknown> {
  const typename = (representation as { __typename: string }).__typename;
  const source = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${typename} { ${field} } } }`;
  const { data } = await world.ask<{ _entities: unknown[] }>(subgraph, caller, source, { r: [representation] });
  return data?._entities[0] ?? null;
}

test.each(ownedEntities)(
  '$type of $subgraph: staff get it, another tenant and nobody do not',
  async ({ subgraph, type, field, key }) => {
    const representation = { __typename: type, ...(await key(world, 'alpha')) };
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
