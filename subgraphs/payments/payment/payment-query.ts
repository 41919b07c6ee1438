// How payments are asked for: filter, order, place.
import { isUuid } from '../../shared/ids';
import type { Slice } from '../../shared/lists/list-order';
import { type CursorField, notOfThisList, parseCursor } from '../../shared/lists/page';
import type { PaymentFamily } from '../operations/operation';
import type { Payment, PaymentState } from './payment';

export interface PaymentFilter {
  merchantId?: string | null;
  terminalId?: string | null;
  family?: PaymentFamily | null;
  state?: PaymentState | null;
  orderId?: string | null;
  contractId?: string | null;
  currency?: string | null;
  /** Any of these. */
  accountIds?: readonly string[] | null;
  merchantIds?: readonly string[] | null;
  states?: readonly PaymentState[] | null;
  currencies?: readonly string[] | null;
  /** Minor units, both inclusive. */
  minAmount?: string | null;
  maxAmount?: string | null;
  /** By creation, both inclusive. */
  from?: Date | null;
  to?: Date | null;
  /** By the end of a reservation that is still held, both inclusive. */
  authorizationExpiresFrom?: Date | null;
  authorizationExpiresTo?: Date | null;
}

/** EXPIRING_SOONEST lists what has a reservation that is still held, and nothing else. */
export const paymentOrders = ['NEWEST', 'OLDEST', 'EXPIRING_SOONEST'] as const;
export type PaymentOrder = (typeof paymentOrders)[number];

/** The filter with the order, of which one tells what is listed, too; absent: the newest first. */
export type PaymentQuery = PaymentFilter & { order?: PaymentOrder };

interface PaymentPlace {
  at: Date;
  paymentId: string;
}

export type PaymentSlice = Slice<PaymentPlace>;

export function orderedTime(order: PaymentOrder | undefined): 'createdAt' | 'authorizationExpiresAt' {
  return order === 'EXPIRING_SOONEST' ? 'authorizationExpiresAt' : 'createdAt';
}

/** The parts of a cursor; any order but the usual one is part of it. */
export function placeIn(order: PaymentOrder): (payment: Payment) => (string | number)[] {
  return (payment) => {
    const place = [payment[orderedTime(order)]?.getTime() ?? 0, payment.paymentId];
    return order === 'NEWEST' ? place : [order, ...place];
  };
}

/** Refuses with `invalidInput` what is no cursor of this list and order. */
export function paymentAt(order: PaymentOrder): (cursor: string, field: CursorField) => PaymentPlace {
  return (cursor, field) => {
    const parts = parseCursor(cursor, order === 'NEWEST' ? 2 : 3, field);
    const [time, paymentId] = parts.slice(-2);
    if ((order !== 'NEWEST' && parts[0] !== order) || !Number.isSafeInteger(time) || !isUuid(paymentId))
      throw notOfThisList(field);
    return { at: new Date(Number(time)), paymentId };
  };
}
