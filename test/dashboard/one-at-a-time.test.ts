// Counts of a list that is read anew many times a second: never two at once, and the last one is newer than the last question.
import { oneAtATime } from '../../dashboard/graph/one-at-a-time';

function work() {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const made = { begun: 0 };
  const ask = oneAtATime(
    () =>
      new Promise<void>((done, failed) => {
        made.begun += 1;
        [resolve, reject] = [done, failed];
      }),
  );
  return Object.assign(made, {
    ask,
    async end(error?: Error) {
      if (error) reject(error);
      else resolve();
      await new Promise(setImmediate);
    },
  });
}

test('asked alone it runs each time', async () => {
  const made = work();
  for (const times of [1, 2, 3]) {
    const asked = made.ask();
    await made.end();
    await asked;
    expect(made.begun).toBe(times);
  }
});

test('asked while it runs it runs once more for all of them, after the present one', async () => {
  const made = work();
  const asked = [made.ask(), made.ask(), made.ask()];
  expect(made.begun).toBe(1);
  await made.end();
  expect(made.begun).toBe(2);
  await made.end();
  await Promise.all(asked);
  expect(made.begun).toBe(2);
});

test('what fails is told to who asked, and the next one begins anew', async () => {
  const made = work();
  const failed = expect(made.ask()).rejects.toThrow('away');
  await made.end(new Error('away'));
  await failed;
  const next = made.ask();
  expect(made.begun).toBe(2);
  await made.end();
  await next;
});
