// Reads of payments and orders: by key, by filter newest first, and the newest payment of an order (payment service, Payment; B, Order status object).
import type { Collection, Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { withoutAbsent } from '../../shared/present-members';
import { boundedCount, childCounts } from '../../shared/store/bounded-count';
import { boundedList } from '../../shared/store/bounded-list';
import { childPages } from '../../shared/store/child-pages';
import { allOf, anyOf, between } from '../../shared/store/conditions';
import { newerThan, olderThan } from '../../shared/store/newest-first';
import type { Page, TotalCount } from '../../shared/store/page';
import { dropIndexes } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import type { PaymentFamily } from '../operations/operation';
import { type Payment, type PaymentEntry, type PaymentState, paymentStates } from './payment';
import { type StoredUnderway, underwayCallOf } from './underway-call.repository';

export interface PaymentFilter {
  merchantId?: string | null;
  terminalId?: string | null;
  family?: PaymentFamily | null;
  state?: PaymentState | null;
  orderId?: string | null;
  contractId?: string | null;
  currency?: string | null;
  /** Any of these. */
  merchantIds?: readonly string[] | null;
  states?: readonly PaymentState[] | null;
  currencies?: readonly string[] | null;
  /** Minor units, both inclusive. */
  minAmount?: string | null;
  maxAmount?: string | null;
  /** By creation, both inclusive. */
  from?: Date | null;
  to?: Date | null;
}

/** A page size, the place of the last payment seen, and the direction from there: backward is towards the newest. */
export interface PaymentSlice {
  size: number;
  after: { createdAt: Date; paymentId: string } | null;
  isBackward?: boolean;
}

const amountNames = ['amountMinor', 'authorizedMinor', 'capturedMinor', 'refundedMinor'] as const;
type AmountName = (typeof amountNames)[number];

/** A payment at rest: int64 amounts, which the driver gives back as numbers. */
type ListedPayment = Omit<Payment, 'paymentId' | AmountName | 'feeMinor' | 'entries' | 'underway'> &
  Record<AmountName, number> & {
    _id: string;
    feeMinor?: number;
    underway?: StoredUnderway;
    entries: (Omit<PaymentEntry, 'amountMinor'> & { amountMinor: number })[];
  };

export type PaymentQueryRepository = ReturnType<typeof createPaymentQueryRepository>;

export function createPaymentQueryRepository(connection: Connection) {
  const records = connection.collection('payments') as unknown as Collection<ListedPayment>;
  const target = { connection, collection: 'payments' };

  return {
    /** Those of the caller's; absent and foreign ones are left out. */
    async findMany(caller: Caller, ids: readonly string[]): Promise<Payment[]> {
      const found = await reading(records.find({ ...tenantFilter(caller), _id: { $in: [...ids] } }).toArray());
      return found.map(paymentOf);
    },
    /** Newest first; backward the other way around. */
    async list(caller: Caller, filter: PaymentFilter, slice: PaymentSlice): Promise<Page<Payment>> {
      const { size } = slice;
      const found = await boundedList(
        records
          .find(placed(caller, filter, slice) as Filter<ListedPayment>)
          .sort(orderOf(slice))
          .limit(size + 1),
      );
      return { items: found.slice(0, size).map(paymentOf), hasNextPage: found.length > size };
    },
    count(caller: Caller, filter: PaymentFilter): Promise<TotalCount> {
      return boundedCount(records as unknown as Collection, conditionOf(caller, filter));
    },
    /** For each merchant, in one query. */
    countByMerchants(
      caller: Caller,
      merchantIds: readonly string[],
      filter: PaymentFilter,
    ): Promise<Map<string, TotalCount>> {
      const counted = { ...target, parentField: 'merchantId', parentIds: merchantIds };
      return childCounts({ ...counted, filter: conditionOf(caller, filter) });
    },
    /** One page for each merchant, in one query. */
    listByMerchants(
      caller: Caller,
      merchantIds: readonly string[],
      filter: PaymentFilter,
      slice: PaymentSlice,
    ): Promise<Map<string, Page<Payment>>> {
      const condition = placed(caller, filter, slice);
      const { size } = slice;
      return reading(
        childPages<ListedPayment, Payment>(
          { ...target, parentField: 'merchantId' },
          { parentIds: merchantIds, filter: condition, sort: orderOf(slice), size },
          paymentOf,
        ),
      );
    },
    /** The newest payment of an order of hosted checkout; null when it is absent or somebody else's. */
    async findOrder(caller: Caller, merchantId: string, orderId: string): Promise<Payment | null> {
      const found = await reading(
        records
          .find({ ...tenantFilter(caller), merchantId, orderId, family: 'checkout' } as Filter<ListedPayment>)
          .sort(newestFirst)
          .limit(1)
          .toArray(),
      );
      return found[0] ? paymentOf(found[0]) : null;
    },
    /** Of these payments of hosted checkout the ids of those whose order was paid again later. */
    async listOutdated(caller: Caller, payments: readonly Payment[]): Promise<Set<string>> {
      if (payments.length === 0) return new Set();
      const merchantId = { $in: [...new Set(payments.map((payment) => payment.merchantId))] };
      // Texts alone, which is what the index has.
      const orderId = { $in: [...new Set(payments.flatMap((payment) => payment.orderId ?? []))] };
      const newest = await reading(
        records
          .aggregate<{ paymentId: string }>([
            { $match: { ...tenantFilter(caller), merchantId, orderId, family: 'checkout' } },
            { $sort: { environment: 1, orderId: 1, merchantId: 1, ...newestFirst } },
            { $group: { _id: { merchantId: '$merchantId', orderId: '$orderId' }, paymentId: { $first: '$_id' } } },
          ])
          .toArray(),
      );
      const latest = new Set(newest.map(({ paymentId }) => paymentId));
      return new Set(payments.flatMap(({ paymentId }) => (latest.has(paymentId) ? [] : [paymentId])));
    },
    async ensureIndexes(): Promise<void> {
      await records.createIndexes([
        { key: { environment: 1, merchantId: 1, createdAt: -1, _id: -1 } },
        { key: { environment: 1, accountId: 1, createdAt: -1, _id: -1 } },
        { key: { environment: 1, createdAt: -1, _id: -1 } },
        {
          name: 'ofMerchantByState',
          key: { environment: 1, merchantId: 1, state: 1, createdAt: -1, _id: -1 },
          partialFilterExpression: isNotUsual,
        },
        { key: { environment: 1, terminalId: 1, createdAt: -1, _id: -1 } },
        {
          name: 'byState',
          key: { environment: 1, state: 1, createdAt: -1, _id: -1 },
          partialFilterExpression: isNotUsual,
        },
        // By text alone: an index of rows with a $type would not be used for an equality.
        {
          key: { environment: 1, orderId: 1, merchantId: 1, createdAt: -1, _id: -1 },
          partialFilterExpression: { orderId: { $gte: '' } },
        },
        {
          key: { environment: 1, contractId: 1, createdAt: -1, _id: -1 },
          partialFilterExpression: { contractId: { $gte: '' } },
        },
      ]);
      await dropIndexes(connection, 'payments', retiredIndexes);
    },
  };
}

/**
 * Nearly every payment ends as captured: those are found along the time, and the others by their state. Indexes of a state more need a name of their own.
 */
const isNotUsual = { state: { $in: paymentStates.filter((state) => state !== 'Captured') } };

/** Of 0.3 and before: of every state, and two for what one order has. */
const retiredIndexes = [
  'environment_1_merchantId_1_state_1_createdAt_-1__id_-1',
  'environment_1_state_1_createdAt_-1__id_-1',
  'environment_1_merchantId_1_orderId_1_createdAt_-1__id_-1',
  'environment_1_orderId_1_createdAt_-1__id_-1',
];

const newestFirst = { createdAt: -1, _id: -1 } as const;

const oldestFirst = { createdAt: 1, _id: 1 } as const;

function orderOf({ isBackward = false }: PaymentSlice) {
  return isBackward ? oldestFirst : newestFirst;
}

function conditionOf(caller: Caller, filter: PaymentFilter): Document {
  const { from, to, minAmount, maxAmount, merchantIds, states, currencies, ...same } = filter;
  // Said in the words of the index: MongoDB does not see that some of its states are.
  const words = states && !states.includes('Captured') ? [isNotUsual] : [];
  return {
    ...tenantFilter(caller),
    ...withoutAbsent(same),
    ...between('createdAt', from, to),
    ...between('amountMinor', minAmount ? Number(minAmount) : null, maxAmount ? Number(maxAmount) : null),
    ...allOf([...anyOf({ merchantId: merchantIds, state: states, currency: currencies }), ...words]),
  };
}

function placed(caller: Caller, filter: PaymentFilter, { after, isBackward = false }: PaymentSlice): Document {
  const beyond = isBackward ? newerThan : olderThan;
  const rest = after ? [beyond('createdAt', { at: after.createdAt, id: after.paymentId })] : [];
  return { $and: [conditionOf(caller, filter), ...rest] };
}

function paymentOf({ underway, ...listed }: ListedPayment): Payment {
  const { _id, ...stored } = listed;
  const amounts = Object.fromEntries(amountNames.map((name) => [name, bigintOf(stored[name])]));
  const entries = stored.entries.map((entry) => ({ ...entry, amountMinor: BigInt(entry.amountMinor) }));
  const feeMinor = BigInt(stored.feeMinor ?? 0);
  const call = underwayCallOf({ ...listed, underway });
  return { paymentId: _id, ...stored, ...(amounts as Pick<Payment, AmountName>), feeMinor, entries, underway: call };
}

function bigintOf(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
