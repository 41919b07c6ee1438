// Lists inside lists: one page of children for each of many parents, in one query, shared by all parents of a request that ask for the same slice.

import DataLoader from 'dataloader';
import type { Document } from 'mongodb';
import type { Connection } from 'mongoose';
import type { RequestContext } from '../callers/context';
import { driverDatabase } from '../store/collection-of';
import { countedInTime, countIn, countMsMax, countStages, totalOf, unknownTotal } from './bounded-count';
import { endedInTime, listMsMax } from './bounded-list';
import { type ListQuery, placed } from './list-page';
import { cutToPage, emptyPage, type Page, type TotalCount } from './page';

export interface ChildTarget {
  connection: Connection;
  collection: string;
  /** The children's field that names their parent; indexed together with the order. */
  parentField: string;
  /** Whole numbers of 64 bits are read as bigints. */
  useBigInt64?: boolean;
}

export interface ChildQuery extends ListQuery {
  parentIds: readonly string[];
}

/** Every parent id has a page, if only an empty one. */
export async function childPages<Stored extends Document, Item>(
  target: ChildTarget,
  { parentIds, filter, beyond, slots, sort, size }: ChildQuery,
  itemOf: (stored: Stored) => Item,
): Promise<Map<string, Page<Item>>> {
  const { connection, collection, parentField, useBigInt64 = false } = target;
  const pipeline = [{ $match: { ...placed(filter, beyond), ...slots } }, { $sort: sort }, { $limit: size + 1 }];
  const stages = [
    { $documents: parentIds.map((parentId) => ({ parentId })) },
    { $lookup: { from: collection, localField: 'parentId', foreignField: parentField, pipeline, as: 'children' } },
  ];
  const options = { useBigInt64, maxTimeMS: listMsMax };
  const found = driverDatabase(connection)
    .aggregate<{ parentId: string; children: Stored[] }>(stages, options)
    .toArray();
  const rows = await endedInTime(found);
  const counted = { ...target, filter, along: countStages(sort) };
  const countOf = countsTogether((ids) => childCounts({ ...counted, parentIds: ids }));
  return new Map(
    rows.map(({ parentId, children }) => [parentId, cutToPage(children, size, itemOf, () => countOf(parentId))]),
  );
}

/** The count of one parent: those that are asked for in one tick share one query. */
export function countsTogether(
  count: (parentIds: readonly string[]) => Promise<Map<string, TotalCount>>,
): (parentId: string) => Promise<TotalCount> {
  const loader = new DataLoader<string, TotalCount>(
    async (parentIds) => {
      const counts = await count(parentIds);
      return parentIds.map((parentId) => counts.get(parentId) ?? unknownTotal);
    },
    { maxBatchSize: 100 },
  );
  return (parentId) => loader.load(parentId);
}

/** How many children each of many parents has, up to a bound, in one query. */
export async function childCounts({
  connection,
  collection,
  parentField,
  parentIds,
  filter,
  along = countStages(null),
}: ChildCount): Promise<Map<string, TotalCount>> {
  const pipeline = [{ $match: filter }, ...along];
  const stages = [
    { $documents: parentIds.map((parentId) => ({ parentId })) },
    { $lookup: { from: collection, localField: 'parentId', foreignField: parentField, pipeline, as: 'counted' } },
  ];
  const found = driverDatabase(connection).aggregate<{ parentId: string; counted: Document[] }>(stages, {
    maxTimeMS: countMsMax,
  });
  const rows = (await countedInTime(found.toArray())) ?? [];
  const counts = new Map(rows.map(({ parentId, counted }) => [parentId, totalOf(countIn(counted))]));
  return new Map(parentIds.map((id) => [id, counts.get(id) ?? unknownTotal]));
}

interface ChildCount extends ChildTarget {
  parentIds: readonly string[];
  filter: Document;
  /** The stages that count the children of one; absent: as the database finds them. */
  along?: Document[];
}

/** The request's loader of one field and its arguments; parents without children load an empty page. */
export function childPageLoader<Item>(
  context: RequestContext,
  field: string,
  slice: unknown,
  loadPages: (parentIds: readonly string[]) => Promise<Map<string, Page<Item>>>,
): DataLoader<string, Page<Item>> {
  const key = JSON.stringify([field, slice]);
  const known = context.loaders.get(key);
  if (known) return known as DataLoader<string, Page<Item>>;
  const loader = new DataLoader<string, Page<Item>>(
    async (parentIds) => {
      const pages = await loadPages(parentIds);
      return parentIds.map((parentId) => pages.get(parentId) ?? emptyPage);
    },
    { maxBatchSize: 100 },
  );
  context.loaders.set(key, loader);
  return loader;
}

/** The same for how many each parent has. */
export function childCountLoader(
  context: RequestContext,
  field: string,
  filter: unknown,
  count: (parentIds: readonly string[]) => Promise<Map<string, TotalCount>>,
): DataLoader<string, TotalCount> {
  const key = JSON.stringify(['count', field, filter]);
  const known = context.loaders.get(key);
  if (known) return known as DataLoader<string, TotalCount>;
  const loader = new DataLoader<string, TotalCount>(
    async (parentIds) => {
      const counts = await count(parentIds);
      return parentIds.map((parentId) => counts.get(parentId) ?? { value: 0, isExact: true });
    },
    { maxBatchSize: 100 },
  );
  context.loaders.set(key, loader);
  return loader;
}
