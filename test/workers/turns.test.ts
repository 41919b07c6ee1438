// Lanes of one process take turns: one publishes at a time, in order, and nobody waits for one who hangs.
import { createTurns } from '../../workers/running';

/** Longer than any test: whoever waits for it waits for a turn alone. */
const never = 900_000;

test('one has the turn at a time, in the order in which they asked', async () => {
  const take = createTurns(never);
  const said: string[] = [];
  const serve = async (name: string) => {
    const end = await take();
    said.push(`${name} begins`);
    await new Promise(setImmediate);
    said.push(`${name} ends`);
    end();
  };
  await Promise.all(['a', 'b', 'c'].map(serve));
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('a turn that fails is over like any other', async () => {
  const take = createTurns(never);
  const end = await take();
  await expect(Promise.reject(new Error('fenced')).finally(end)).rejects.toThrow('fenced');
  (await take())();
});

test('nobody waits longer than the limit, neither for one who hangs nor for many before it', async () => {
  const take = createTurns(20);
  await take();
  const turns = await Promise.all(Array.from({ length: 50 }, take));
  expect(turns).toHaveLength(50);
});
