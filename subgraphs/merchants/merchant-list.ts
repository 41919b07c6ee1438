// How merchants are asked for: filter, order, place.
import type { Slice } from '../shared/lists/list-order';
import type { OrderedPlace } from '../shared/lists/newest-first';
import { type CursorField, notOfThisList, parseCursor } from '../shared/lists/page';
import type { Merchant, MerchantStatus } from './merchant';

/** What a list of merchants is narrowed to; everything given must hold. */
export interface MerchantFilter {
  /** A part of its id or its name in whatever case, or its number. */
  text?: string | null;
  /** Of those that are not deleted, unless these are asked for. */
  status?: MerchantStatus | null;
  /** Any of these. */
  statuses?: readonly MerchantStatus[] | null;
  accountIds?: readonly string[] | null;
  isDeleted?: boolean | null;
}

export const merchantOrders = ['ID', 'NAME', 'NEWEST'] as const;
export type MerchantOrder = (typeof merchantOrders)[number];

/** Places of the order, of which one by ids has these alone. */
export type MerchantSlice = Slice<OrderedPlace> & { order: MerchantOrder };

/** With the id of its document, which orders those of one name or moment. */
export type ListedMerchant = Merchant & { _id: string };

/** The parts of a cursor; any order but the usual one is part of it. */
export function placeOfMerchant(order: MerchantOrder): (merchant: ListedMerchant) => (string | number)[] {
  return ({ _id, merchantId, name, createdAt }) => {
    if (order === 'ID') return [merchantId];
    return [order, order === 'NAME' ? name : createdAt.getTime(), _id];
  };
}

/** Refuses with `invalidInput` what is no cursor of this list and order. */
export function merchantAt(order: MerchantOrder): (cursor: string, field: CursorField) => OrderedPlace {
  return (cursor, field) => {
    const parts = parseCursor(cursor, order === 'ID' ? 1 : 3, field);
    const [of, at, id] = order === 'ID' ? [order, parts[0], ''] : parts;
    const isPlace = order === 'NEWEST' ? Number.isSafeInteger(at) : typeof at === 'string';
    if (of !== order || !isPlace || typeof id !== 'string') throw notOfThisList(field);
    return { at: order === 'NEWEST' ? new Date(Number(at)) : String(at), id };
  };
}
