// Broken envelopes through create token: one answer for all of cryptography, one for all of format, in comparable time (figure I6).
import { proof } from '../faults/proof';
import { createRandom } from '../faults/random';
import { create, currentKey } from './calls';
import { isCompact, type Mutation, type MutationSources, mutationKinds, mutations } from './jwe-mutations';
import { newRecipient, openWorld, type World } from './world';

const atOnce = 16;

let world: World;
let sources: MutationSources;
beforeAll(async () => {
  world = await openWorld();
  const payload = { account: '4242424242424242', accountExpiry: '122030', cvv: '123' };
  sources = { key: await currentKey(world), stranger: newRecipient('stranger').recipient, payload };
});
afterAll(() => world.close());

proof('jwe-mutations', { smoke: { mutations: 2_000 }, full: { mutations: 10_000 } }, async ({ size, random }) => {
  const waiting = mutations(sources, size.mutations, random);
  const answers = new Map<string, Set<string>>();
  const wrong: string[] = [];
  const judge = async ({ kind, value }: Mutation) => {
    const { code, message } = await create(world, world.alpha, { encryptedData: value });
    const expected = isCompact(value) ? 'cryptographyFailed' : 'invalidInput';
    if (code !== expected) wrong.push(`${kind}: ${code} instead of ${expected}`);
    answers.set(expected, (answers.get(expected) ?? new Set()).add(message));
  };
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await judge(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect(wrong).toEqual([]);
  expect([...answers].map(([code, messages]) => [code, messages.size]).toSorted()).toEqual([
    ['cryptographyFailed', 1],
    ['invalidInput', 1],
  ]);
  return { mutations: size.mutations, kinds: mutationKinds.length, wrong: wrong.length };
});

test('no kind of failure is told from another by its time', async () => {
  const kinds = new Map<string, number[]>();
  const cryptographic = mutations(sources, mutationKinds.length * 12, createRandom(1)).filter(({ value }) =>
    isCompact(value),
  );
  for (const { kind, value } of cryptographic) {
    const startedMs = performance.now();
    await create(world, world.alpha, { encryptedData: value });
    kinds.set(kind, [...(kinds.get(kind) ?? []), performance.now() - startedMs]);
  }
  const quantile = (times: number[], q: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * q)] ?? 0;
  const all = [...kinds.values()].flat();
  const [low, high] = [quantile(all, 0.05), quantile(all, 0.95)];
  // A kind that were answered earlier or later than the others would have its middle at the edge of all answers.
  const apart = [...kinds].map(([kind, times]) => ({ kind, median: quantile(times, 0.5), low, high }));
  expect(apart.filter(({ median }) => median < low || median > high)).toEqual([]);
});
