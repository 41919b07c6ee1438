// How ledger entries are asked for: filter, order, place.
import type { Slice } from '../../shared/lists/list-order';
import type { EntryAction } from './journal';

export interface EntryFilter {
  /** Any of these. */
  merchantIds?: readonly string[] | null;
  actions?: readonly EntryAction[] | null;
  currencies?: readonly string[] | null;
  /** By when it happened, both inclusive. */
  from?: Date | null;
  to?: Date | null;
  /** Minor units, both inclusive; negative ones are of adjustments. */
  minAmount?: string | null;
  maxAmount?: string | null;
}

export const entryOrders = ['NEWEST', 'LARGEST'] as const;
export type EntryOrder = (typeof entryOrders)[number];

export interface EntryPlace {
  at: Date | bigint;
  id: string;
}

export interface EntrySlice extends Slice<EntryPlace> {
  order: EntryOrder;
}
