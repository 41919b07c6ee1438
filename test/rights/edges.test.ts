// A right that is granted by itself opens what it is for, and nothing that stands behind an edge of it: what another right opens is refused there, and null, beside what is answered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLField, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import { rulesOf } from '../../subgraphs/shared/callers/allow';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { rightsOf } from '../../subgraphs/shared/callers/rights';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { type EntityWorld, openEntityWorld, staff } from '../journeys/entity-world';
import { ownedEntities } from '../journeys/owned-entities';

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
});
afterAll(() => world?.close());

const narrow = (scope: Scope): Caller => ({ ...staff, scopes: [scope] });

async function keyOf(type: string): Promise<string> {
  const key = await ownedEntities.find((entity) => entity.type === type)?.key(world, 'alpha');
  return String(Object.values(key ?? {})[0]);
}

const edges: [type: string, key: string, edge: string, right: Scope][] = [
  ['OnboardingEvent', 'eventId', 'application { id }', 'graph:onboarding:read'],
  ['OperationEvent', 'eventId', 'operation { operationId }', 'graph:payments:read'],
  ['OperationEvent', 'eventId', 'payment { paymentId }', 'graph:payments:read'],
  ['TokenEvent', 'eventId', 'virtualAccount { virtualAccountId }', 'graph:tokens:read'],
  ['Callback', 'callbackId', 'virtualAccount { virtualAccountId }', 'graph:tokens:read'],
  ['Callback', 'callbackId', 'operation { operationId }', 'graph:payments:read'],
  ['Callback', 'callbackId', 'application { id }', 'graph:onboarding:read'],
];

test.each(edges)('%s by %s: %s takes %s besides', async (type, key, edge, right) => {
  const of = type === 'Callback' ? 'graph:callbacks:read' : 'graph:events:read';
  const source = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on ${type} { ${key} ${edge} } } }`;
  const representation = { __typename: type, [key]: await keyOf(type) };
  type Found = { _entities: Record<string, unknown>[] };
  const ask = (caller: Caller) => world.ask<Found>('notifications', caller, source, { of: [representation] });
  const refused = await ask(narrow(of));
  const name = edge.split(' ')[0] ?? '';
  expect(refused.errors?.map(({ path }) => path)).toEqual([['_entities', 0, name]]);
  expect(refused.data?._entities[0]).toEqual({ [key]: representation[key], [name]: null });
  const both = await ask({ ...staff, scopes: [of, right] });
  expect(both.errors).toBe(undefined);
});

describe('every edge of the graph', () => {
  /** What names and numbers stand in; whoever may read anything reads them there. */
  const names = new Set(['Account', 'Agreement', 'Merchant', 'Terminal']);
  /** What somebody is given of an act of his own. */
  const results =
    /^(CallbackEndpointWithSecret|ClientWithSecret|IssuedApiKey|LinkedOnboarding|OperationActionResult|PaymentOperationResult|Proposed|Settlement)$/;
  const excused: Readonly<Record<string, string>> = {
    'Callback.event': 'what the callback tells, whose body whoever reads callbacks has',
    'Callback.operationEvent': 'the same',
    'Callback.onboardingEvent': 'the same',
  };

  test('takes the right that opens what it leads to', async () => {
    const rules = new Map<string, readonly string[]>();
    for (const definition of world.domains.subgraphs) {
      const { typeDefs } = await buildSubgraph(definition);
      for (const [type, fields] of rulesOf(typeDefs))
        for (const [field, rule] of fields) rules.set(`${type}.${field}`, rule);
    }
    const schema = buildSchema(readFileSync(join(__dirname, '../../schema/contracts/staff.graphql'), 'utf8'));
    const opening = openingRights(Object.values(schema.getQueryType()?.getFields() ?? {}), rules);
    const [open, used]: [string[], Set<string>] = [[], new Set()];
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || /^(Query|Mutation|Subscription|__.*|.*Connection|.*Edge)$/.test(type.name)) continue;
      if (results.test(type.name)) continue;
      for (const field of Object.values(type.getFields())) {
        const led = ledTo(field.type);
        const rights = opening.get(led);
        if (!rights || names.has(led)) continue;
        const name = `${type.name}.${field.name}`;
        const own = rules.get(name) ?? [...(opening.get(type.name) ?? [])];
        if (own.length > 0 && own.every((right) => rights.has(right))) continue;
        if (excused[name]) used.add(name);
        else open.push(name);
      }
    }
    expect(open).toEqual([]);
    expect([...used]).toEqual(Object.keys(excused));
  });

  /** By type that the roots lead to: the rights of graph callers that open it there. */
  function openingRights(
    roots: readonly GraphQLField<unknown, unknown>[],
    rules: ReadonlyMap<string, readonly string[]>,
  ): Map<string, ReadonlySet<string>> {
    const ofStaff = new Set<string>(rightsOf({ ...staff, scopes: ['graph:administrator'] }));
    const opening = new Map<string, ReadonlySet<string>>();
    for (const { name, type } of roots) {
      const rights = (rules.get(`Query.${name}`) ?? []).filter((right) => ofStaff.has(right));
      const led = ledTo(type);
      if (rights.length > 0) opening.set(led, new Set([...(opening.get(led) ?? []), ...rights]));
    }
    return opening;
  }

  /** Through lists, connections and edges. */
  function ledTo(type: GraphQLOutputType): string {
    const named = getNamedType(type);
    const inner = isObjectType(named) && /(Connection|Edge)$/.exec(named.name)?.[1];
    if (!inner || !isObjectType(named)) return named.name;
    const field = named.getFields()[inner === 'Edge' ? 'node' : 'edges'];
    return field ? ledTo(field.type) : named.name;
  }
});

test('what a row of a job is about takes the right that opens it', async () => {
  const jobId = await keyOf('Job');
  const source =
    'query ($id: ID!) { job(jobId: $id) { rows { edges { node { key subject { ... on Callback { callbackId } } } } } } }';
  type Found = { job: { rows: { edges: { node: { key: string; subject: object | null } }[] } } };
  const seenBy = async (caller: Caller) => {
    const { data, errors } = await world.ask<Found>('access', caller, source, { id: jobId });
    expect(errors).toBe(undefined);
    return data?.job.rows.edges.map(({ node }) => node.subject);
  };
  expect(await seenBy(narrow('graph:jobs:read'))).toEqual([null]);
  expect(await seenBy({ ...staff, scopes: ['graph:jobs:read', 'graph:callbacks:read'] })).toEqual([
    { callbackId: 'x' },
  ]);
});
