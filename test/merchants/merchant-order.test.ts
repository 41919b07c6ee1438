// The list of merchants in each of its orders, from either end and for each caller.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { profiled } from '../lists/profiled';
import { run } from '../tokenization/calls';
import { openWorld, type World } from '../tokenization/world';

let world: World;
afterAll(() => world?.close());

const ask = <Data>(source: string, caller: Caller, variables: object = {}) =>
  run<Data>(world, source, { caller, subgraph: 'merchants', variables });
const accountOf = (accountId: string): Caller => ({ ...world.staff, accountId });

/** In the order in which they are made; two have one name for the order of names. */
const names = ['Zebra', 'ærlig', 'Énergie', 'energie', 'Äpfel', 'apfel 2'];
const byName = ['ærlig', 'Äpfel', 'apfel 2', 'Énergie', 'energie', 'Zebra'];
beforeAll(async () => {
  world = await openWorld();
  const made = async (source: string, input: object) => {
    expect((await ask(source, world.staff, { input })).code).toBeNull();
  };
  await made('mutation ($input: CreateAccountInput!) { createAccount(input: $input) { accountId } }', {
    accountId: 'ordered',
    name: 'Ordered',
  });
  for (const [index, name] of names.entries()) {
    world.clock.advance(1_000);
    await made('mutation ($input: CreateMerchantInput!) { createMerchant(input: $input) { merchantId } }', {
      accountId: 'ordered',
      merchantId: `ordered-${9 - index}`,
      name,
    });
  }
});

type Listed = { merchants: { edges: { cursor: string; node: { name: string; createdAt: string } }[] } };
const page = async (asked: string, caller: Caller, filter = '{}') => {
  const source = `{ merchants(${asked}, filter: ${filter}) { edges { cursor node { name createdAt } } } }`;
  const { data, code } = await ask<Listed>(source, caller);
  return { code, edges: data?.merchants.edges ?? [] };
};
/** Page by page, from that end. */
const all = async (order: string, way: 'first' | 'last', caller: Caller, filter?: string) => {
  const found: string[] = [];
  const from = way === 'first' ? 'after' : 'before';
  for (let place = ''; ; ) {
    const { edges } = await page(`${way}: 2, orderBy: ${order}${place}`, caller, filter);
    const ordered = way === 'first' ? edges : edges.toReversed();
    found.push(...ordered.map(({ node }) => node.name));
    const last = ordered.at(-1);
    if (!last) return found;
    place = `, ${from}: "${last.cursor}"`;
  }
};

test.each<[string, string[]]>([
  ['ID', names.toReversed()],
  ['NEWEST', names.toReversed()],
])('%s, from either end', async (order, expected) => {
  const caller = accountOf('ordered');
  expect(await all(order, 'first', caller)).toEqual(expected);
  expect(await all(order, 'last', caller)).toEqual(expected.toReversed());
});

test('NAME, in whatever case and without accents, from either end', async () => {
  const caller = accountOf('ordered');
  const found = await all('NAME', 'first', caller);
  // What is one name for the order stands together, in either order.
  const ranked = (list: string[]) => list.map((name) => name.replace('É', 'e'));
  expect(ranked(found)).toEqual(ranked(byName));
  expect([...found].sort()).toEqual([...names].sort());
  expect(await all('NAME', 'last', caller)).toEqual(found.toReversed());
});

test.each(['ID', 'NAME', 'NEWEST'])('%s of other accounts, of named ones, and with a text', async (order) => {
  expect(await all(order, 'first', accountOf('order'))).toEqual([]);
  expect(await all(order, 'first', world.staff, '{ accountIds: ["order", "ordered-2"] }')).toEqual([]);
  expect(await all(order, 'first', world.staff, '{ accountIds: ["ordered"], text: "ENERGIE" }')).toEqual(['energie']);
});

test.each([
  ['ID', 'NAME'],
  ['NAME', 'ID'],
  ['NAME', 'NEWEST'],
  ['NEWEST', 'NAME'],
])('a cursor of %s is refused by %s', async (of, by) => {
  const { edges } = await page(`first: 1, orderBy: ${of}`, world.staff);
  const refused = await page(`first: 1, orderBy: ${by}, after: "${edges[0]?.cursor}"`, world.staff);
  expect(refused.code).toBe('invalidInput');
});

test.each(['ID', 'NAME', 'NEWEST'])('%s: the total of a few among many reads those few', async (order) => {
  const merchants = world.stores.connection.collection('merchants');
  const many = Array.from({ length: 300 }, (_, index) => ({
    environment: 'sandbox',
    accountId: `many-${order}`,
    merchantId: `many-${order}-${index}`,
    merchantNumber: 500_000_000 + Number(`${order.length}${index}`),
    name: `Many ${index}`,
    status: index < 3 ? 'INACTIVE' : 'ACTIVE',
    createdAt: new Date(index),
  }));
  await merchants.insertMany(many, { bypassDocumentValidation: true });
  const source = `{ merchants(orderBy: ${order}, filter: { status: INACTIVE }) { totalCount { value } } }`;
  const { result, reads } = await profiled(world.stores, () =>
    ask<{ merchants: { totalCount: { value: number } } }>(source, world.staff),
  );
  await merchants.deleteMany({ accountId: `many-${order}` });
  expect(result.data?.merchants.totalCount.value).toBe(3);
  const counted = reads.filter(({ command }) => command.aggregate === 'merchants');
  expect(counted.map(({ keysExamined = 0 }) => keysExamined < 10)).toEqual([true]);
});
