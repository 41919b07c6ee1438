// The list of balances for the graph: what each merchant that the caller may see is owed now.
import type { RequestContext } from '../../shared/callers/context';
import { readSlice } from '../../shared/lists/list-order';
import {
  type Connection,
  type CursorField,
  connection,
  notOfThisList,
  type PageArguments,
  parseCursor,
} from '../../shared/lists/page';
import { narrowed } from '../listed-merchants';
import {
  type BalanceOrder,
  type BalanceSlice,
  type BalanceTotal,
  type BookBalance,
  type MerchantBalanceFilter,
  orderedFields,
} from './merchant-balance';
import type { MerchantBalanceRepository } from './merchant-balance.repository';

export interface BalanceListArguments extends PageArguments {
  filter?: MerchantBalanceFilter | null;
  orderBy?: BalanceOrder | null;
}

export interface BalanceList extends Connection<BookBalance> {
  totals: () => Promise<BalanceTotal[]>;
}

/** Refuses with `invalidInput`, `amountInvalid`. */
export async function merchantBalancesOf(
  balances: MerchantBalanceRepository,
  { caller }: RequestContext,
  { filter, orderBy, ...asked }: BalanceListArguments,
): Promise<BalanceList> {
  const order = orderBy ?? 'MERCHANT';
  const slice = { ...readSlice(asked, balanceAt(order)), order };
  const own = narrowed(filter ?? {}, caller);
  const page = await balances.list(caller, own, slice);
  return {
    ...connection(page, slice, (balance) => [order, ...placeIn(order, balance)]),
    totals: () => balances.totals(caller, own),
  };
}

function placeIn(order: BalanceOrder, { merchantId, currency, balanceMinor, bookId }: BookBalance): string[] {
  return order === 'MERCHANT' ? [merchantId, currency] : [currency, balanceMinor.toString(), bookId];
}

/** The order is part of a cursor, so that one of another order is refused. */
function balanceAt(order: BalanceOrder): (cursor: string, field: CursorField) => NonNullable<BalanceSlice['after']> {
  return (cursor, field) => {
    const fields = Object.keys(orderedFields[order]);
    const [of, ...place] = parseCursor(cursor, fields.length + 1, field).map(String);
    const isAmount = (value: string) => /^-?\d{1,18}$/.test(value);
    if (of !== order || !place.every((value, at) => fields[at] !== 'balanceMinor' || isAmount(value)))
      throw notOfThisList(field);
    return place.map((value, at) => (fields[at] === 'balanceMinor' ? BigInt(value) : value));
  };
}
