// One question to the database for all entities of a request: every entity of every subgraph, asked for once and for twenty-five at a time.
import {
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  graphql,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import mongoose from 'mongoose';
import { createDomains } from '../../deploy/domains';
import { systemCaller } from '../../subgraphs/shared/caller';
import { manualClock } from '../../subgraphs/shared/clock';
import { createCommitter } from '../../subgraphs/shared/committer';
import { readConfig } from '../../subgraphs/shared/config';
import { requestContext } from '../../subgraphs/shared/context';
import { createIdempotent } from '../../subgraphs/shared/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { buildSubgraph } from '../../subgraphs/shared/subgraph';
import { createVault } from '../../subgraphs/shared/vault';
import { openStores, type Stores } from '../support/stores';

const secret = Buffer.alloc(32, 7).toString('base64');
const staff = {
  ...systemCaller('sandbox', 'staff'),
  kind: 'client' as const,
  scopes: ['graph:read', 'graph:admin'] as const,
};
const reads = new Set(['find', 'aggregate', 'count', 'distinct']);

let stores: Stores;
let watched: mongoose.Connection;
let domains: Awaited<ReturnType<typeof createDomains>>;
let asked: string[] = [];

beforeAll(async () => {
  stores = await openStores();
  watched = await mongoose
    .createConnection(stores.mongoUri, { monitorCommands: true, bufferCommands: false })
    .asPromise();
  watched.getClient().on('commandStarted', ({ commandName }) => {
    if (reads.has(commandName)) asked.push(commandName);
  });
  const clock = manualClock(new Date('2026-11-21T12:00:00Z'));
  const vault = createVault(watched, { current: secret, previous: '' });
  domains = createDomains({
    connection: watched,
    inTransaction: createCommitter(watched).inTransaction,
    idempotent: createIdempotent({ connection: watched, clock, vault }),
    clock,
    vault,
    config: readConfig({ INTERNAL_SECRET: secret, VAULT_KEY: secret, CRYPTO_THREADS: '1' }),
    sriHash: 'sha384-test',
  });
  await domains.ensureIndexes();
});
afterAll(async () => {
  await domains.tokenization.close();
  await watched.close();
  await stores.close();
});

interface Entity {
  type: GraphQLObjectType;
  key: string;
}

/** The entities that a subgraph resolves, each with its key field. */
function entitiesOf(schema: GraphQLSchema, typeDefs: DocumentNode): Entity[] {
  const union = schema.getType('_Entity');
  const types = union && 'getTypes' in union ? union.getTypes().filter(isObjectType) : [];
  return types.map((type) => {
    const definition = typeDefs.definitions.find(
      (node) => node.kind === 'ObjectTypeDefinition' && node.name.value === type.name,
    );
    const directives = definition && 'directives' in definition ? (definition.directives ?? []) : [];
    const argument = directives.find(({ name }) => name.value === 'key')?.arguments?.[0]?.value;
    if (argument?.kind !== 'StringValue') throw new Error(`${type.name} has no key`);
    return { type, key: argument.value };
  });
}

/** Everything that can be asked without an argument, lists by their cursors. */
function selection({ type, key }: Entity): string {
  const fields = Object.values(type.getFields()).filter(
    (field) => field.name !== key && !field.args.some(isRequiredArgument),
  );
  const parts = fields
    .map((field) => {
      const inner = getNamedType(field.type);
      if (isLeafType(inner)) return field.name;
      return `${field.name} { ${inner.name.endsWith('Connection') ? 'edges { cursor }' : '__typename'} }`;
    })
    .join(' ');
  return parts || '__typename';
}

async function readsFor(schema: GraphQLSchema, entity: Entity, count: number): Promise<string[]> {
  const representations = Array.from({ length: count }, () => ({
    __typename: entity.type.name,
    [entity.key]: newId(),
  }));
  asked = [];
  const result = await graphql({
    schema,
    source: `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${entity.type.name} { ${selection(entity)} } } }`,
    variableValues: { r: representations },
    contextValue: requestContext(staff, newId()),
  });
  expect(result.errors ?? []).toEqual([]);
  expect(result.data?.['_entities']).toHaveLength(count);
  return asked;
}

test('twenty-five entities cost as many reads as one', async () => {
  const counted: string[] = [];
  for (const { name, schema, typeDefs } of await Promise.all(domains.subgraphs.map(buildSubgraph))) {
    for (const entity of entitiesOf(schema, typeDefs)) {
      const [one, many] = [await readsFor(schema, entity, 1), await readsFor(schema, entity, 25)];
      expect({ entity: `${name}.${entity.type.name}`, reads: many }).toEqual({
        entity: `${name}.${entity.type.name}`,
        reads: one,
      });
      counted.push(`${name}.${entity.type.name}: ${one.length}`);
    }
  }
  expect(counted.filter((line) => !line.endsWith(': 0')).length).toBeGreaterThanOrEqual(8);
});
