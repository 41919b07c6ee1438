// One page of a list: what follows a place in its order, and how many the whole list has where somebody asks for that.
import type { Document, FindCursor, FindOptions } from 'mongodb';
import { withoutAbsent } from '../present-members';
import { boundedCount, type Countable } from './bounded-count';
import { boundedList } from './bounded-list';
import { cutToPage, type Page } from './page';

export interface ListQuery {
  /** What belongs to the list; starts from the tenant filter. */
  filter: Document;
  /** What of it follows the place where the page begins; null: all. */
  beyond: Document | null;
  sort: Record<string, 1 | -1>;
  size: number;
}

/** A collection of the driver's, or a model's. */
interface Listed extends Countable {
  find(filter: Document, options: FindOptions): FindCursor<Document>;
}

/** With `projection` these members alone. Refuses with `unavailable` where too few are found in time. */
export async function listPage<Stored, Item>(
  records: Listed,
  { filter, beyond, sort, size, projection }: ListQuery & { projection?: Document },
  itemOf: (stored: Stored) => Item,
): Promise<Page<Item>> {
  const cursor = records
    .find(placed(filter, beyond), withoutAbsent({ projection: projection ?? null }))
    .sort(sort)
    .limit(size + 1);
  const found = (await boundedList(cursor)) as Stored[];
  return cutToPage(found, size, itemOf, () => boundedCount(records, filter, { sort }));
}

/** A list from a place on. */
export function placed(filter: Document, beyond: Document | null): Document {
  return beyond ? { $and: [filter, beyond] } : filter;
}
