// Relay connections: opaque cursors over a stable order, and a page size with a bound.
import { DomainError } from '../errors';

export const pageSizeDefault = 20;
const pageSizeMax = 100;

export interface PageArguments {
  first?: number | null;
  after?: string | null;
}

/** One page as the repositories return it: `position` of an item is what its cursor hides. */
export interface Page<Item> {
  items: Item[];
  hasNextPage: boolean;
}

export interface Connection<Item> {
  edges: { cursor: string; node: Item }[];
  pageInfo: PageInfo;
}

interface PageInfo {
  hasNextPage: boolean;
  /** What a cursor names stands before the page that it begins. */
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/** The bounded page size of a request; refuses what is outside 1 to `pageSizeMax`. */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? pageSizeDefault;
  if (!Number.isInteger(size) || size < 1 || size > pageSizeMax) {
    throw new DomainError('invalidInput', `first is ${size}; expected 1 to ${pageSizeMax}`, { field: 'first' });
  }
  return size;
}

export function printCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads a cursor made by `printCursor` with that many parts; anything else is refused. */
export function parseCursor(cursor: string, length: number): (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isPart = (part: unknown) => typeof part === 'string' || typeof part === 'number';
    if (Array.isArray(parts) && parts.length === length && parts.every(isPart)) return parts;
  } catch {
    // fall through to the one refusal below
  }
  throw new DomainError('invalidInput', 'after is not a cursor of this list', { field: 'after' });
}

/** The place in a list that is newest first: time in milliseconds, and the id that orders what is of one time. */
export function parseTimeCursor(cursor: string): { atMs: number; id: string } {
  const [atMs, id] = parseCursor(cursor, 2);
  if (typeof id === 'string' && typeof atMs === 'number' && !Number.isNaN(new Date(atMs).getTime()))
    return { atMs, id };
  throw new DomainError('invalidInput', 'after is not a cursor of this list', { field: 'after' });
}

/** `after` is the cursor that the page was asked for with. */
export function connection<Item>(
  { items, hasNextPage }: Page<Item>,
  after: string | null | undefined,
  cursorOf: (item: Item) => readonly (string | number)[],
): Connection<Item> {
  const edges = items.map((node) => ({ cursor: printCursor(cursorOf(node)), node }));
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  return { edges, pageInfo: { hasNextPage, hasPreviousPage: Boolean(after), startCursor, endCursor } };
}
