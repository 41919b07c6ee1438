// Lists inside lists: all parents of one request that ask for the same slice share one query.
import DataLoader from 'dataloader';
import type { RequestContext } from '../callers/context';
import { emptyPage, type Page, type TotalCount } from './page';

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
