// Accounts: staff open them once each, audited; tenants see their own alone.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { idempotencyKey, run } from '../tokenization/calls';
import { openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Idempotency = ReturnType<typeof idempotencyKey>;
const ask = (source: string, variables: object = {}, caller: Caller = world.staff, idempotency?: Idempotency) =>
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
  run<any>(world, source, { caller, subgraph: 'merchants', variables, idempotency });
const mutation = 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { accountId name } }';
const open = (accountId: string, name = 'A shop', caller?: Caller, idempotency?: Idempotency) =>
  ask(mutation, { input: { accountId, name } }, caller, idempotency);
const codeOf = async (answer: ReturnType<typeof ask>) => (await answer).code;

test('is opened, audited, and can have a merchant at once', async () => {
  expect((await open('gamma', 'Gamma & Söhne')).data).toEqual({
    createAccount: { accountId: 'gamma', name: 'Gamma & Söhne' },
  });
  const audited = await world.stores.connection.collection('audit').find({ subjectId: 'gamma' }).toArray();
  expect(audited).toMatchObject([{ action: 'account.created', accountId: 'gamma' }]);
  const { data } = await ask(
    'mutation { createMerchant(input: { accountId: "gamma", merchantId: "gamma-1", name: "Gamma" }) { account { name } } }',
  );
  expect(data).toEqual({ createMerchant: { account: { name: 'Gamma & Söhne' } } });
});

test('is opened once, also of many at once; a repetition under one key gets the first answer', async () => {
  const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(open('delta'))));
  expect(codes.filter((code) => code === null)).toHaveLength(1);
  expect(codes.filter((code) => code === 'conflict')).toHaveLength(7);
  const key = idempotencyKey('open epsilon', 'epsilon');
  expect((await open('epsilon', 'One', world.staff, key)).data).toEqual(
    (await open('epsilon', 'One', world.staff, key)).data,
  );
});

test.each([
  ['an empty id', '', 'A shop'],
  ['upper case', 'Zeta', 'A shop'],
  ['blanks', 'ze ta', 'A shop'],
  ['a hyphen in front', '-zeta', 'A shop'],
  ['36 characters', 'z'.repeat(36), 'A shop'],
  ['no name', 'zeta', ' '],
  ['a long name', 'zeta', 'n'.repeat(101)],
  ['a control character in the name', 'zeta', 'a\u0007b'],
])('%s is refused', async (_, accountId, name) => {
  expect(await codeOf(open(accountId, name))).toBe('invalidInput');
});

test('35 characters and 100 are taken', async () => {
  expect(await codeOf(open('y'.repeat(35), 'n'.repeat(100)))).toBeNull();
});

test('staff list all, in pages; a tenant sees its own', async () => {
  await open('aaa-first');
  const list =
    'query ($first: Int, $after: String) { accounts(first: $first, after: $after) { edges { cursor node { accountId } } pageInfo { hasNextPage } } }';
  const first = await ask(list, { first: 2 });
  expect(first.data?.accounts).toMatchObject({
    edges: [{ node: { accountId: 'aaa-first' } }, { node: { accountId: 'alpha' } }],
    pageInfo: { hasNextPage: true },
  });
  const next = await ask(list, { first: 1, after: first.data?.accounts.edges[1]?.cursor });
  expect(next.data?.accounts.edges).toMatchObject([{ node: { accountId: 'beta' } }]);
  const tenant: Caller = { ...world.staff, accountId: 'beta' };
  const own = await ask(list, {}, tenant);
  expect(own.data?.accounts.edges.map(({ node }: { node: { accountId: string } }) => node.accountId)).toEqual(['beta']);
  const one = 'query ($id: ID!) { account(accountId: $id) { accountId } }';
  const seen = ['beta', 'alpha', 'nobody'].map(async (id) => (await ask(one, { id }, tenant)).data);
  expect(await Promise.all(seen)).toEqual([{ account: { accountId: 'beta' } }, { account: null }, { account: null }]);
});
