// `node(id)` over every entity of the graph, and Relay's page information: what a Relay client needs to ask again for what it has seen.
import { GraphQLObjectType, isInterfaceType } from 'graphql';
import { openGraph } from '../../gateway/graph';
import type { Graph } from '../../gateway/plan/execute';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { printGlobalId } from '../../subgraphs/shared/graph/global-id';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { contract } from '../support/graph-contract';
import { type EntityWorld, openEntityWorld, staff } from './entity-world';
import { ownedEntities } from './owned-entities';

// JSON has strings where a plan has literals.
let world: EntityWorld;
let graph: Graph;
beforeAll(async () => {
  world = await openEntityWorld();
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: silentLog });
});
afterAll(async () => {
  await graph.close();
  await world.close();
});

const alpha: Caller = { ...staff, accountId: 'alpha', credentialId: 'alpha-dashboard', scopes: ['graph:read'] };
const beta: Caller = { ...alpha, accountId: 'beta', credentialId: 'beta-dashboard' };
const nobody: Caller = { ...beta, kind: 'anonymous', accountId: '', scopes: [] };

const ask = async (query: string, variables: Record<string, unknown>, caller: Caller) =>
  // Out of the executor come objects without a prototype.
  JSON.parse(JSON.stringify(await graph.executeDocument({ query }, variables, requestContext(caller, newId()))));

const ownEntities = ownedEntities.filter(({ subgraph, type }) => contract.nodes[type]?.subgraph === subgraph);

test('every entity is a Node that the table of samples knows', () => {
  const node = graph.apiSchema.getType('Node');
  const nodes = isInterfaceType(node) ? graph.apiSchema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect([...new Set(ownEntities.map(({ type }) => type))].sort()).toEqual([...nodes].sort());
  expect(Object.keys(contract.nodes).sort()).toEqual([...nodes].sort());
  const entities = contract.supergraphSdl.matchAll(/^type (\w+)[^{]*@join__type\(graph: \w+, key:/gm);
  expect([...new Set([...entities].map(([, name]) => name))].sort()).toEqual([...nodes].sort());
});

test.each(ownEntities)('$type is found again by its id, by whom it belongs to and staff alone', async (entity) => {
  const { type, field } = entity;
  const key = await entity.key(world, 'alpha');
  const [[keyName = '', keyValue = ''] = []] = Object.entries(key);
  const owner = contract.nodes[type];
  const root = `query ($key: ID!) { seen: ${owner?.field}(${keyName}: $key) { id ${keyName} ${field} } }`;
  const { data } = await ask(root, { key: keyValue }, staff);
  expect(data.seen).toMatchObject(key);
  const { id } = data.seen;
  const query = `query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${keyName} ${field} } } }`;
  for (const caller of [staff, ...(await isSeenBy(alpha, root, keyValue))]) {
    expect(await ask(query, { id }, caller)).toEqual({ data: { node: { __typename: type, ...data.seen } } });
  }
  for (const caller of [beta, nobody]) {
    for (const selection of ['{ __typename }', '{ id }', `{ ... on ${type} { ${field} } }`])
      expect(await ask(`query ($id: ID!) { node(id: $id) ${selection} }`, { id }, caller)).toEqual({
        data: { node: null },
      });
  }
});

/** Some are for staff alone: then node must not show them either, and says so below. */
async function isSeenBy(caller: Caller, root: string, key: string): Promise<Caller[]> {
  const { data } = await ask(root, { key }, caller);
  return data?.seen ? [caller] : [];
}

test.each([
  ['nothing', ''],
  ['no id', 'no id at all'],
  ['an id of an unknown type', printGlobalId({ typeName: 'Secret', key: '1' })],
  ['an id of a type that is no entity', printGlobalId({ typeName: 'PageInfo', key: '1' })],
  ['an inherited name', printGlobalId({ typeName: 'constructor', key: '1' })],
  ['an absent merchant', printGlobalId({ typeName: 'Merchant', key: 'nobody' })],
  ['an id without a key', Buffer.from('Merchant:').toString('base64url')],
  ['an id written with padding', `${printGlobalId({ typeName: 'Merchant', key: 'merchant-alpha' })}==`],
  ['a global id where the plain one is the global one', printGlobalId({ typeName: 'OnboardingApplication', key: '1' })],
  ['an application that there is not', '999999999'],
  ['a very long one', 'x'.repeat(10_000)],
])('is null for %s', async (_name, id) => {
  expect(await ask('query ($id: ID!) { node(id: $id) { id } }', { id }, staff)).toEqual({ data: { node: null } });
});

test('pages say truly what stands before and after them', async () => {
  const query = `query ($after: String) { merchants(first: 1, after: $after) { edges { cursor } pageInfo { hasPreviousPage hasNextPage startCursor endCursor } } }`;
  const seen: unknown[] = [];
  let after: string | null = null;
  for (let page = 0; page < 2; page++) {
    const { data } = await ask(query, { after }, staff);
    const { edges, pageInfo } = data.merchants;
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0].cursor, edges[0].cursor]);
    seen.push([pageInfo.hasPreviousPage, pageInfo.hasNextPage]);
    after = pageInfo.endCursor;
  }
  expect(seen).toEqual([
    [false, true],
    [true, false],
  ]);
  const { data } = await ask(query, { after }, staff);
  const empty = { hasPreviousPage: true, hasNextPage: false, startCursor: null, endCursor: null };
  expect(data.merchants).toEqual({ edges: [], pageInfo: empty });
  const none = await ask(
    '{ payments(filter: { merchantId: "nobody" }) { pageInfo { hasPreviousPage startCursor } } }',
    {},
    staff,
  );
  expect(none.data.payments.pageInfo).toEqual({ hasPreviousPage: false, startCursor: null });
});

test('every list has Relay’s page information', () => {
  const connections = Object.values(graph.apiSchema.getTypeMap()).filter(({ name }) => name.endsWith('Connection'));
  expect(connections.length).toBeGreaterThan(10);
  for (const type of connections as GraphQLObjectType[])
    expect(`${type.name} ${type.getFields()['pageInfo']?.type}`).toBe(`${type.name} PageInfo!`);
});
