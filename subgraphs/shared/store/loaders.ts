// DataLoaders that live as long as one request: every reference resolver and every look-up by id goes through one.
import DataLoader from 'dataloader';
import type { RequestContext } from '../callers/context';

/** Ids of one query. */
const batchMax = 500;

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
    { maxBatchSize: batchMax },
  );
  context.loaders.set(name, loader);
  return loader;
}

type LoadList<Value> = (ids: readonly string[]) => Promise<(Value | null)[]>;

interface Batch<Value> {
  ids: string[];
  found: ReadonlyMap<string, Value>;
  read: Promise<void>;
}

/** The same for whole lists: one query for all that are asked for in a turn, each id once in a request, and a promise for the list instead of one for each. */
export function requestListLoader<Value>(
  context: RequestContext,
  name: string,
  { loadMany, keyOf }: { loadMany: (ids: readonly string[]) => Promise<Value[]>; keyOf: (value: Value) => string },
): LoadList<Value> {
  const listName = `list of ${name}`;
  const known = context.loaders.get(listName);
  if (known) return known as LoadList<Value>;
  const batchOf = new Map<string, Batch<Value>>();
  let open: Batch<Value> | null = null;

  function begin(): Batch<Value> {
    const batch: Batch<Value> = { ids: [], found: new Map(), read: Promise.resolve() };
    batch.read = allAsked().then(async () => {
      if (open === batch) open = null;
      batch.found = new Map((await loadMany(batch.ids)).map((value) => [keyOf(value), value]));
    });
    return batch;
  }

  const load: LoadList<Value> = async (ids) => {
    const batches = ids.map((id) => {
      const asked = batchOf.get(id);
      if (asked) return asked;
      if (!open || open.ids.length >= batchMax) open = begin();
      open.ids.push(id);
      batchOf.set(id, open);
      return open;
    });
    await Promise.all([...new Set(batches)].map(({ read }) => read));
    return ids.map((id, index) => batches[index]?.found.get(id) ?? null);
  };
  context.loaders.set(listName, load);
  return load;
}

/** When everything that could be asked for in this turn has been, as a DataLoader waits. */
async function allAsked(): Promise<void> {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
}
