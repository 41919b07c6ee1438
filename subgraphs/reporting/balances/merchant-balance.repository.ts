// Reads of the balances of many merchants, which the books keep, and what they add up to.
import type { Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { boundedCount } from '../../shared/lists/bounded-count';
import { boundedList, endedInTime, listMsMax } from '../../shared/lists/bounded-list';
import { cutToPage, type Page } from '../../shared/lists/page';
import { allOf, anyOf, between } from '../../shared/store/conditions';
import { ofSlotOfList } from '../../shared/store/of-slot';
import { bookCollection } from '../journal/collections.repository';
import type { StoredBook } from '../journal/stored-journal.repository';
import {
  type BalanceSlice,
  type BalanceTotal,
  type BookBalance,
  type MerchantBalanceFilter,
  orderedFields,
} from './merchant-balance';

export type MerchantBalanceRepository = ReturnType<typeof createMerchantBalanceRepository>;

export function createMerchantBalanceRepository(connection: Connection) {
  const books = bookCollection<StoredBook>(connection, 'journal_books', 'live');

  return {
    async list(caller: Caller, filter: MerchantBalanceFilter, slice: BalanceSlice): Promise<Page<BookBalance>> {
      const { size, order, isBackward } = slice;
      const own = conditionOf(caller, filter);
      const turned = (direction: 1 | -1) => (isBackward ? -direction : direction) as 1 | -1;
      const sort = Object.entries(orderedFields[order]).map(
        ([field, direction]) => [field, turned(direction)] as const,
      );
      const along = Object.fromEntries(sort);
      const from = { ...beyond(sort, slice.after, own), ...ofSlotOfList({ ...caller, ...filter }) };
      const found = await boundedList(books, from as Filter<StoredBook>, {
        sort: along,
        limit: size + 1,
      });
      return cutToPage(found, size, balanceOf, () => boundedCount(books, own, { sort: along }));
    },
    /** Of everything that fits, by currency. */
    async totals(caller: Caller, filter: MerchantBalanceFilter): Promise<BalanceTotal[]> {
      const groups = await endedInTime(
        books
          .aggregate<{ _id: string; balanceMinor: bigint | number; count: number }>(
            [
              { $match: { ...conditionOf(caller, filter), ...ofSlotOfList({ ...caller, ...filter }) } },
              { $group: { _id: '$currency', balanceMinor: { $sum: '$balanceMinor' }, count: { $sum: 1 } } },
              { $sort: { _id: 1 } },
            ],
            { maxTimeMS: listMsMax },
          )
          .toArray(),
      );
      return groups.map(({ _id, balanceMinor, count }) => ({
        currency: _id,
        balanceMinor: BigInt(balanceMinor),
        count,
      }));
    },
  };
}

/** Each of the ranges behind the place, so that the database begins there. */
function beyond(
  sort: readonly (readonly [string, 1 | -1])[],
  after: BalanceSlice['after'],
  condition: Document,
): Document {
  if (!after) return condition;
  const same = (count: number) => Object.fromEntries(sort.slice(0, count).map(([field], at) => [field, after[at]]));
  const ranges = sort.map(([field, direction], at) => ({
    ...same(at),
    [field]: direction === 1 ? { $gt: after[at] } : { $lt: after[at] },
  }));
  return { $or: ranges.map((range) => ({ $and: [condition, range] })) };
}

function conditionOf(caller: Caller, filter: MerchantBalanceFilter): Document {
  const { merchantIds, currencies, minAmount, maxAmount } = filter;
  return {
    ...tenantFilter(caller),
    ...allOf(anyOf({ merchantId: merchantIds, currency: currencies })),
    ...between('balanceMinor', minAmount && BigInt(minAmount), maxAmount && BigInt(maxAmount)),
  };
}

function balanceOf({ _id, environment, accountId, merchantId, currency, balanceMinor }: StoredBook): BookBalance {
  return { bookId: _id, environment, accountId, merchantId, currency, balanceMinor: BigInt(balanceMinor ?? 0) };
}
