// Lists over all merchants: what moved their money, and what they are owed; by filter, in order, from either end, and to whom they belong (reporting interface).
import { graphql } from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { schemaOf } from '../support/subgraph';
import { dayMs, merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

const { one, two, other } = merchants;
let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld();
  const { commit, operation, ledger, clock } = world;
  await commit(operation(one, { amount: 1_000n }), operation(two, { amount: 2_000n, currency: 'DKK' }));
  clock.advance(dayMs);
  await commit(ledger(one, 'DEPOSIT', 50n), ledger(one, 'CHARGEBACK', 400n));
  clock.advance(dayMs);
  await commit(ledger(two, 'ADJUSTMENT', -30n), operation(other, { amount: 700n }));
  await world.feed();
  await world.settle('2026-03-02');
  await world.feed();
});
afterAll(() => world.close());

const staff = (): Caller => ({ ...world.staff, scopes: ['graph:read'] });
const own = (accountId: string, more: Partial<Caller> = {}): Caller => ({ ...staff(), accountId, ...more });

async function ask<Answer>(source: string, variableValues: Record<string, unknown>, caller: Caller): Promise<Answer> {
  const contextValue = requestContext(caller, newId());
  const { data, errors } = await graphql({
    schema: await schemaOf(world.reporting),
    source,
    variableValues,
    contextValue,
  });
  if (errors?.[0]) throw errors[0].originalError ?? errors[0];
  return (data as { found: Answer }).found;
}

const paging = '$first: Int, $after: String, $last: Int, $before: String';
const passed = 'first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy';
const pages = 'totalCount { value isExact } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

describe('ledger entries', () => {
  interface Entries {
    edges: { node: { action: string; amount: string; merchant: { merchantId: string } } & Record<string, unknown> }[];
    totalCount: { value: number; isExact: boolean };
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
  }
  const query = `query ($filter: LedgerEntryFilter, $orderBy: LedgerEntryOrder, ${paging}) {
    found: ledgerEntries(${passed}) { edges { node { entryId action actionId occurredAt day amount money { minor currency } fee { minor }
      merchant { merchantId } payment { paymentId } operation { operationId } payout { payoutId } } } ${pages} } }`;
  const list = (variables: Record<string, unknown>, caller: Caller) => ask<Entries>(query, variables, caller);
  const told = ({ edges }: Entries) =>
    edges.map(({ node }) => `${node.action} ${node.amount} ${node.merchant.merchantId}`);
  const all = ['CHARGE 700 m-other', 'ADJUSTMENT -30 m-two', 'CHARGEBACK 400 m-one', 'DEPOSIT 50 m-one'];

  test.each([
    [
      'what is no payout of all merchants',
      { actions: ['CHARGE', 'DEPOSIT', 'CHARGEBACK', 'ADJUSTMENT'], from: new Date(start.getTime() + dayMs) },
      all,
    ],
    ['deposits', { actions: ['DEPOSIT'] }, ['DEPOSIT 50 m-one']],
    [
      'chargebacks and adjustments',
      { actions: ['CHARGEBACK', 'ADJUSTMENT'] },
      ['ADJUSTMENT -30 m-two', 'CHARGEBACK 400 m-one'],
    ],
    ['of a merchant', { merchantIds: ['m-other', 'nobody'] }, ['CHARGE 700 m-other']],
    ['in a currency', { currencies: ['DKK'], actions: ['CHARGE'] }, ['CHARGE 2000 m-two']],
    [
      'of an amount',
      { minAmount: '400', maxAmount: '700', actions: ['CHARGE', 'CHARGEBACK'] },
      ['CHARGE 700 m-other', 'CHARGEBACK 400 m-one'],
    ],
    ['of a negative amount', { maxAmount: '-1' }, ['ADJUSTMENT -30 m-two']],
    ['of a day', { from: start, to: start, actions: ['CHARGE'], currencies: ['EUR'] }, ['CHARGE 1000 m-one']],
  ])('%s', async (_which, filter, expected) => {
    const found = await list({ filter }, staff());
    expect(told(found).sort()).toEqual([...expected].sort());
    expect(found.totalCount).toEqual({ value: expected.length, isExact: true });
  });

  test('the largest first, and the same from the end', async () => {
    const filter = { currencies: ['EUR'], actions: ['CHARGE', 'DEPOSIT', 'CHARGEBACK', 'ADJUSTMENT'] };
    const largest = { filter, orderBy: 'LARGEST' };
    const whole = told(await list(largest, staff()));
    expect(whole).toEqual([
      'CHARGE 1000 m-one',
      'CHARGE 700 m-other',
      'CHARGEBACK 400 m-one',
      'DEPOSIT 50 m-one',
      'ADJUSTMENT -30 m-two',
    ]);
    const first = await list({ ...largest, first: 2 }, staff());
    const then = await list({ ...largest, first: 3, after: first.pageInfo.endCursor }, staff());
    expect([...told(first), ...told(then)]).toEqual(whole);
    const last = await list({ ...largest, last: 2 }, staff());
    const before = await list({ ...largest, last: 3, before: last.pageInfo.startCursor }, staff());
    expect([...told(before), ...told(last)]).toEqual(whole);
  });

  test('with what each belongs to, and the payout that paid it or that it is', async () => {
    const { edges } = await list({ filter: { merchantIds: [one.merchantId] } }, staff());
    const nodes = new Map(edges.map(({ node }) => [node.action, node]));
    const payout = { payoutId: expect.any(String) };
    expect(nodes.get('CHARGE')).toMatchObject({
      day: '2026-03-01',
      money: { minor: '1000', currency: 'EUR' },
      fee: { minor: '0' },
      payment: { paymentId: expect.any(String) },
      operation: { operationId: nodes.get('CHARGE')?.['actionId'] },
      payout,
    });
    expect(nodes.get('DEPOSIT')).toMatchObject({ payment: null, operation: null, payout: null });
    expect(nodes.get('PAYOUT')).toMatchObject({
      operation: null,
      payout: { payoutId: nodes.get('PAYOUT')?.['actionId'] },
    });
    const [late] = (await list({ filter: { merchantIds: [other.merchantId] } }, staff())).edges;
    expect(late?.node).toMatchObject({ payout: null });
  });

  test.each([
    ['an account', {}, () => own('alpha'), ['ADJUSTMENT -30 m-two', 'DEPOSIT 50 m-one']],
    ['another account', {}, () => own('beta'), []],
    ['a merchant of the account', {}, () => own('alpha', { merchantId: 'm-two' }), ['ADJUSTMENT -30 m-two']],
    ['a merchant that asks for another', { merchantIds: ['m-one'] }, () => own('alpha', { merchantId: 'm-two' }), []],
    ['an account that asks for another', { merchantIds: ['m-one'] }, () => own('beta'), []],
  ])('%s sees its own only', async (_who, filter, caller, expected) => {
    const actions = ['DEPOSIT', 'ADJUSTMENT'];
    expect(told(await list({ filter: { actions, ...filter } }, caller()))).toEqual(expected);
  });

  test.each([
    ['times the wrong way round', { filter: { from: new Date(start.getTime() + 1), to: start } }, 'timesReversed'],
    ['an amount that is none', { filter: { minAmount: '1.5' } }, 'amountInvalid'],
    ['too many merchants', { filter: { merchantIds: Array.from({ length: 21 }, String) } }, 'invalidInput'],
    ['first and last', { first: 1, last: 1 }, 'invalidInput'],
    ['a page too large', { first: 101 }, 'invalidInput'],
    ['what is no cursor', { after: 'nothing' }, 'invalidInput'],
  ])('%s is refused', async (_what, variables, code) => {
    await expect(list(variables, staff())).rejects.toMatchObject({ code });
  });

  test('a cursor of another order is refused, and so is who lacks the right', async () => {
    const { pageInfo } = await list({ first: 1 }, staff());
    const turned = list({ after: pageInfo.endCursor, orderBy: 'LARGEST' }, staff());
    await expect(turned).rejects.toMatchObject({ code: 'invalidInput' });
    await expect(list({}, own('alpha', { scopes: ['mts:token'] }))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('balances of merchants', () => {
  interface Balances {
    edges: { node: { currency: string; money: { minor: string }; merchant: { merchantId: string } } }[];
    totals: { currency: string; count: number; money: { minor: string; currency: string } }[];
    totalCount: { value: number; isExact: boolean };
    pageInfo: { hasNextPage: boolean; startCursor: string; endCursor: string };
  }
  const query = `query ($filter: MerchantBalanceFilter, $orderBy: MerchantBalanceOrder, ${paging}) {
    found: merchantBalances(${passed}) { edges { node { currency money { minor } merchant { merchantId } } }
      totals { currency count money { minor currency } } ${pages} } }`;
  const list = (variables: Record<string, unknown>, caller: Caller) => ask<Balances>(query, variables, caller);
  const told = ({ edges }: Balances) =>
    edges.map(({ node }) => `${node.merchant.merchantId} ${node.money.minor} ${node.currency}`);
  // The first day is paid out; on the second more was taken back than came, which is owed like what came later.
  const all = ['m-one -350 EUR', 'm-other 700 EUR', 'm-two 0 DKK', 'm-two -30 EUR'];

  test.each([
    ['by merchant', {}, all],
    [
      'by currency and amount',
      { orderBy: 'AMOUNT' },
      ['m-two 0 DKK', 'm-other 700 EUR', 'm-two -30 EUR', 'm-one -350 EUR'],
    ],
    ['in a currency', { filter: { currencies: ['DKK'] } }, ['m-two 0 DKK']],
    [
      'of merchants',
      { filter: { merchantIds: ['m-other', 'm-two'], currencies: ['EUR'] } },
      ['m-other 700 EUR', 'm-two -30 EUR'],
    ],
    ['that are owed something', { filter: { minAmount: '1' } }, ['m-other 700 EUR']],
    ['that owe something', { filter: { maxAmount: '-1' } }, ['m-one -350 EUR', 'm-two -30 EUR']],
  ])('%s', async (_how, variables, expected) => {
    const found = await list(variables, staff());
    expect(told(found)).toEqual(expected);
    expect(found.totalCount).toEqual({ value: expected.length, isExact: true });
  });

  test.each(['MERCHANT', 'AMOUNT'])('page by page from either end, ordered by %s', async (orderBy) => {
    const whole = told(await list({ orderBy }, staff()));
    const first = await list({ orderBy, first: 2 }, staff());
    const then = await list({ orderBy, first: 2, after: first.pageInfo.endCursor }, staff());
    expect([...told(first), ...told(then)]).toEqual(whole);
    const last = await list({ orderBy, last: 3 }, staff());
    const before = await list({ orderBy, last: 3, before: last.pageInfo.startCursor }, staff());
    expect([...told(before), ...told(last)]).toEqual(whole);
  });

  test('with what they add up to, by currency', async () => {
    expect((await list({ first: 1 }, staff())).totals).toEqual([
      { currency: 'DKK', count: 1, money: { minor: '0', currency: 'DKK' } },
      { currency: 'EUR', count: 3, money: { minor: '320', currency: 'EUR' } },
    ]);
    expect((await list({ filter: { currencies: ['EUR'] } }, own('alpha'))).totals).toEqual([
      { currency: 'EUR', count: 2, money: { minor: '-380', currency: 'EUR' } },
    ]);
  });

  test.each([
    ['an account', () => own('alpha'), ['m-one -350 EUR', 'm-two 0 DKK', 'm-two -30 EUR']],
    ['another account', () => own('beta'), ['m-other 700 EUR']],
    ['a merchant of the account', () => own('alpha', { merchantId: 'm-one' }), ['m-one -350 EUR']],
    ['an account without any', () => own('gamma'), []],
  ])('%s sees its own only', async (_who, caller, expected) => {
    expect(told(await list({}, caller()))).toEqual(expected);
  });

  test('a cursor of another order is refused, and so is who lacks the right', async () => {
    const { pageInfo } = await list({ first: 1 }, staff());
    const turned = list({ after: pageInfo.endCursor, orderBy: 'AMOUNT' }, staff());
    await expect(turned).rejects.toMatchObject({ code: 'invalidInput' });
    await expect(list({}, own('alpha', { scopes: ['mts:token'] }))).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a book of a release before: added up from its days, when it is booked to and at the next start', async () => {
    const books = world.stores.connection.collection('journal_books');
    const forget = () => books.updateMany({}, { $unset: { balanceMinor: 1 } });
    await forget();
    await world.commit(world.ledger(two, 'DEPOSIT', 5n));
    await world.feed();
    expect(told(await list({ filter: { merchantIds: ['m-two'], currencies: ['EUR'] } }, staff()))).toEqual([
      'm-two -25 EUR',
    ]);
    await forget();
    await world.another().ensureIndexes();
    expect(told(await list({}, staff()))).toEqual([...all.slice(0, 3), 'm-two -25 EUR']);
    expect((await world.reporting.checkBooks()).differences).toEqual([]);
  });

  test('a balance that is not what its merchant is owed is a difference', async () => {
    await world.stores.connection
      .collection('journal_books')
      .updateOne({ merchantId: 'm-one' }, { $inc: { balanceMinor: 1 } });
    expect((await world.reporting.checkBooks()).differences).toEqual([
      'sandbox:m-one:EUR: its balance says -349, and the merchant is owed -350',
    ]);
  });
});

test('one ledger entry by its id, to those who have it in their list, and to others as if there were none', async () => {
  const facts = '{ entryId action amount merchant { merchantId } payout { payoutId } }';
  type Entry = { entryId: string; merchant: { merchantId: string } };
  const one = (id: string, caller: Caller) =>
    ask<Entry | null>(`query ($id: ID!) { found: ledgerEntry(entryId: $id) ${facts} }`, { id }, caller);
  const listed = `{ found: ledgerEntries(filter: { actions: [CHARGEBACK, PAYOUT] }) { edges { node ${facts} } } }`;
  const { edges } = await ask<{ edges: { node: Entry }[] }>(listed, {}, own('alpha'));
  expect(edges.length).toBeGreaterThan(1);
  for (const { node } of edges) {
    const { entryId, merchant } = node;
    for (const caller of [staff(), own('alpha'), own('alpha', merchant)])
      expect(await one(entryId, caller)).toEqual(node);
    for (const caller of [own('beta'), own('alpha', { merchantId: 'm-none' })])
      expect(await one(entryId, caller)).toBeNull();
    await expect(one(entryId, own('alpha', { scopes: ['mts:token'] }))).rejects.toMatchObject({ code: 'forbidden' });
  }
  for (const id of ['nothing', '', newId()]) expect(await one(id, staff())).toBeNull();
});
