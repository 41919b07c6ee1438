// The list of ledger entries for the graph: what moved the money of the merchants that the caller may see.
import type DataLoader from 'dataloader';
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
import { requestLoader } from '../../shared/store/loaders';
import { narrowed } from '../listed-merchants';
import type { EntryFilter, EntryOrder, EntryPlace } from './entry-query';
import type { EntryQueryRepository } from './entry-query.repository';
import type { JournalEntry } from './journal';

/** Absent and foreign ones look alike. */
export function entryLoader(
  context: RequestContext,
  entries: EntryQueryRepository,
): DataLoader<string, JournalEntry | null> {
  return requestLoader(
    context,
    'LedgerEntry',
    (ids) => entries.findMany(context.caller, ids),
    ({ entryId }) => entryId,
  );
}

export interface EntryListArguments extends PageArguments {
  filter?: EntryFilter | null;
  orderBy?: EntryOrder | null;
}

/** Refuses with `invalidInput`, `amountInvalid`, `timesReversed`. */
export async function entriesOf(
  entries: EntryQueryRepository,
  { caller }: RequestContext,
  { filter, orderBy, ...asked }: EntryListArguments,
): Promise<Connection<JournalEntry>> {
  const order = orderBy ?? 'NEWEST';
  const slice = { ...readSlice(asked, entryAt(order)), order };
  const own = narrowed(filter ?? {}, caller);
  const page = await entries.list(caller, own, slice);
  const cursorOf = ({ occurredAt, amountMinor, entryId }: JournalEntry) => [
    order,
    order === 'NEWEST' ? occurredAt.getTime() : amountMinor.toString(),
    entryId,
  ];
  return connection(page, slice, cursorOf);
}

/** The order is part of a cursor, so that one of another order is refused. */
function entryAt(order: EntryOrder): (cursor: string, field: CursorField) => EntryPlace {
  return (cursor, field) => {
    const [of, at, id] = parseCursor(cursor, 3, field);
    const isPlace = order === 'NEWEST' ? Number.isSafeInteger(at) : /^-?\d{1,18}$/.test(String(at));
    if (of !== order || !isPlace) throw notOfThisList(field);
    return { at: order === 'NEWEST' ? new Date(Number(at)) : BigInt(String(at)), id: String(id) };
  };
}
