// How the balances of many merchants are asked for: filter, order, place.
import type { Book } from '../journal/journal';

export interface MerchantBalanceFilter {
  /** Any of these. */
  merchantIds?: readonly string[] | null;
  currencies?: readonly string[] | null;
  /** Minor units, both inclusive; negative ones are what a merchant owes. */
  minAmount?: string | null;
  maxAmount?: string | null;
}

export const balanceOrders = ['MERCHANT', 'AMOUNT'] as const;
export type BalanceOrder = (typeof balanceOrders)[number];

/** What a merchant is owed in a currency. */
export interface BookBalance extends Book {
  bookId: string;
  balanceMinor: bigint;
}

/** A page behind a place in the order; backward is towards its beginning. */
export interface BalanceSlice {
  size: number;
  order: BalanceOrder;
  /** The values of the place, in the order of `orderedFields`. */
  after: readonly (string | bigint)[] | null;
  isBackward: boolean;
}

/** What a list is ordered by, each upwards or downwards; the last of them tells all rows apart. */
export const orderedFields = {
  MERCHANT: { merchantId: 1, currency: 1 },
  AMOUNT: { currency: 1, balanceMinor: -1, _id: 1 },
} as const;

/** What the balances of one currency add up to. */
export interface BalanceTotal {
  currency: string;
  balanceMinor: bigint;
  count: number;
}
