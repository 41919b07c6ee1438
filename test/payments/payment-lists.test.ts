// The list of payments: several values and ranges, from either end, with its total; of one merchant and of all.

import type { Payment } from '../../subgraphs/payments/payment/payment';
import { createPaymentRepository } from '../../subgraphs/payments/payment/payment.repository';
import type { PaymentOrder } from '../../subgraphs/payments/payment/payment-query';
import {
  createPaymentQueryRepository,
  type PaymentQueryRepository,
} from '../../subgraphs/payments/payment/payment-query.repository';
import {
  type PaymentListArguments,
  paymentsOf,
  paymentsOfMerchant,
} from '../../subgraphs/payments/payment/payment-query.service';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import type { Connection } from '../../subgraphs/shared/lists/page';
import { staff } from '../gateway/fixture';
import { openStores, type Stores } from '../support/stores';

const states = ['Authorized', 'Captured', 'Declined', 'Unknown'] as const;
const currencies = ['EUR', 'DKK', 'SEK'] as const;
const count = 60;
const start = Date.parse('2026-11-01T00:00:00Z');
const dayMs = 86_400_000;

interface Row {
  _id: string;
  accountId: string;
  merchantId: string;
  state: string;
  currency: string;
  amountMinor: number;
  createdAt: Date;
  authorizationExpiresAt: Date | null;
}

/** Three of each moment, so that the id decides between them. */
const rows = Array.from({ length: count }, (_, index) => ({
  _id: newId(),
  environment: 'sandbox',
  accountId: index % 2 === 0 ? 'alpha' : 'beta',
  merchantId: `merchant-${index % 5}`,
  state: states[index % states.length] as string,
  currency: currencies[index % currencies.length] as string,
  amountMinor: index * 100,
  authorizedMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  entries: [],
  createdAt: new Date(start + Math.floor(index / 3) * 1_000),
  // Reservations end in another order than they began, several at one moment; what was captured keeps the moment.
  authorizationExpiresAt: index % 2 === 0 ? new Date(start + dayMs + ((index * 7) % 10) * 1_000) : null,
}));
const byTime = (field: 'createdAt' | 'authorizationExpiresAt') => (a: Row, b: Row) =>
  Number(a[field]) - Number(b[field]) || (a._id < b._id ? -1 : 1);
const isHeld = ({ state }: Row) => state === 'Authorized';
const newestFirst = [...rows].sort((a, b) => byTime('createdAt')(b, a));

let stores: Stores;
let payments: PaymentQueryRepository;
beforeAll(async () => {
  stores = await openStores();
  payments = createPaymentQueryRepository(stores.connection);
  await createPaymentRepository(stores.connection).ensureIndexes();
  await stores.connection.collection<Row>('payments').insertMany(rows, { bypassDocumentValidation: true });
});
afterAll(() => stores?.close());

const contextOf = (caller: Caller = staff) => requestContext(caller, newId());
const list = (asked: PaymentListArguments, caller?: Caller) => paymentsOf({ payments }, contextOf(caller), asked);
const idsOf = ({ edges }: Connection<Payment>) => edges.map(({ node }) => node.paymentId);

const filters: [string, PaymentListArguments['filter'], (row: Row) => boolean][] = [
  ['nothing', null, () => true],
  ['states', { states: ['Declined', 'Unknown'] }, ({ state }) => state === 'Declined' || state === 'Unknown'],
  ['one state of several', { state: 'Unknown', states: ['Unknown', 'Declined'] }, ({ state }) => state === 'Unknown'],
  ['a state that is none of several', { state: 'Captured', states: ['Unknown'] }, () => false],
  ['merchants', { merchantIds: ['merchant-1', 'merchant-4', 'nobody'] }, ({ merchantId }) => /[14]$/.test(merchantId)],
  ['accounts', { accountIds: ['alpha', 'nobody'] }, ({ accountId }) => accountId === 'alpha'],
  [
    'reservations that end then or later',
    { authorizationExpiresFrom: new Date(start + dayMs + 4_000) },
    (row) => isHeld(row) && Number(row.authorizationExpiresAt) >= start + dayMs + 4_000,
  ],
  [
    'reservations that end between two moments',
    {
      authorizationExpiresFrom: new Date(start + dayMs + 2_000),
      authorizationExpiresTo: new Date(start + dayMs + 6_000),
    },
    (row) =>
      isHeld(row) &&
      Number(row.authorizationExpiresAt) >= start + dayMs + 2_000 &&
      Number(row.authorizationExpiresAt) <= start + dayMs + 6_000,
  ],
  [
    'reservations that end soon of what was captured',
    { state: 'Captured', authorizationExpiresTo: new Date(start + 2 * dayMs) },
    () => false,
  ],
  ['currencies', { currencies: ['DKK', 'SEK'] }, ({ currency }) => currency !== 'EUR'],
  [
    'amounts',
    { minAmount: '1000', maxAmount: '2000' },
    ({ amountMinor }) => amountMinor >= 1_000 && amountMinor <= 2_000,
  ],
  ['an amount of no digits, which is none', { minAmount: '', maxAmount: '' }, () => true],
  ['from an amount on', { minAmount: '5500' }, ({ amountMinor }) => amountMinor >= 5_500],
  [
    'all of it together',
    {
      states: ['Captured'],
      merchantIds: ['merchant-0', 'merchant-1'],
      minAmount: '500',
      from: new Date(start + 2_000),
    },
    ({ state, merchantId, amountMinor, createdAt }) =>
      state === 'Captured' && /[01]$/.test(merchantId) && amountMinor >= 500 && createdAt.getTime() >= start + 2_000,
  ],
];

async function walked(asked: PaymentListArguments): Promise<{ forward: string[]; backward: string[] }> {
  const forward: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Connection<Payment> = await list({ ...asked, first: 7, after });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    forward.push(...idsOf(page));
    after = page.pageInfo.endCursor;
    more = page.pageInfo.hasNextPage;
  }
  const backward: string[] = [];
  for (let before: string | null = null, more = true; more; ) {
    const page: Connection<Payment> = await list({ ...asked, last: 7, before });
    expect(page.pageInfo.hasNextPage).toBe(before !== null);
    backward.unshift(...idsOf(page));
    before = page.pageInfo.startCursor;
    more = page.pageInfo.hasPreviousPage;
  }
  return { forward, backward };
}

const orders: [PaymentOrder, Row[]][] = [
  ['NEWEST', newestFirst],
  ['OLDEST', newestFirst.toReversed()],
  ['EXPIRING_SOONEST', rows.filter(isHeld).sort(byTime('authorizationExpiresAt'))],
];

describe.each(orders)('in the order %s', (orderBy, ordered) => {
  const ids = (fits: (row: Row) => boolean = () => true) => ordered.filter(fits).map(({ _id }) => _id);

  it('is the same walked from either end, with its total', async () => {
    expect(await walked({ orderBy })).toEqual({ forward: ids(), backward: ids() });
    expect(await (await list({ orderBy })).count?.()).toEqual({ value: ordered.length, isExact: true });
  });

  it('is filtered, and of one merchant', async () => {
    const filter = { accountIds: ['alpha'], currencies: ['EUR', 'DKK'] };
    const own = ids(({ accountId, currency }) => accountId === 'alpha' && currency !== 'SEK');
    expect(await walked({ orderBy, filter })).toEqual({ forward: own, backward: own });
    const found = await paymentsOfMerchant({ payments }, contextOf(), 'merchant-3', { orderBy, first: 100 });
    const ofMerchant = ids(({ merchantId }) => merchantId === 'merchant-3');
    expect(idsOf(found)).toEqual(ofMerchant);
    expect(await found.count?.()).toEqual({ value: ofMerchant.length, isExact: true });
  });

  it('refuses a cursor of another order', async () => {
    const { pageInfo } = await list({ orderBy, first: 1 });
    for (const [other] of orders.filter(([name]) => name !== orderBy))
      await expect(list({ orderBy: other, after: pageInfo.endCursor })).rejects.toMatchObject({
        code: 'invalidInput',
        details: { field: 'after' },
      });
  });
});

describe.each(filters)('by %s', (_name, filter, fits) => {
  const expected = newestFirst.filter(fits).map(({ _id }) => _id);

  it('tells how many there are', async () => {
    expect(await (await list({ filter, first: 1 })).count?.()).toEqual({ value: expected.length, isExact: true });
  });

  it('is the same walked forward, and backward from its end', async () => {
    expect(await walked({ filter })).toEqual({ forward: expected, backward: expected });
  });
});

it('of several merchants are counted and paged in one query each, from either end', async () => {
  const context = contextOf();
  const ids = ['merchant-0', 'merchant-1', 'nobody'];
  const found = await Promise.all(ids.map((id) => paymentsOfMerchant({ payments }, context, id, { last: 2 })));
  for (const [index, id] of ids.entries()) {
    const own = newestFirst.filter(({ merchantId }) => merchantId === id).map(({ _id }) => _id);
    expect(idsOf(found[index] as Connection<Payment>)).toEqual(own.slice(-2));
    expect(await found[index]?.count?.()).toEqual({ value: own.length, isExact: true });
  }
});

it('shows an account its own, whatever merchants it names', async () => {
  const asked = { filter: { merchantIds: ['merchant-0', 'merchant-1'] } };
  const found = await list(asked, { ...staff, accountId: 'alpha' });
  const own = newestFirst.filter(({ accountId, merchantId }) => accountId === 'alpha' && /[01]$/.test(merchantId));
  expect(idsOf(found)).toEqual(own.map(({ _id }) => _id));
  expect(await found.count?.()).toEqual({ value: own.length, isExact: true });
});

it('counts to a thousand, and says then that there are at least so many', async () => {
  const many = Array.from({ length: 1_001 }, () => ({ ...rows[0], _id: newId(), merchantId: 'crowded' }) as Row);
  await stores.connection.collection<Row>('payments').insertMany(many, { bypassDocumentValidation: true });
  const merchant = await paymentsOfMerchant({ payments }, contextOf(), 'crowded', {});
  for (const found of [merchant, await list({ filter: { merchantId: 'crowded' } })])
    expect(await found.count?.()).toEqual({ value: 1_000, isExact: false });
  await stores.connection.collection<Row>('payments').deleteOne({ _id: many[0]?._id as string });
  expect(await (await list({ filter: { merchantId: 'crowded' } })).count?.()).toEqual({ value: 1_000, isExact: true });
});

it.each<[string, PaymentListArguments, string]>([
  ['both ends at once', { first: 1, last: 1 }, 'last'],
  ['before beside after', { after: 'x', before: 'y' }, 'last'],
  ['too many from the end', { last: 101 }, 'last'],
  ['a cursor of another list', { last: 1, before: 'x' }, 'before'],
  ['a currency that there is not', { filter: { currency: 'ZZZ' } }, 'currency'],
  ['one currency of two that there is not', { filter: { currencies: ['EUR', 'eur'] } }, 'currencies'],
  ['twenty-one merchants', { filter: { merchantIds: Array(21).fill('m') } }, 'merchantIds'],
  ['no state at all', { filter: { states: [] } }, 'states'],
  ['amounts the wrong way round', { filter: { minAmount: '10', maxAmount: '9' } }, 'minAmount'],
  [
    'ends of reservations the wrong way round',
    { filter: { authorizationExpiresFrom: new Date(start + 1), authorizationExpiresTo: new Date(start) } },
    'authorizationExpiresFrom',
  ],
  ['an amount that is none', { filter: { minAmount: '1.5' } }, 'minAmount'],
])('refuses %s', async (_name, asked, field) => {
  await expect(list(asked)).rejects.toMatchObject({ details: { field } });
});
