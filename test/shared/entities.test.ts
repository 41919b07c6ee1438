// Entities by key, as other subgraphs ask for them: each in its place, a failure in the place of what failed, lists by one query.
import { buildSchema, type GraphQLResolveInfo } from 'graphql';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { entitiesOf } from '../../subgraphs/shared/graph/entities';
import { requestListLoader } from '../../subgraphs/shared/store/loaders';

const schema = buildSchema(
  'type Query { a: A } type A { id: ID } type B { id: ID } type C { id: ID } input D { id: ID }',
);
const info = { schema } as GraphQLResolveInfo;
const newContext = () => requestContext(systemCaller('sandbox', 'test'), 'request');

const entities = entitiesOf({
  A: ({ id }) => {
    if (id === 'throws') throw new Error('at once');
    if (id === 'rejects') return Promise.reject(new Error('later'));
    return id === 'absent' ? null : { id, from: 'A' };
  },
  B: {
    many: async (asked) => {
      if (asked.some(({ id }) => id === 'fails')) throw new Error('all of them');
      return asked.map(({ id }) => (id === 'absent' ? null : { id, from: 'B' }));
    },
  },
});
const ask = (...keys: string[]) => {
  const representations = keys.map((key) => ({ __typename: key.slice(0, 1), id: key.slice(2) }));
  return entities(undefined, { representations }, newContext(), info);
};
const shown = (found: readonly unknown[]) =>
  found.map((each) => {
    if (each === null) return null;
    if (each instanceof Error) return each.message;
    const { __typename, id, from } = each as Record<string, unknown>;
    return `${String(__typename)} ${String(id)} of ${String(from ?? 'itself')}`;
  });

test.each([
  ['types that are mixed', ['A 1', 'B 2', 'A 3'], ['A 1 of A', 'B 2 of B', 'A 3 of A']],
  ['what is absent', ['A absent', 'B absent', 'B 2'], [null, null, 'B 2 of B']],
  ['a type of which only the key is here', ['C 1', 'A 1'], ['C 1 of itself', 'A 1 of A']],
  ['one that fails at once or later', ['A throws', 'A rejects', 'A 1'], ['at once', 'later', 'A 1 of A']],
  ['a list that fails, beside another type', ['B fails', 'A 1', 'B 2'], ['all of them', 'A 1 of A', 'all of them']],
  ['nothing', [], []],
])('%s', async (_name, keys, expected) => {
  expect(shown(await ask(...keys))).toEqual(expected);
});

test.each(['D 1', 'X 1', '__proto__ 1'])('a type that is no entity is refused: %s', async (key) => {
  const [typeName] = key.split(' ');
  const asked = entities(undefined, { representations: [{ __typename: typeName, id: '1' }] }, newContext(), info);
  await expect(asked).rejects.toThrow('there is no entity');
});

test('lists of one request are looked up together, each id once; those of another are their own', async () => {
  const queries: (readonly string[])[] = [];
  const loaderOf = (context: ReturnType<typeof newContext>) =>
    requestListLoader<{ id: string }>(context, 'thing', {
      loadMany: async (ids) => {
        queries.push([...ids]);
        return ids.filter((id) => id !== 'absent').map((id) => ({ id }));
      },
      keyOf: ({ id }) => id,
    });
  const context = newContext();
  const [one, two] = await Promise.all([loaderOf(context)(['a', 'b', 'a']), loaderOf(context)(['b', 'absent', 'c'])]);
  expect([one, two]).toEqual([
    [{ id: 'a' }, { id: 'b' }, { id: 'a' }],
    [{ id: 'b' }, null, { id: 'c' }],
  ]);
  expect(await loaderOf(context)(['c', 'd'])).toEqual([{ id: 'c' }, { id: 'd' }]);
  expect(await loaderOf(newContext())(['a'])).toEqual([{ id: 'a' }]);
  expect(queries).toEqual([['a', 'b', 'absent', 'c'], ['d'], ['a']]);
});

test('a query holds five hundred ids; one that fails fails those who asked for it', async () => {
  const sizes: number[] = [];
  const load = requestListLoader<string>(newContext(), 'many', {
    loadMany: async (ids) => {
      sizes.push(ids.length);
      if (ids.includes('600')) throw new Error('away');
      return [...ids];
    },
    keyOf: (id) => id,
  });
  const first = load(Array.from({ length: 500 }, (_, index) => String(index)));
  const second = load(Array.from({ length: 200 }, (_, index) => String(500 + index)));
  expect(await first).toHaveLength(500);
  await expect(second).rejects.toThrow('away');
  expect(sizes).toEqual([500, 200]);
});
