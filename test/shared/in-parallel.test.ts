// Many items side by side: no more than the width at once, each once, and none kept by another's failure.
import { inParallel, inRounds, taken } from '../../subgraphs/shared/store/in-parallel';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('inParallel', () => {
  test.each([
    [1, 1],
    [4, 4],
    [50, 10],
  ])('width %d: %d at once, each of ten once', async (width, most) => {
    const seen: number[] = [];
    let [now, highest] = [0, 0];
    await inParallel(
      Array.from({ length: 10 }, (_, index) => index),
      width,
      async (item) => {
        now += 1;
        highest = Math.max(highest, now);
        await turn();
        seen.push(item);
        now -= 1;
      },
    );
    expect(seen.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(highest).toBe(most);
  });

  test('a failure keeps none of the others, and the first is thrown when all have ended', async () => {
    const done: number[] = [];
    const run = inParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
      await turn();
      if (item % 3 === 0) throw new Error(`item ${item}`);
      done.push(item);
    });
    await expect(run).rejects.toThrow('item 0');
    expect(done).toEqual([1, 2, 4, 5]);
  });

  test('what is taken from a queue is taken once, up to the limit', async () => {
    const queue = [1, 2, 3, 4, 5];
    const taking = (max: number) => taken(max, async () => queue.shift() ?? null);
    const seen: number[] = [];
    const keep = async (item: number) => void seen.push(item);
    await inParallel(taking(3), 2, keep);
    expect(seen.sort()).toEqual([1, 2, 3]);
    await inParallel(taking(3), 2, keep);
    expect(seen.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('a queue that cannot be read is a failure, after what was taken has ended', async () => {
    const done: number[] = [];
    let count = 0;
    const queue = taken(5, async () => {
      count += 1;
      if (count === 2) throw new Error('away');
      return count;
    });
    const run = inParallel(queue, 3, async (item) => {
      await turn();
      done.push(item);
    });
    await expect(run).rejects.toThrow('away');
    expect(done).toEqual([1]);
  });
});

test.each([
  ['while there is more', 60_000, false, 3],
  ['no longer than their time', 0, false, 1],
  ['until somebody stops them', 60_000, true, 1],
])('rounds follow each other %s', async (_name, msMax, isStopped, rounds) => {
  let count = 0;
  const stopping = new AbortController();
  if (isStopped) stopping.abort();
  await inRounds({ msMax, stopping: stopping.signal }, async () => {
    count += 1;
    return { hasMore: count < 3 };
  });
  expect(count).toBe(rounds);
});
