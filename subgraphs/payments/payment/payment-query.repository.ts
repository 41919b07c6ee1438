// Reads of payments and orders: by key, by filter newest first, and the newest payment of an order (payment service, Payment; B, Order status object).

import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { countedInTime, countMsMax, totalMax } from '../../shared/lists/bounded-count';
import { childPages } from '../../shared/lists/child-pages';
import { alongTime } from '../../shared/lists/list-order';
import { type ListQuery, listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { allOf, anyOf, between, onlyWith } from '../../shared/store/conditions';
import { ofSlotOf, ofSlotOfIds, ofSlotOfList } from '../../shared/store/of-slot';
import { findAll, reading } from '../../shared/store/reading';
import { type Payment, type PaymentEntry } from './payment';
import { isNotUsual } from './payment-list-indexes';
import type { PaymentMember, PaymentPart } from './payment-parts';
import { orderedTime, type PaymentQuery, type PaymentSlice } from './payment-query';
import { type StoredUnderway, underwayCallOf } from './underway-call.repository';

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

type StoredPaymentPart = Pick<ListedPayment, '_id' | 'accountId' | 'merchantId'> &
  Partial<Omit<ListedPayment, 'feeMinor' | 'entries' | 'underway'>>;

export type PaymentQueryRepository = ReturnType<typeof createPaymentQueryRepository>;

export function createPaymentQueryRepository(connection: Connection) {
  const records = collectionOf<ListedPayment>(connection, 'payments');

  return {
    /** Those of the caller's; absent and foreign ones are left out. */
    async findMany(caller: Caller, ids: readonly string[]): Promise<Payment[]> {
      const found = await reading(findAll(records, ofOwnIds(caller, ids)));
      return found.map(paymentOf);
    },
    /** The same, with these members alone. */
    async findParts(caller: Caller, ids: readonly string[], members: readonly PaymentMember[]): Promise<PaymentPart[]> {
      const found = findAll<ListedPayment, StoredPaymentPart>(records, ofOwnIds(caller, ids), {
        projection: onlyWith(['accountId', 'merchantId', ...members]),
      });
      return (await reading(found)).map(partOf);
    },
    async list(caller: Caller, query: PaymentQuery, slice: PaymentSlice): Promise<Page<Payment>> {
      return listPage(records, { ...listed(caller, query, slice), slots: ofSlotOfList(query) }, paymentOf);
    },
    /** One page for each merchant, in one query. */
    listByMerchants(
      caller: Caller,
      merchantIds: readonly string[],
      query: PaymentQuery,
      slice: PaymentSlice,
    ): Promise<Map<string, Page<Payment>>> {
      const target = { connection, collection: 'payments', parentField: 'merchantId' };
      return reading(
        childPages<ListedPayment, Payment>(
          target,
          { parentIds: merchantIds, ...listed(caller, query, slice), slots: ofSlotOfList({ merchantIds }) },
          paymentOf,
        ),
      );
    },
    /** The newest payment of an order of hosted checkout; null when it is absent or somebody else's. */
    async findOrder(caller: Caller, merchantId: string, orderId: string): Promise<Payment | null> {
      const found = await reading(
        findAll(
          records,
          {
            ...tenantFilter(caller),
            ...({ merchantId, orderId, family: 'checkout' } as const),
            ...ofSlotOf(merchantId),
          } as Filter<ListedPayment>,
          { sort: newestFirst, limit: 1 },
        ),
      );
      return found[0] ? paymentOf(found[0]) : null;
    },
    /** Of these payments of hosted checkout the ids of those whose order was paid again later. */
    async listOutdated(
      caller: Caller,
      payments: readonly Pick<Payment, 'paymentId' | 'merchantId' | 'orderId'>[],
    ): Promise<Set<string>> {
      if (payments.length === 0) return new Set();
      const merchantIds = [...new Set(payments.map((payment) => payment.merchantId))];
      // Texts alone, which is what the index has.
      const orderId = { $in: [...new Set(payments.flatMap((payment) => payment.orderId ?? []))] };
      const ordered = { ...tenantFilter(caller), merchantId: { $in: merchantIds }, ...ofSlotOf(...merchantIds) };
      const newest = await reading(
        records
          .aggregate<{ paymentId: string }>([
            { $match: { ...ordered, orderId, family: 'checkout' } },
            { $sort: { environment: 1, orderId: 1, merchantId: 1, ...newestFirst } },
            { $group: { _id: { merchantId: '$merchantId', orderId: '$orderId' }, paymentId: { $first: '$_id' } } },
          ])
          .toArray(),
      );
      const latest = new Set(newest.map(({ paymentId }) => paymentId));
      return new Set(payments.flatMap(({ paymentId }) => (latest.has(paymentId) ? [] : [paymentId])));
    },
    /** As many as `totalMax` of what a query of payments finds, newest first: enough of each to tell its order. */
    async listOrderIds(
      caller: Caller,
      query: PaymentQuery,
    ): Promise<Pick<Payment, 'paymentId' | 'merchantId' | 'orderId'>[] | null> {
      const rows = await countedInTime(
        findAll<ListedPayment, Pick<ListedPayment, '_id' | 'merchantId' | 'orderId'>>(
          records,
          conditionOf(caller, query) as Filter<ListedPayment>,
          {
            projection: { merchantId: 1, orderId: 1 },
            sort: newestFirst,
            limit: totalMax + 1,
            maxTimeMS: countMsMax,
          },
        ),
      );
      return rows?.map(({ _id, ...rest }) => ({ paymentId: _id, ...rest })) ?? null;
    },
  };
}

function ofOwnIds(caller: Caller, ids: readonly string[]) {
  return { ...tenantFilter(caller), _id: { $in: [...ids] }, ...ofSlotOfIds(ids, caller) };
}

const newestFirst = { createdAt: -1, _id: -1 } as const;

function conditionOf(caller: Caller, { order, ...filter }: PaymentQuery): Document {
  const { from, to, minAmount, maxAmount, accountIds, merchantIds, states, currencies, ...rest } = filter;
  const { authorizationExpiresFrom, authorizationExpiresTo, ...same } = rest;
  const expires = between('authorizationExpiresAt', authorizationExpiresFrom, authorizationExpiresTo);
  const isOfReservations = order === 'EXPIRING_SOONEST' || Object.keys(expires).length > 0;
  return {
    ...tenantFilter(caller),
    ...withoutAbsent(same),
    ...between('createdAt', from, to),
    ...between('amountMinor', minAmount ? Number(minAmount) : null, maxAmount ? Number(maxAmount) : null),
    ...allOf([
      ...anyOf({ accountId: accountIds, merchantId: merchantIds, state: states, currency: currencies }),
      // Said in the words of the index: MongoDB does not see that some of its states are.
      ...(states && !states.includes('Captured') ? [isNotUsual] : []),
      ...(isOfReservations ? [isReserved, expires] : []),
    ]),
  };
}

/** In the words of the index that the janitor, too, finds by. */
const isReserved = { state: 'Authorized', authorizationExpiresAt: { $type: 'date' } } as const;

function listed(caller: Caller, query: PaymentQuery, slice: PaymentSlice): ListQuery {
  const { order = 'NEWEST' } = query;
  const after = slice.after && { at: slice.after.at, id: slice.after.paymentId };
  const along = alongTime(orderedTime(order), { ...slice, after }, order === 'NEWEST' ? -1 : 1);
  return { filter: conditionOf(caller, query), ...along };
}

function paymentOf({ underway, ...listed }: ListedPayment): Payment {
  const { _id, ...stored } = listed;
  const amounts = Object.fromEntries(amountNames.map((name) => [name, bigintOf(stored[name])]));
  const entries = stored.entries.map((entry) => ({ ...entry, amountMinor: BigInt(entry.amountMinor) }));
  const feeMinor = BigInt(stored.feeMinor ?? 0);
  const call = underwayCallOf({ ...listed, underway });
  return { paymentId: _id, ...stored, ...(amounts as Pick<Payment, AmountName>), feeMinor, entries, underway: call };
}

/** What was read is nobody else's: it is finished in place. */
function partOf(read: StoredPaymentPart): PaymentPart {
  const amounts: Partial<Record<AmountName, bigint | null>> = {};
  for (const name of amountNames) if (read[name] !== undefined) amounts[name] = bigintOf(read[name]);
  return Object.assign(read, { paymentId: read._id }, amounts as Pick<PaymentPart, AmountName>);
}

function bigintOf(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
