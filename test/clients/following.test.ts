// How a client of live events is, from how its subscriptions are: one that ended says nothing of the others, and nothing once it was left.
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
