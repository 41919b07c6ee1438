// Work of the janitor and of settlement, many items side by side: what they read and write meets in the same groups, so that a round trip serves all of them.

/**
 * Does `work` for each item, `width` of them at a time and in any order. A failure keeps none of the others; the first one is thrown when all
 * have ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const lane = async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      await work(next.value).catch((error) => failures.push(error));
  };
  const lanes = await Promise.allSettled(Array.from({ length: width }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') failures.push(ended.reason);
  if (failures.length > 0) throw failures[0];
}

/** What `take` hands out until nothing is left, `max` of them at most. */
export async function* taken<Item>(max: number, take: () => Promise<Item | null>): AsyncGenerator<Item> {
  for (let count = 0; count < max; count += 1) {
    const item = await take();
    if (item === null) return;
    yield item;
  }
}

/** Repeats a round as long as there is more to do, for `msMax` of real time or until `stopping`; what is left is left to the next call. */
export async function inRounds(
  { msMax, stopping }: { msMax: number; stopping?: AbortSignal | undefined },
  round: () => Promise<{ hasMore: boolean }>,
): Promise<void> {
  const until = performance.now() + msMax;
  while ((await round()).hasMore && performance.now() < until && !stopping?.aborted);
}
