// What lists of the books over many merchants have in common: filters by several values and by ranges, and whose rows a caller sees.
import type { Caller } from '../shared/callers/caller';
import { DomainError } from '../shared/errors';
import { assertListFilter } from '../shared/list-filter';

interface ListedFilter {
  merchantIds?: readonly string[] | null;
  minAmount?: string | null;
  maxAmount?: string | null;
  from?: Date | null;
  to?: Date | null;
}

/** The filter with the one merchant that a client or a key acts for. Refuses with `invalidInput`, `amountInvalid`, `timesReversed`. */
export function narrowed<Filter extends ListedFilter>(filter: Filter, { merchantId }: Caller): Filter {
  assertSignedAmounts(filter);
  assertListFilter(filter);
  if (merchantId === undefined) return filter;
  return { ...filter, merchantIds: (filter.merchantIds ?? [merchantId]).filter((id) => id === merchantId) };
}

/** Amounts of the books may be below nothing. Refuses with `amountInvalid`. */
export function assertSignedAmounts(filter: Pick<ListedFilter, 'minAmount' | 'maxAmount'>): void {
  for (const field of ['minAmount', 'maxAmount'] as const)
    if (!/^-?\d{1,16}$/.test(filter[field] ?? '0'))
      throw new DomainError('amountInvalid', `${field} is not 1 to 16 digits, or these behind a minus.`, { field });
}
