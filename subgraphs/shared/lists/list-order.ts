// The order of a list, read from either end: where a page begins, which way the database goes from there, and what its cursors say.
import { isUuid } from '../ids';
import type { ListQuery } from './list-page';
import { newerThan, type OrderedPlace, olderThan } from './newest-first';
import { type CursorField, notOfThisList, type PageArguments, type Paging, parseCursor, readPaging } from './page';

/** A page behind a place in the order; backward is towards its beginning. */
export interface Slice<Place> {
  size: number;
  after: Place | null;
  isBackward?: boolean;
}

/** A moment, and the id that orders what is of one moment. */
export interface TimePlace {
  at: Date;
  id: string;
}

/** What an order makes of a slice. */
type InOrder = Pick<ListQuery, 'beyond' | 'sort' | 'size'>;

/** The page that was asked for, with the place that its cursor names. Refuses with `invalidInput`. */
export function readSlice<Place>(
  asked: PageArguments,
  placeAt: (cursor: string, field: CursorField) => Place,
): Paging & { after: Place | null } {
  const paging = readPaging(asked);
  const { cursor, isBackward } = paging;
  return { ...paging, after: cursor === null ? null : placeAt(cursor, isBackward ? 'before' : 'after') };
}

/** Along a field that each has another value of; rising unless the list is newest first. */
export function alongKey(field: string, slice: Slice<string | number>, way: 1 | -1 = 1): InOrder {
  const { size, after, isBackward = false } = slice;
  const towards = isBackward ? turned(way) : way;
  const beyond = after === null ? null : { [field]: { [towards === 1 ? '$gt' : '$lt']: after } };
  return { beyond, sort: { [field]: towards }, size };
}

/** Along a time, a day or an amount, and of those that have the same along the id; falling unless the list is oldest first. */
export function alongTime(
  field: string,
  { size, after, isBackward = false }: Slice<OrderedPlace>,
  way: 1 | -1 = -1,
): InOrder {
  const towards = isBackward ? turned(way) : way;
  const following = towards === -1 ? olderThan : newerThan;
  return { beyond: after && following(field, after), sort: { [field]: towards, _id: towards }, size };
}

function turned(way: 1 | -1): 1 | -1 {
  return way === 1 ? -1 : 1;
}

/** The cursor of a list by one id. */
export function idAt(cursor: string, field: CursorField): string {
  const [id] = parseCursor(cursor, 1, field);
  if (typeof id !== 'string') throw notOfThisList(field);
  return id;
}

/** The same where the ids are ours. */
export function uuidAt(cursor: string, field: CursorField): string {
  const id = idAt(cursor, field);
  if (!isUuid(id)) throw notOfThisList(field);
  return id;
}

/** The cursor of a list by a number. */
export function numberAt(cursor: string, field: CursorField): number {
  const [number] = parseCursor(cursor, 1, field);
  if (typeof number !== 'number') throw notOfThisList(field);
  return number;
}

/** The cursor of a list by a time, in milliseconds, and an id. */
export function timeAt(cursor: string, field: CursorField): TimePlace {
  const [time, id] = parseCursor(cursor, 2, field);
  const at = new Date(Number(time));
  if (typeof time !== 'number' || typeof id !== 'string' || Number.isNaN(at.getTime())) throw notOfThisList(field);
  return { at, id };
}
