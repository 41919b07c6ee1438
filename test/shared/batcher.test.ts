// Groups: who travels with whom, who waits for whom, and who pays for a failure.
import { createBatcher, inBatches } from '../../subgraphs/shared/store/batcher';

/** A call that answers when told to, and what it was given. */
function held() {
  const calls: { items: readonly number[]; answer(): void; fail(error: Error): void }[] = [];
  const arrivals: ((call: (typeof calls)[number]) => void)[] = [];
  const run = (items: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      const call = { items, answer: () => resolve(items.map(String)), fail: reject };
      calls.push(call);
      arrivals.shift()?.(call);
    });
  /** The next call that starts. */
  const next = () => new Promise<(typeof calls)[number]>((resolve) => arrivals.push(resolve));
  return { calls, run, next };
}

test('what comes while a group is under way travels together, each with its own answer', async () => {
  const { calls, run, next } = held();
  const call = inBatches(run);
  const started = next();
  const first = call(0);
  const lone = await started;
  const later = Promise.all([1, 2, 3].map(call));
  const second = next();
  lone.answer();
  (await second).answer();
  expect([await first, await later]).toEqual(['0', ['1', '2', '3']]);
  expect(calls.map(({ items }) => items)).toEqual([[0], [1, 2, 3]]);
});

test('a group takes no more than it may, and no more groups are under way than may be', async () => {
  let underWay = 0;
  let mostUnderWay = 0;
  const sizes: number[] = [];
  const call = inBatches<number, number>(
    async (items) => {
      sizes.push(items.length);
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return [...items];
    },
    { sizeMax: 10, inFlightMax: 2, gatherMsMax: 0 },
  );
  const items = Array.from({ length: 95 }, (_, index) => index);
  expect(await Promise.all(items.map(call))).toEqual(items);
  expect([Math.max(...sizes), sizes.reduce((sum, size) => sum + size, 0), mostUnderWay]).toEqual([10, 95, 2]);
});

test('a group that gathers waits for as many as came before, as long as they took, and one alone leaves as well', async () => {
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const sizes: number[] = [];
  const tookMs = [60_000, 0, 0];
  const call = inBatches<number, number>(
    async (items) => {
      nowMs += tookMs[sizes.length] ?? 0;
      sizes.push(items.length);
      return [...items];
    },
    { sizeMax: 10, inFlightMax: 1, gatherMsMax: 60_000 },
  );
  expect(await Promise.all([1, 2].map(call))).toEqual([1, 2]);
  const third = call(3);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(await Promise.all([third, call(4)])).toEqual([3, 4]);
  expect(await call(5)).toBe(5);
  expect(sizes).toEqual([2, 2, 1]);
  clock.mockRestore();
});

test('a group that fails fails for its members only', async () => {
  const { run, next } = held();
  const call = inBatches(run);
  const started = next();
  const failing = Promise.allSettled([1, 2].map(call));
  (await started).fail(new Error('broken'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const restarted = next();
  const after = call(3);
  (await restarted).answer();
  expect(await after).toBe('3');
});

test('drain waits for those under way and for those that wait', async () => {
  const done: number[] = [];
  const groups = createBatcher<number>(async (group) => {
    await new Promise((resolve) => setImmediate(resolve));
    done.push(...group);
  });
  for (const member of [1, 2, 3]) groups.add(member);
  await groups.drain();
  expect(done).toEqual([1, 2, 3]);
  await groups.drain();
});
