// How a client of live events is, from how its subscriptions are: one that ended says nothing of the others, and nothing once it was left.
import { createConnectionTurns } from '../../clients/events/connection-turns';
import {
  createFollowing,
  type Ending,
  type EventsState,
  type EventsTurn,
  type FollowOnce,
} from '../../clients/events/following';

const turns = {
  connected: () => undefined,
  closed: () => undefined,
  refused: () => undefined,
  next: async () => undefined,
  isFinal: () => true,
};
const sink = { next: () => undefined, error: () => undefined, complete: () => undefined };

/** Subscriptions whose way is told from outside. */
function begin() {
  const states: EventsState[] = [];
  const following = createFollowing((state) => states.push(state));
  function subscribe() {
    let turn: EventsTurn | undefined;
    let end: (ending: Ending) => void = () => undefined;
    const once: FollowOnce = (_request, over, given) => {
      turn = given;
      return new Promise((resolve) => {
        end = resolve;
        over.addEventListener('abort', () => resolve({ isFinal: true, error: null }));
      });
    };
    const stop = following.start(once, turns, { request: { variables: {} }, sink });
    const refuse = async (error: unknown) => {
      end({ isFinal: true, error });
      await new Promise(setImmediate);
    };
    return { live: () => turn?.state('live'), refuse, stop };
  }
  return { states, subscribe };
}

it('stays live while one of two is refused, and is ended when both are', async () => {
  const { states, subscribe } = begin();
  const [first, second] = [subscribe(), subscribe()];
  first.live();
  second.live();
  await second.refuse([{ message: 'No such job.' }]);
  expect(states).toEqual(['connecting', 'live']);
  await first.refuse({ code: 4401 });
  expect(states).toEqual(['connecting', 'live', 'ended']);
});

it('is idle once what was refused is left, and can begin anew', async () => {
  const { states, subscribe } = begin();
  const refused = subscribe();
  await refused.refuse([{ message: 'No.' }]);
  refused.stop();
  expect(states).toEqual(['connecting', 'ended', 'idle']);
  const next = subscribe();
  next.live();
  expect(states.at(-1)).toBe('live');
  next.stop();
});

afterEach(() => jest.restoreAllMocks());

it('waits twice as long after each refusal, once for all that were refused together', async () => {
  const waits = jest.spyOn(globalThis, 'setTimeout');
  jest.spyOn(Math, 'random').mockReturnValue(1);
  const turned = createConnectionTurns({ retryMs: 1, retryMsMax: 6 });
  turned.connected();
  for (const together of [1, 2, 3, 1]) {
    for (let each = 0; each < together; each += 1) turned.refused();
    await turned.next(new AbortController().signal);
  }
  expect(waits.mock.calls.map(([, delayMs]) => delayMs)).toEqual([2, 4, 6, 6]);
});

const refusedWith = (...codes: string[]) => codes.map((code) => ({ message: code, extensions: { code } }));

it.each([
  ['unavailable', refusedWith('unavailable'), false],
  ['rateLimited', refusedWith('rateLimited'), false],
  ['internal', refusedWith('internal', 'unavailable'), false],
  ['one that stays beside one that passes', refusedWith('unavailable', 'forbidden'), true],
  ['without a code', [{ message: 'no' }], true],
  ['a list of nothing', [], true],
])('a refusal is for good unless all of it passes: %s', (_what, errors, isForGood) => {
  expect(createConnectionTurns({ retryMs: 1, retryMsMax: 1 }).isFinal(errors)).toBe(isForGood);
});
