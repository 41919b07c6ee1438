// The search of the graph: each kind of thing by what somebody has in hand of it, for whom it is there, and never for anybody else.
import { type Graph, openGraph } from '../../gateway/graph';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { contract } from '../support/graph-contract';
import { type EntityWorld, openEntityWorld, staff, type Tenant } from './entity-world';
import { ownedEntities } from './owned-entities';

let world: EntityWorld;
let graph: Graph;
beforeAll(async () => {
  world = await openEntityWorld();
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: silentLog });
});
afterAll(async () => {
  await graph?.close();
  await world?.close();
});

const callerOf = (accountId: Tenant, scopes: Scope[] = ['graph:read']): Caller => ({ ...staff, accountId, scopes });

const query = `query ($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    matchedBy
    found {
      __typename
      ... on Payment { key: paymentId state }
      ... on Operation { key: operationId operationType }
      ... on Merchant { key: merchantId name }
      ... on VirtualAccount { key: virtualAccountId virtualAccountState: state }
      ... on OnboardingApplication { key: id status }
      ... on Callback { key: callbackId eventId }
    }
  }
}`;

interface Found {
  matchedBy: string;
  found: { __typename: string; key: string } & Record<string, unknown>;
}

async function search(caller: Caller, text: string, first = 20): Promise<Found[]> {
  const { data, errors } = await graph.executeDocument({ query }, { text, first }, requestContext(caller, newId()));
  if (errors) throw errors[0];
  return JSON.parse(JSON.stringify(data)).search;
}

const searchable = ['Payment', 'Operation', 'Merchant', 'VirtualAccount', 'OnboardingApplication', 'Callback'];

describe.each(searchable)('%s', (type) => {
  let text: string;
  beforeAll(async () => {
    const entity = ownedEntities.find((each) => each.type === type);
    text = String(Object.values((await entity?.key(world, 'alpha')) ?? {})[0]);
  });
  const ids = (hits: Found[]) =>
    hits
      .filter(({ matchedBy, found }) => matchedBy === 'ID' && found.__typename === type)
      .map(({ found }) => found.key);

  it('is found by its id, by staff and by its own account', async () => {
    for (const caller of [staff, callerOf('alpha')]) expect(ids(await search(caller, ` ${text} `))).toEqual([text]);
  });

  it('is not found by another account, nor without the right', async () => {
    expect(ids(await search(callerOf('beta'), text))).toEqual([]);
    const other: Scope = type === 'Merchant' ? 'graph:payments:read' : 'graph:merchants:read';
    expect(ids(await search({ ...staff, scopes: [other] }, text))).toEqual([]);
  });
});

describe('a merchant', () => {
  it.each([
    ['its number', '2', 'NUMBER', ['merchant-beta']],
    ['the beginning of its name', 'AL', 'NAME', ['merchant-alpha']],
    ['a name whole', 'beta', 'NAME', ['merchant-beta']],
  ])('by %s', async (_what, text, by, expected) => {
    const hits = await search(staff, text);
    const found = hits.filter(({ found, matchedBy }) => found.__typename === 'Merchant' && matchedBy === by);
    expect(found.map(({ found: { key } }) => key)).toEqual(expected);
  });

  it('is found by an account only when it is its own, whatever the case of the account', async () => {
    expect(await search(callerOf('beta'), 'alpha')).toEqual([]);
    expect(await search({ ...staff, accountId: 'ALPHA', scopes: ['graph:read'] }, 'alpha')).toEqual([]);
  });
});

it.each(['', '  ', 'x'.repeat(101)])('refuses %j', async (text) => {
  await expect(search(staff, text)).rejects.toMatchObject({ extensions: { code: 'invalidInput', field: 'text' } });
});

it('is bounded', async () => {
  await expect(search(staff, 'alpha', 101)).rejects.toMatchObject({
    extensions: { code: 'invalidInput', field: 'first' },
  });
  expect(await search(staff, 'nothing is called this')).toEqual([]);
});
