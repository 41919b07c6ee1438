// Relay connections: opaque cursors over a stable order, and a page size with a bound.
import { DomainError } from '../errors';

export const pageSizeDefault = 20;
const pageSizeMax = 100;

/** Of every list: from its beginning, or from its end. */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** A page as it is asked for: from `cursor` on in one direction. */
export interface Paging {
  size: number;
  cursor: string | null;
  isBackward: boolean;
}

/** How many a list has; counting ends at a bound, and then there are at least so many. */
export interface TotalCount {
  value: number;
  isExact: boolean;
}

/** One page as the repositories return it. */
export interface Page<Item> {
  items: Item[];
  hasNextPage: boolean;
  /** Counts the whole list, where somebody asks for that. */
  count: () => Promise<TotalCount>;
}

export interface Connection<Item> extends Pick<Page<Item>, 'count'> {
  edges: { cursor: string; node: Item }[];
  pageInfo: PageInfo;
}

/** Of a list that has nothing. */
export const emptyPage: Page<never> = {
  items: [],
  hasNextPage: false,
  count: async () => ({ value: 0, isExact: true }),
};

/** The page of that size, of what was looked for with a limit of one more. */
export function cutToPage<Stored, Item>(
  found: readonly Stored[],
  size: number,
  itemOf: (stored: Stored) => Item,
  count: Page<Item>['count'],
): Page<Item> {
  return { items: found.slice(0, size).map(itemOf), hasNextPage: found.length > size, count };
}

interface PageInfo {
  hasNextPage: boolean;
  /** What a cursor names stands before the page that it begins. */
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/** The bounded page size of a request; refuses what is outside 1 to `pageSizeMax`. */
export function pageSize(first: number | null | undefined, field: 'first' | 'last' = 'first'): number {
  const size = first ?? pageSizeDefault;
  if (!Number.isInteger(size) || size < 1 || size > pageSizeMax) {
    throw new DomainError('invalidInput', `${field} is ${size}; expected 1 to ${pageSizeMax}`, { field });
  }
  return size;
}

/** Forward by first and after, or backward by last and before; both at once is refused. */
export function readPaging({ first, after, last, before }: PageArguments): Paging {
  const isGiven = (value: unknown) => value !== null && value !== undefined;
  if (!isGiven(last) && !isGiven(before)) return { size: pageSize(first), cursor: after || null, isBackward: false };
  if (isGiven(first) || isGiven(after))
    throw new DomainError('invalidInput', 'page by first and after, or by last and before', { field: 'last' });
  return { size: pageSize(last, 'last'), cursor: before || null, isBackward: true };
}

export function printCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The argument that a cursor came in. */
export type CursorField = 'after' | 'before';

/** Reads a cursor made by `printCursor` with that many parts; anything else is refused. */
export function parseCursor(cursor: string, length: number, field: CursorField = 'after'): (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isPart = (part: unknown) => typeof part === 'string' || typeof part === 'number';
    if (Array.isArray(parts) && parts.length === length && parts.every(isPart)) return parts;
  } catch {
    // fall through to the one refusal below
  }
  throw notOfThisList(field);
}

/** What a cursor is refused with that names no place of the list. */
export function notOfThisList(field: CursorField): DomainError {
  return new DomainError('invalidInput', `${field} is not a cursor of this list`, { field });
}

/** What was read backward is turned around; what the cursor of the question names stands on the other side. */
export function connection<Item>(
  { items, hasNextPage: hasMore, count }: Page<Item>,
  { cursor, isBackward }: Pick<Paging, 'cursor' | 'isBackward'>,
  cursorOf: (item: Item) => readonly (string | number)[],
): Connection<Item> {
  const inOrder = isBackward ? items.toReversed() : items;
  const edges = inOrder.map((node) => ({ cursor: printCursor(cursorOf(node)), node }));
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  const [hasNextPage, hasPreviousPage] = isBackward ? [cursor !== null, hasMore] : [hasMore, cursor !== null];
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor }, count };
}

/** Of a list that has nothing for the caller. */
export const emptyConnection: Connection<never> = connection(emptyPage, { cursor: null, isBackward: false }, () => []);
