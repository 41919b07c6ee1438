// A right that is granted by itself opens what it is for, and nothing that stands behind an edge of it: what another right opens is refused there, and null, beside what is answered.
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
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
