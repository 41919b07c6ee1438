// The operations query against a plain reading of its rules: every filter alone and in pairs, every order, page by page (hosted checkout, GET operations).
import { graphql } from 'graphql';
import type { Operation } from '../../subgraphs/payments/operations/operation';
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import type { OperationFilter, Ordering, SortDirection } from '../../subgraphs/payments/operations/operation-query';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { schemaOf } from '../support/subgraph';
import { type CheckoutWorld, openCheckoutWorld } from './checkout-world';
import { filterPairs, sampleFilters as filters, sampleOperation } from './operation-samples';

/** Currencies that there are not would be refused. */
const unusedCurrencies = 'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP'.split(
  ' ',
);
const unusedValue = (name: string, index: number) =>
  name === 'currencies' ? unusedCurrencies[index] : `value-${index}`;

const count = 240;
/** Lists of whatever text. */
const openLists = ['merchantIds', 'paymentCircuits', 'currencies'];

const orderings: Ordering[] = [
  ...(['operationTime', 'operationAmount', 'operationType'] as const),
  ...(['operationResult', 'orderId', 'paymentCircuit'] as const),
];

const stored: Record<keyof OperationFilter, keyof Operation> = {
  merchantId: 'merchantId',
  operationId: 'operationId',
  paymentId: 'paymentId',
  sessionId: 'sessionId',
  orderId: 'orderId',
  terminalId: 'terminalId',
  family: 'family',
  channel: 'channel',
  channelDetail: 'channelDetail',
  operationType: 'type',
  operationResult: 'result',
  paymentMethod: 'method',
  paymentCircuit: 'circuit',
  currency: 'currency',
  customField: 'customField',
  contractId: 'contractId',
  contractType: 'contractType',
  installmentQty: 'installmentQty',
  merchantIds: 'merchantId',
  operationTypes: 'type',
  operationResults: 'result',
  paymentMethods: 'method',
  paymentCircuits: 'circuit',
  currencies: 'currency',
  fromTime: 'time',
  toTime: 'time',
  minAmount: 'amountMinor',
  maxAmount: 'amountMinor',
};

function fits(operation: Operation, filter: OperationFilter): boolean {
  return Object.entries(filter).every(([name, asked]) => {
    const value = operation[stored[name as keyof OperationFilter]] as never;
    if (name === 'fromTime') return value >= asked;
    if (name === 'toTime') return value <= asked;
    if (name === 'minAmount') return value >= BigInt(asked);
    if (name === 'maxAmount') return value <= BigInt(asked);
    return Array.isArray(asked) ? (asked as unknown[]).includes(value) : value === asked;
  });
}

const orderedBy: Record<Ordering, (operation: Operation) => bigint | number | string | null> = {
  operationTime: ({ time }) => time.getTime(),
  operationAmount: ({ amountMinor }) => amountMinor,
  operationType: ({ type }) => type,
  operationResult: ({ result }) => result,
  orderId: ({ orderId }) => orderId,
  paymentCircuit: ({ circuit }) => circuit,
};

function inOrder(all: readonly Operation[], by: Ordering, direction: SortDirection): string[] {
  const rank = orderedBy[by];
  const sorted = [...all].sort((a, b) => compare(rank(a), rank(b)) || compare(a.operationId, b.operationId));
  const ids = sorted.map(({ operationId }) => operationId);
  return direction === 'ASC' ? ids : ids.reverse();
}

/** Null comes before every value. */
function compare<Value extends bigint | number | string>(a: Value | null, b: Value | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

// biome-ignore lint/suspicious/noExplicitAny: the schema has just established the shape
type AskGraph = (source: string, variables: Record<string, unknown>) => Promise<any>;

/** The same from its end, counted on the way. */
async function readBackward(query: AskGraph, by: Ordering, direction: SortDirection): Promise<string[]> {
  const source = `query Q($before: String) { operations(last: 70, before: $before, orderBy: ${by}, sortIn: ${direction}) {
    totalCount { value isExact } edges { node { operationId } } pageInfo { hasNextPage hasPreviousPage startCursor } } }`;
  const found: string[] = [];
  let before: string | null = null;
  do {
    const { operations } = await query(source, { before });
    expect(operations.totalCount).toEqual({ value: count, isExact: true });
    expect(operations.pageInfo.hasNextPage).toBe(before !== null);
    found.unshift(...operations.edges.map(({ node }: { node: Operation }) => node.operationId));
    before = operations.pageInfo.hasPreviousPage ? operations.pageInfo.startCursor : null;
  } while (before);
  return found;
}

const own = Array.from({ length: count }, (_, index) => sampleOperation(index));
const foreign = [
  sampleOperation(1, { accountId: 'beta', merchantId: 'merchant-beta' }),
  // The same account, another merchant: not the API key's either.
  sampleOperation(2, { merchantId: 'merchant-alpha-2' }),
];

/** REST's page has always answered them. */
const wrongAmounts = { minAmount: '2', maxAmount: '1' };

const singles: [string, OperationFilter][] = [
  ...Object.entries(filters),
  ['an amount of no digits', { minAmount: '' }],
];

describe('the operations query', () => {
  let world: CheckoutWorld;
  let shop: Caller;

  beforeAll(async () => {
    world = await openCheckoutWorld();
    shop = world.explicit;
    const { insertOf } = createOperationRepository(world.stores.connection);
    await world.committer.inTransaction({ inserts: [...own, ...foreign].map(insertOf) });
  });
  afterAll(() => world?.close());

  async function ask(variables: object, caller = shop) {
    const { data, code, field } = await world.run('GetOperationPage', variables, { caller });
    return { code, field, ...data, ids: data?.operations.map(({ operationId }: Operation) => operationId) };
  }

  // biome-ignore lint/suspicious/noExplicitAny: the schema has just established the shape
  async function query(source: string, variableValues: Record<string, unknown>, caller = shop): Promise<any> {
    const contextValue = requestContext({ ...caller, scopes: ['graph:read'] }, newId());
    const schema = await schemaOf(world.payments);
    const { data, errors } = await graphql({ schema, source, contextValue, variableValues });
    expect(errors).toBeUndefined();
    return data;
  }

  it.each(singles)('finds by %s what fits, and nothing else', async (_name, filter) => {
    const expected = own.filter((operation) => fits(operation, filter));
    expect(expected.length).toBeGreaterThan(0);
    const page = await ask({ filter, maxRecords: 500 });
    expect(page.ids).toEqual(inOrder(expected, 'operationTime', 'DESC'));
    expect(page).toMatchObject({ totalCount: expected.length, isTotalExact: true, hasNextPage: false });
  });

  it('finds by every pair of filters what fits both', async () => {
    for (const [one, other] of filterPairs) {
      const filter = { ...filters[one], ...filters[other] };
      const expected = own.filter((operation) => fits(operation, filter));
      const page = await ask({ filter, maxRecords: 500 });
      expect([one, other, ...page.ids]).toEqual([one, other, ...inOrder(expected, 'operationTime', 'DESC')]);
      expect([one, other, page.totalCount]).toEqual([one, other, expected.length]);
    }
  });

  it.each(orderings.flatMap((by) => (['ASC', 'DESC'] as const).map((way): [Ordering, SortDirection] => [by, way])))(
    'orders by %s %s, with and without a filter, page by page',
    async (orderBy, sortIn) => {
      for (const filter of [{}, filters['channel'], filters['minAmount'], filters['installmentQty']]) {
        const all = own.filter((operation) => fits(operation, filter ?? {}));
        const expected = inOrder(all, orderBy, sortIn);
        const found: string[] = [];
        for (let pageNumber = 0; ; pageNumber += 1) {
          const page = await ask({ filter, orderBy, sortIn, pageNumber, maxRecords: 70 });
          found.push(...page.ids);
          expect(page).toMatchObject({ pageNumber, pageSize: 70, totalCount: all.length });
          if (!page.hasNextPage) break;
        }
        expect(found).toEqual(expected);
      }
    },
  );

  it.each(orderings.flatMap((by) => (['ASC', 'DESC'] as const).map((way): [Ordering, SortDirection] => [by, way])))(
    'goes on by cursor in the order %s %s',
    async (by, direction) => {
      const source = `query Q($after: String) { operations(first: 70, after: $after, orderBy: ${by}, sortIn: ${direction}) {
        edges { cursor node { operationId } } pageInfo { hasNextPage endCursor } } }`;
      const found: string[] = [];
      let after: string | null = null;
      do {
        const { operations } = await query(source, { after });
        found.push(...operations.edges.map(({ node }: { node: Operation }) => node.operationId));
        after = operations.pageInfo.hasNextPage ? operations.pageInfo.endCursor : null;
      } while (after);
      expect(found).toEqual(inOrder(own, by, direction));
      expect(await readBackward(query, by, direction)).toEqual(found);
    },
  );

  it('shows staff every tenant, an account its merchants, a key its own merchant', async () => {
    const staff: Caller = { ...shop, kind: 'client', accountId: null };
    delete staff.merchantId;
    const account: Caller = { ...staff, accountId: 'alpha' };
    const source = '{ operations(first: 1) { totalCount { value } } }';
    const read = await Promise.all([staff, account].map((caller) => query(source, {}, caller)));
    const totals = [...read.map(({ operations }) => operations.totalCount.value), (await ask({})).totalCount];
    expect(totals).toEqual([count + 2, count + 1, count]);
  });

  it('gives a key nothing when it asks for another merchant', async () => {
    const page = await ask({ filter: { merchantId: 'merchant-beta' } });
    expect(page).toMatchObject({ ids: [], totalCount: 0 });
  });

  it.each(['operationId', 'orderId', 'contractId'])('gives an empty list for an unknown %s', async (name) => {
    expect((await ask({ filter: { [name]: 'nobody' } })).ids).toEqual([]);
  });

  it('shows an operation of a kind that was never there before at once', async () => {
    const fresh = sampleOperation(3, {
      type: 'NOSHOW',
      result: 'FAILED',
      channelDetail: 'MIT',
      accountId: 'beta',
      merchantId: 'merchant-beta',
    });
    const before = await ask({ filter: { operationType: 'NOSHOW' } }, world.foreign);
    expect(before.ids).toEqual([]);
    const { insertOf } = createOperationRepository(world.stores.connection);
    await world.committer.inTransaction({ inserts: [insertOf(fresh)] });
    const after = await ask({ filter: { operationType: 'NOSHOW', operationResult: 'FAILED' } }, world.foreign);
    expect([after.ids, after.totalCount]).toEqual([[fresh.operationId], 1]);
  });

  it.each([
    ['a page size of zero', { maxRecords: 0 }, 'invalidInput', 'maxRecords'],
    ['a page size above the bound', { maxRecords: 501 }, 'invalidInput', 'maxRecords'],
    ['a page before the first', { pageNumber: -1 }, 'invalidInput', 'pageNumber'],
    [
      'reversed times',
      { filter: { fromTime: '2026-11-02T00:00:00Z', toTime: '2026-11-01T00:00:00Z' } },
      'timesReversed',
      'fromTime',
    ],
    ['an amount that is no number', { filter: { minAmount: '1.5' } }, 'amountInvalid', 'minAmount'],
    ['an amount below zero', { filter: { maxAmount: '-1' } }, 'amountInvalid', 'maxAmount'],
    ['nothing but finds none, where amounts are the wrong way round', { filter: wrongAmounts }, null, undefined],
  ])('refuses %s', async (_name, variables, code, field) => {
    expect(await ask(variables)).toMatchObject({ code, field });
  });

  it.each(openLists)('takes one to twenty values of %s', async (name) => {
    const many = (length: number) => ({ [name]: Array.from({ length }, (_, index) => unusedValue(name, index)) });
    expect(await ask({ filter: many(20) })).toMatchObject({ code: null, ids: [] });
    expect(await ask({ filter: many(21) })).toMatchObject({ code: 'invalidInput', field: name });
    expect(await ask({ filter: many(0) })).toMatchObject({ code: 'invalidInput', field: name });
  });

  it('is past the end beyond the last page', async () => {
    expect(await ask({ pageNumber: 1_000_000, maxRecords: 500 })).toMatchObject({ ids: [], totalCount: count });
  });

  it.each([
    ['nothing', {}],
    ['a facet', { filter: filters['status'] }],
    ['an amount', { filter: filters['minAmount'] }],
    ['a facet and an order', { filter: filters['channel'], orderBy: 'operationAmount' }],
  ])('reads no operation that it does not show, asked by %s', async (_name, variables) => {
    const database = world.stores.connection.db;
    await ask(variables);
    const since = new Date();
    await database?.command({ profile: 2 });
    await ask({ ...variables, maxRecords: 10 });
    await database?.command({ profile: 0 });
    const all = await world.documents('system.profile', { ns: /\.operations$/, ts: { $gte: since } });
    // A survey of the merchant's operations is made anew every half minute, by steps from one kind to the next.
    const rows = all.filter(({ planSummary }) => !String(planSummary).startsWith('DISTINCT_SCAN'));
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { planSummary, docsExamined } of rows) {
      expect(planSummary).toContain('IXSCAN');
      expect(docsExamined).toBeLessThanOrEqual(11);
    }
  });
});
