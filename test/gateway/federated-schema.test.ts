// What the build keeps of each subgraph's contract is what the library makes of it; of a contract that has changed since nothing is taken.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLSchema, graphql, lexicographicSortSchema, parse } from 'graphql';
import { domainNames } from '../../app/domain-names';
import { nodeOwners, nodesSdl } from '../../gateway/nodes';
import { federatedSchema, keptContract } from '../../subgraphs/shared/graph/federated-schema';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { productSubgraphs } from '../../tools/print';

const root = join(__dirname, '../..');
const keep = `import { federatedContracts } from './tools/federate.mjs'; import { writeFileSync } from 'node:fs';
for (const { name, text } of federatedContracts('.')) writeFileSync(process.argv[1] + '/' + name, text);`;
const nowhere = join(tmpdir(), 'nothing-is-kept-here');
let folder: string;
let subgraphs: Subgraph[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'federated-'));
  execFileSync(process.execPath, ['--input-type=module', '-e', keep, folder], { cwd: root });
  const product = await productSubgraphs();
  subgraphs = product.subgraphs;
  await product.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed = (schema: GraphQLSchema) => printSchemaWithDirectives(lexicographicSortSchema(schema));
const ownContract = async (schema: GraphQLSchema) => {
  const { data } = await graphql({ schema, source: '{ _service { sdl } }' });
  return JSON.stringify(data?.['_service']);
};
/** As it is printed under schema/: with the tags that it is given when the graph is composed. */
const taggedContract = (name: string) => parse(readFileSync(join(root, 'schema', `${name}.graphql`), 'utf8'));

it.each([...domainNames, 'nodes'])('of %s: the same schema, without making it', async (name) => {
  const served = subgraphs.find((subgraph) => subgraph.name === name);
  const typeDefs = served?.typeDefs ?? parse(nodesSdl(nodeOwners(subgraphs)));
  expect(keptContract({ name, typeDefs }, folder)).not.toBeNull();
  // Processes load the classes in orders of their own.
  const turned = { ...typeDefs, definitions: typeDefs.definitions.toReversed() };
  expect(keptContract({ name, typeDefs: turned }, folder)).not.toBeNull();
  const kept = federatedSchema({ name, typeDefs, resolvers: {} }, folder);
  const made = federatedSchema({ name, typeDefs: taggedContract(name), resolvers: {} }, nowhere);
  expect(printed(kept) === printed(made)).toBe(true);
  expect(await ownContract(kept)).toBe(await ownContract(made));
  // What it was made of would stay for the life of the process.
  for (const schema of [kept, made])
    expect(Object.values(schema.getTypeMap()).some(({ astNode }) => astNode)).toBe(false);
});

describe('served', () => {
  const resolvers = {
    Query: { role: () => 'VIEWER' },
    Client: {
      __resolveReference: ({ clientId }: { clientId: string }) => ({ clientId, name: `the name of ${clientId}` }),
    },
  };
  const ask = (from: string, source: string) => {
    const schema = federatedSchema({ name: 'access', typeDefs: taggedContract('access'), resolvers }, from);
    return graphql({ schema, source });
  };
  it.each([
    [
      'an entity',
      '{ _entities(representations: [{ __typename: "Client", clientId: "c" }]) { __typename ... on Client { name } } }',
    ],
    [
      'a type that it has not',
      '{ _entities(representations: [{ __typename: "Nobody", clientId: "c" }]) { __typename } }',
    ],
    ['its contract', '{ _service { sdl } }'],
  ])('%s as the library serves it', async (_what, source) => {
    const [kept, made] = [await ask(folder, source), await ask(nowhere, source)];
    expect(JSON.parse(JSON.stringify(kept))).toEqual(JSON.parse(JSON.stringify(made)));
    expect(kept.data ?? kept.errors).toBeTruthy();
  });
});

it.each([
  ['with a type more', 'type RateLimit {', 'type Added {\n  a: Int\n}\n\ntype RateLimit {'],
  ['with another type of a field', 'perSecond: Float!', 'perSecond: Float'],
  ['under another rule', '@allow(any: ["public"])', '@allow(any: ["nobody"])'],
])('nothing is kept for a contract %s', (_how, from, to) => {
  const { name, sdl } = subgraphs.find((subgraph) => subgraph.name === 'access') as Subgraph;
  expect(sdl.includes(from)).toBe(true);
  expect(keptContract({ name, typeDefs: parse(sdl.replace(from, to)) }, folder)).toBeNull();
  expect(keptContract({ name, typeDefs: parse(sdl) }, folder)).not.toBeNull();
});
