// Broken envelopes through create token: one answer for all of cryptography, one for all of format (figure I6; its time: jwe-timing.test.ts).
import { proof } from '../faults/proof';
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
