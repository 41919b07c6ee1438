// Load, decide, save in a race: how often and how long the loser tries.
import { decideAgain } from '../../subgraphs/shared/store/decide-again';
import { DuplicateKey, WriteConflict } from '../../subgraphs/shared/store/unit-of-work';

const conflict = () => new WriteConflict('moved');
const duplicate = () => new DuplicateKey('orders', { orderId: 1 });

/** Fails so often, then answers. */
function failing(times: number, failure: () => Error) {
  let tries = 0;
  const run = async () => {
    tries += 1;
    if (tries <= times) throw failure();
    return 'saved';
  };
  return { run, tries: () => tries };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it.each([
  ['four conflicts', 4, conflict, 'saved', 5],
  ['more conflicts than a count would allow', 30, conflict, 'saved', 31],
  ['four taken keys', 4, duplicate, 'saved', 5],
  ['a key that stays taken', 100, duplicate, 'conflict', 5],
  ['what is no race', 1, () => new TypeError('defect'), 'defect', 1],
])('%s', async (_name, times, failure, told, tries) => {
  const { run, tries: tried } = failing(times, failure);
  const outcome = decideAgain(run).catch((error: Error & { code?: string }) => error.code ?? error.message);
  await jest.advanceTimersByTimeAsync(10_000);
  expect([await outcome, tried()]).toEqual([told, tries]);
});

it('gives up a race that is lost for five seconds', async () => {
  const { run, tries } = failing(Number.POSITIVE_INFINITY, conflict);
  const outcome = decideAgain(run).catch((error: { code?: string }) => error.code);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await outcome).toBe('conflict');
  expect(tries()).toBeGreaterThan(20);
});
