// Payouts by whether they are reconciled: as each tells it, page by page, to whom they belong, and refused in words where too few are.
import { graphql } from 'graphql';
import type { OpenActionsRepository } from '../../subgraphs/reporting/payouts/open-actions.repository';
import { noSums, type Payout } from '../../subgraphs/reporting/payouts/payout';
import type { PayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { payoutsOf } from '../../subgraphs/reporting/payouts/payout-query.service';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { schemaOf } from '../support/subgraph';
import { dayMs, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

const { one, two, other } = merchants;
const days = ['2026-03-01', '2026-03-02', '2026-03-03'];

let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld();
  for (const day of days) {
    await world.commit(...[one, two, other].map((merchant) => world.operation(merchant, { amount: 1_000n })));
    await world.feed();
    await world.settle(day);
    world.clock.advance(dayMs);
  }
  // One was sent with another amount than its sums say, of one a charge has changed since, of one a charge is gone.
  const { connection } = world.stores;
  const at = (merchantId: string, date: string) => ({ merchantId, date });
  await connection.collection('payouts').updateOne(at('m-one', '2026-03-02'), { $inc: { amountMinor: 1 } });
  await connection
    .collection('journal_entries')
    .updateOne({ merchantId: 'm-two', day: '2026-03-01', action: 'CHARGE' }, { $inc: { amountMinor: 1 } });
  await connection
    .collection('journal_entries')
    .deleteOne({ merchantId: 'm-other', day: '2026-03-03', action: 'CHARGE' });
});
afterAll(() => world?.close());

const staff = (): Caller => ({ ...world.staff, scopes: ['graph:read'] });
const wrong = ['2026-03-03 m-other', '2026-03-02 m-one', '2026-03-01 m-two'];
const right = days
  .flatMap((day) => ['m-one', 'm-two', 'm-other'].map((merchantId) => `${day} ${merchantId}`))
  .filter((text) => !wrong.includes(text));

interface Found {
  edges: { node: { date: string; reconciled: boolean; merchant: { merchantId: string } } }[];
  pageInfo: {
    hasNextPage: boolean;
    endCursor: string | null;
    hasPreviousPage: boolean;
    startCursor: string | null;
  };
}

const declared =
  '$merchantId: ID, $from: String, $reconciled: Boolean, $first: Int, $after: String, $last: Int, $before: String, ' +
  '$merchantIds: [ID!], $currencies: [String!], $minAmount: String, $maxAmount: String';
const passed = declared.replace(/\$(\w+): [^,]+/g, '$1: $$$1');

async function list(variables: object, caller = staff()): Promise<Found> {
  const source = `query (${declared}) {
    payouts(${passed}) {
      edges { node { date reconciled merchant { merchantId } } } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } }`;
  const schema = await schemaOf(world.reporting);
  const contextValue = requestContext(caller, newId());
  const { data, errors } = await graphql({ schema, source, variableValues: { ...variables }, contextValue });
  if (errors?.[0]) throw errors[0].originalError ?? errors[0];
  return data?.['payouts'] as Found;
}

const told = ({ edges }: Found) => edges.map(({ node }) => `${node.date} ${node.merchant.merchantId}`);

test.each([
  ['those that do not add up', { reconciled: false }, wrong],
  ['those that do', { reconciled: true }, right],
  ['all', {}, [...wrong, ...right]],
  ['all, said as null', { reconciled: null }, [...wrong, ...right]],
  ['of a merchant', { reconciled: false, merchantId: 'm-one' }, ['2026-03-02 m-one']],
  ['since a day', { reconciled: false, from: '2026-03-02' }, wrong.slice(0, 2)],
])('%s', async (_which, variables, expected) => {
  const found = await list(variables);
  expect(told(found).sort()).toEqual([...expected].sort());
  expect(found.edges.map(({ node }) => node.date)).toEqual(
    expected
      .map((text) => text.slice(0, 10))
      .sort()
      .reverse(),
  );
  for (const { node } of found.edges)
    expect(node.reconciled).toBe(!wrong.includes(`${node.date} ${node.merchant.merchantId}`));
});

test.each([true, false])('reconciled: %s is the same page by page', async (reconciled) => {
  const walked: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Found = await list({ reconciled, first: 2, after });
    walked.push(...told(page));
    after = page.pageInfo.endCursor;
    more = page.pageInfo.hasNextPage;
  }
  expect(walked).toEqual(told(await list({ reconciled })));
});

test.each([true, false])('reconciled: %s is the same from its end', async (reconciled) => {
  const walked: string[] = [];
  for (let before: string | null = null, more = true; more; ) {
    const page: Found = await list({ reconciled, last: 2, before });
    walked.unshift(...told(page));
    before = page.pageInfo.startCursor;
    more = page.pageInfo.hasPreviousPage;
  }
  expect(walked).toEqual(told(await list({ reconciled })));
});

test('by merchants, currencies and amounts', async () => {
  const all = [...wrong, ...right].sort();
  const found = async (variables: object) => told(await list(variables)).sort();
  expect(await found({ currencies: ['EUR', 'SEK'] })).toEqual(all);
  expect(await found({ currencies: ['JPY'] })).toEqual([]);
  expect(await found({ merchantIds: ['m-one', 'nobody'] })).toEqual(all.filter((text) => text.includes('m-one')));
  expect(await found({ merchantIds: ['m-one'], merchantId: 'm-two' })).toEqual([]);
  expect(await found({ minAmount: '-5', maxAmount: '9000000' })).toEqual(all);
  expect(await found({ minAmount: '9000000' })).toEqual([]);
});

test('the actions of a payout come from either end', async () => {
  const source = `query ($first: Int, $after: String, $last: Int, $before: String) {
    payouts(first: 1, merchantId: "m-one") { edges { node { actions(first: $first, after: $after, last: $last, before: $before) {
      edges { cursor } pageInfo { hasNextPage hasPreviousPage } } } } } }`;
  const schema = await schemaOf(world.reporting);
  const asked = async (variableValues: Record<string, unknown>) => {
    const contextValue = requestContext(staff(), newId());
    const { data, errors } = await graphql({ schema, source, variableValues, contextValue });
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    const { edges, pageInfo } = JSON.parse(JSON.stringify(data)).payouts.edges[0].node.actions;
    return [edges.map(({ cursor }: { cursor: string }) => cursor), pageInfo];
  };
  const [all] = await asked({ first: 100 });
  expect(await asked({ last: 1 })).toEqual([all.slice(-1), { hasNextPage: false, hasPreviousPage: all.length > 1 }]);
  expect(await asked({ last: 100, before: all.at(-1) })).toEqual([
    all.slice(0, -1),
    { hasNextPage: true, hasPreviousPage: false },
  ]);
  await expect(asked({ last: 1, before: 'x' })).rejects.toMatchObject({
    code: 'invalidInput',
    details: { field: 'before' },
  });
});

test.each([
  ['a currency that there is not', { currencies: ['eur'] }, 'invalidInput', 'currencies'],
  ['no currency at all', { currencies: [] }, 'invalidInput', 'currencies'],
  ['twenty-one merchants', { merchantIds: Array(21).fill('m') }, 'invalidInput', 'merchantIds'],
  ['an amount that is none', { minAmount: '1.5' }, 'amountInvalid', 'minAmount'],
  ['amounts the wrong way round', { minAmount: '2', maxAmount: '1' }, 'invalidInput', 'minAmount'],
])('refuses %s', async (_what, variables, code, field) => {
  await expect(list(variables)).rejects.toMatchObject({ code, details: { field } });
});

test('an account sees its own', async () => {
  expect(told(await list({ reconciled: false }, { ...staff(), accountId: other.accountId }))).toEqual([wrong[0]]);
});

test('where too few fit to be found in time, the list is refused in words', async () => {
  const payout = { ...noSums, amountMinor: 0n, runs: [], date: days[0], payoutId: newId() } as unknown as Payout;
  const payouts = {
    listAfter: async (_filter: unknown, { size }: { size: number }) => Array.from({ length: size }, () => payout),
  } as unknown as PayoutRepository;
  const openActions = { openDays: async () => [] } as unknown as OpenActionsRepository;
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 400));
  const context = requestContext(staff(), newId());
  await expect(payoutsOf({ payouts, openActions }, context, { reconciled: false })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('name a merchantId'),
  });
  clock.mockRestore();
});
