// One page of children for each of many parents, in one query: a list inside a list costs one look-up, not one per parent.
import type { Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { endedInTime, listMsMax } from './bounded-list';
import type { Page } from './page';

export interface ChildTarget {
  connection: Connection;
  collection: string;
  /** The children's field that names their parent; indexed together with the order. */
  parentField: string;
  /** Whole numbers of 64 bits are read as bigints. */
  useBigInt64?: boolean;
}

export interface ChildQuery {
  parentIds: readonly string[];
  /** Starts from the tenant filter. */
  filter: Document;
  sort: Record<string, 1 | -1>;
  size: number;
}

/** Newest first, for children whose ids are ordered by time; `after` is the id of the last one seen. */
export function newestById(
  filter: Document,
  { size, after }: { size: number; after: string | null },
): Omit<ChildQuery, 'parentIds'> {
  return { filter: after ? { ...filter, _id: { $lt: after } } : filter, sort: { _id: -1 }, size };
}

/** Every parent id has a page, if only an empty one. */
export async function childPages<Stored extends Document, Item>(
  { connection, collection, parentField, useBigInt64 = false }: ChildTarget,
  { parentIds, filter, sort, size }: ChildQuery,
  itemOf: (stored: Stored) => Item,
): Promise<Map<string, Page<Item>>> {
  const database = connection.db;
  if (!database) throw new Error('the connection is not open');
  const pipeline = [{ $match: filter }, { $sort: sort }, { $limit: size + 1 }];
  const stages = [
    { $documents: parentIds.map((parentId) => ({ parentId })) },
    { $lookup: { from: collection, localField: 'parentId', foreignField: parentField, pipeline, as: 'children' } },
  ];
  const options = { useBigInt64, maxTimeMS: listMsMax };
  const found = database.aggregate<{ parentId: string; children: Stored[] }>(stages, options).toArray();
  const rows = await endedInTime(found);
  return new Map(
    rows.map(({ parentId, children }) => [
      parentId,
      { items: children.slice(0, size).map(itemOf), hasNextPage: children.length > size },
    ]),
  );
}
