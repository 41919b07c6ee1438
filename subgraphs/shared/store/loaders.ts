// DataLoaders that live as long as one request: every reference resolver and every look-up by id goes through one.
import DataLoader from 'dataloader';
import type { RequestContext } from '../callers/context';

/**
 * The request's loader of that name, made on first use.
 * `loadMany` answers in any order and leaves absent ids out; `keyOf` tells which id a value has. Absent ids load as null.
 */
export function requestLoader<Value>(
  context: RequestContext,
  name: string,
  loadMany: (ids: readonly string[]) => Promise<Value[]>,
  keyOf: (value: Value) => string,
): DataLoader<string, Value | null> {
  const known = context.loaders.get(name);
  if (known) return known as DataLoader<string, Value | null>;
  const loader = new DataLoader<string, Value | null>(
    async (ids) => {
      const byId = new Map((await loadMany(ids)).map((value) => [keyOf(value), value]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    { maxBatchSize: 500 },
  );
  context.loaders.set(name, loader);
  return loader;
}
