// One page of a list: what follows a place in its order, and how many the whole list has where somebody asks for that.
import type { CollationOptions, Collection, Document, Filter } from 'mongodb';
import { withoutUndefined } from '../present-members';
import { boundedCount } from './bounded-count';
import { boundedList } from './bounded-list';
import { cutToPage, type Page } from './page';

export interface ListQuery {
  /** What belongs to the list; starts from the tenant filter. */
  filter: Document;
  /** What of it follows the place where the page begins; null: all. */
  beyond: Document | null;
  /** Names the slots of the rows; absent where they have none. Totals do not name them: they are counted by keys that do not hold the slot. */
  slots?: { slot?: object };
  sort: Record<string, 1 | -1>;
  size: number;
}

interface PageOptions {
  /** These members alone. */
  projection?: Document;
  /** How texts compare while rows are found, of the filter and of the order; absent, and in totals: by their code points. */
  collation?: CollationOptions | undefined;
  /** The order whose indexes totals are counted by; absent: that of the page. An index with a collation serves no filter without one, and the other way round. */
  countedAlong?: Record<string, 1 | -1>;
}

/** Refuses with `unavailable` where too few are found in time. */
export async function listPage<Stored extends Document, Item>(
  records: Collection<Stored>,
  { filter, beyond, slots, sort, size, collation, countedAlong = sort, projection }: ListQuery & PageOptions,
  itemOf: (stored: Stored) => Item,
): Promise<Page<Item>> {
  const from = { ...placed(filter, beyond), ...slots } as Filter<Stored>;
  const options = { sort, limit: size + 1, ...withoutUndefined({ collation, projection }) };
  const found = await boundedList(records, from, options);
  return cutToPage(found, size, itemOf, () => boundedCount(records, filter, { sort: countedAlong }));
}

/** A list from a place on. */
export function placed(filter: Document, beyond: Document | null): Document {
  return beyond ? { $and: [filter, beyond] } : filter;
}
