// One question to the database for all entities of a request: every reference resolver of every subgraph, asked for entities that are there, absent ones and the same again.
import {
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { type EntityWorld, openEntityWorld, staff } from './entity-world';
import { ownedEntities } from './owned-entities';

let world: EntityWorld;
let entities: Map<string, Entity>;
beforeAll(async () => {
  world = await openEntityWorld();
  const built = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  entities = new Map(
    built.flatMap(({ name, schema, typeDefs }) =>
      entitiesOf(schema, typeDefs).map((entity) => [`${name}.${entity.type.name}`, entity]),
    ),
  );
});
afterAll(() => world.close());

interface Entity {
  type: GraphQLObjectType;
  key: string;
}

/** The entities that a subgraph resolves, each with its key field; those that it says it does not (`resolvable: false`) are asked elsewhere. */
function entitiesOf(schema: GraphQLSchema, typeDefs: DocumentNode): Entity[] {
  const union = schema.getType('_Entity');
  const types = union && 'getTypes' in union ? union.getTypes().filter(isObjectType) : [];
  return types.flatMap((type) => {
    const definition = typeDefs.definitions.find(
      (node) => node.kind === 'ObjectTypeDefinition' && node.name.value === type.name,
    );
    const directives = definition && 'directives' in definition ? (definition.directives ?? []) : [];
    const given = directives.find(({ name }) => name.value === 'key')?.arguments ?? [];
    const [argument] = given.map(({ value }) => value);
    if (argument?.kind !== 'StringValue') throw new Error(`${type.name} has no key`);
    const isElsewhere = given.some(
      ({ name, value }) => name.value === 'resolvable' && 'value' in value && !value.value,
    );
    return isElsewhere ? [] : [{ type, key: argument.value }];
  });
}

/** Everything that can be asked without an argument, lists by their cursors. */
function everything({ type }: Entity): string {
  const fields = Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  return fields
    .map((field) => {
      const inner = getNamedType(field.type);
      if (isLeafType(inner)) return field.name;
      return `${field.name} { ${inner.name.endsWith('Connection') ? 'edges { cursor }' : '__typename'} }`;
    })
    .join(' ');
}

/** The key of each entity that came, null for each that did not, and what was read for them. */
async function resolved(subgraph: string, entity: Entity, { keys, fields }: { keys: string[]; fields: string }) {
  const { type, key } = entity;
  const representations = keys.map((id) => ({ __typename: type.name, [key]: id }));
  const source = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${type.name} { ${fields} } } }`;
  world.asked.length = 0;
  const found = await world.ask<{ _entities: (Record<string, unknown> | null)[] }>(subgraph, staff, source, {
    r: representations,
  });
  expect(found.errors ?? []).toEqual([]);
  return { keys: found.data?._entities.map((each) => each && String(each[key])), reads: [...world.asked] };
}

function entityNamed(name: string): Entity {
  const entity = entities.get(name);
  if (!entity) throw new Error(`there is no entity ${name}`);
  return entity;
}

/** Of what is another subgraph's, these carry only what they add to it: they come as they were asked for, and nothing is read. */
const stubs = [
  ...['access', 'tokenization', 'payments', 'notifications', 'onboarding', 'reporting'].map(
    (name) => `${name}.Merchant`,
  ),
  ...['Job', 'Operation', 'Payment', 'Payout', 'VirtualAccount', 'OnboardingApplication'].map(
    (name) => `notifications.${name}`,
  ),
  ...['Operation', 'Payment'].map((name) => `reporting.${name}`),
  'tokenization.Agreement',
];

test('the tables below name every entity that a subgraph resolves by reference', () => {
  const owned = ownedEntities.map(({ subgraph, type }) => `${subgraph}.${type}`);
  expect([...entities.keys()].toSorted()).toEqual([...owned, ...stubs].toSorted());
});

describe.each(ownedEntities)('$subgraph.$type', ({ subgraph, type, key }) => {
  let one: string;
  let other: string;
  beforeAll(async () => {
    const keys = await Promise.all([key(world, 'alpha'), key(world, 'beta')]);
    [one, other] = keys.map((each) => String(Object.values(each)[0])) as [string, string];
  });

  /** Two that are there and two that are not, all of them twice and out of order. */
  const mixed = () => {
    const [absent, gone] = [newId(), newId()];
    return { asked: [one, absent, other, one, gone, absent, other, gone], absent: [absent, gone] as string[] };
  };

  // What is being sent is claimed at the endpoint, which is one read more for all callbacks together.
  const readsPerRequest = type === 'Callback' ? 2 : 1;

  test('eight references, some absent, all of them twice: asked for at once, and null in the place of what is absent', async () => {
    const entity = entityNamed(`${subgraph}.${type}`);
    const { asked, absent } = mixed();
    const { keys, reads } = await resolved(subgraph, entity, { keys: asked, fields: entity.key });
    expect(keys).toEqual(asked.map((id) => (absent.includes(id) ? null : id)));
    expect(reads).toHaveLength(readsPerRequest);
  });

  test('with every field the same reads as for one that is there', async () => {
    const entity = entityNamed(`${subgraph}.${type}`);
    const fields = everything(entity);
    const alone = await resolved(subgraph, entity, { keys: [one], fields });
    const { asked } = mixed();
    const many = Array.from({ length: 17 }, () => newId());
    const together = await resolved(subgraph, entity, { keys: [...asked, ...many], fields });
    expect(together.reads.toSorted()).toEqual(alone.reads.toSorted());
  });
});

test.each(stubs)('%s: comes as it was asked for, and twenty-five cost as many reads as one', async (name) => {
  const entity = entityNamed(name);
  const subgraph = String(name.split('.')[0]);
  const ids = Array.from({ length: 24 }, () => newId());
  const asked = [...ids, String(ids[0])];
  const plain = await resolved(subgraph, entity, { keys: asked, fields: entity.key });
  expect(plain).toEqual({ keys: asked, reads: [] });
  const fields = everything(entity);
  const [one, many] = [
    await resolved(subgraph, entity, { keys: [newId()], fields }),
    await resolved(subgraph, entity, { keys: asked, fields }),
  ];
  expect(many.reads.toSorted()).toEqual(one.reads.toSorted());
});
