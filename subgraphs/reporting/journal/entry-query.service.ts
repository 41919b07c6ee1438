// The list of ledger entries for the graph: what moved the money of the merchants that the caller may see.
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import {
  type Connection,
  parseCursor,
  readPaging,
  type TwoWayArguments,
  twoWayConnection,
} from '../../shared/lists/page';
import { narrowed } from '../listed-merchants';
import type { EntryFilter, EntryOrder, EntrySlice } from './entry-query';
import type { EntryQueryRepository } from './entry-query.repository';
import type { JournalEntry } from './journal';

export interface EntryListArguments extends TwoWayArguments {
  filter?: EntryFilter | null;
  orderBy?: EntryOrder | null;
}

/** Refuses with `invalidInput`, `amountInvalid`, `timesReversed`. */
export async function entriesOf(
  entries: EntryQueryRepository,
  { caller }: RequestContext,
  { filter, orderBy, ...asked }: EntryListArguments,
): Promise<Connection<JournalEntry>> {
  const paging = readPaging(asked);
  const order = orderBy ?? 'NEWEST';
  const slice = { ...paging, order, after: placeOf(order, paging.cursor) };
  const own = narrowed(filter ?? {}, caller);
  const page = await entries.list(caller, own, slice);
  const cursorOf = ({ occurredAt, amountMinor, entryId }: JournalEntry) => [
    order,
    order === 'NEWEST' ? occurredAt.getTime() : amountMinor.toString(),
    entryId,
  ];
  return twoWayConnection(page, paging, cursorOf);
}

/** The order is part of a cursor, so that one of another order is refused. */
function placeOf(order: EntryOrder, cursor: string | null): EntrySlice['after'] {
  if (cursor === null) return null;
  const [of, at, id] = parseCursor(cursor, 3);
  const isPlace = order === 'NEWEST' ? Number.isSafeInteger(at) : /^-?\d{1,18}$/.test(String(at));
  if (of !== order || !isPlace)
    throw new DomainError('invalidInput', 'after is not a cursor of this list', { field: 'after' });
  return { at: order === 'NEWEST' ? new Date(Number(at)) : BigInt(String(at)), id: String(id) };
}
