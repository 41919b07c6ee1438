// Lanes of one process take turns with what fills no batch: one publishes at a time, in order, and nobody waits for one who hangs.
import { once } from 'node:events';
import { reignOverLog } from '../../workers/outbox-reign';
import { createTurns, type TakeTurn } from '../../workers/running';
import { eventually } from '../support/stores';
import { openWorld, type World } from './world';

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

test('nobody waits longer than the limit, neither for one who hangs nor for many before it', async () => {
  const take = createTurns(20);
  await take();
  const turns = await Promise.all(Array.from({ length: 50 }, take));
  expect(turns).toHaveLength(50);
});

describe('the leader of a lane', () => {
  let world: World;
  let stopping: AbortController;
  let over: Promise<unknown>;
  beforeEach(async () => {
    world = await openWorld();
    stopping = new AbortController();
  });
  afterEach(async () => {
    stopping.abort();
    await over;
    await world.close();
  });

  const waiting = async () => (await world.notifications.stores.events.unpositioned(1)).length > 0;

  async function lead(takeTurn: TakeTurn, fence = 1): Promise<void> {
    const { stores, log, clock, notifications } = world;
    const [lane] = await notifications.stores.events.lanes.lanes();
    if (!lane) throw new Error('one lane');
    const session = stores.product.getClient().startSession();
    const turn = { signal: stopping.signal, moved: () => undefined };
    const leading = { lane, turn, reign: { fence, session }, renew: async () => true };
    const deps = { stores: notifications.stores, log, clock, takeTurn };
    over = reignOverLog(deps, leading, () => undefined).catch((error: unknown) => error);
  }

  test('publishes what fills no batch when it has the turn, and gives it back', async () => {
    let give = () => {};
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    let asked = 0;
    let ended = 0;
    await world.happen({});
    await lead(async () => {
      asked += 1;
      await given;
      return () => {
        ended += 1;
      };
    });
    await eventually(() => asked === 1);
    expect([await waiting(), ended]).toEqual([true, 0]);
    give();
    await eventually(async () => !(await waiting()));
    await eventually(() => ended > 0);
  });

  test('gives the turn back where it could not publish', async () => {
    await world.stores.connection.collection('event_lanes').updateMany({}, { $set: { fence: 5 } });
    await world.happen({});
    let ended = 0;
    const end = () => {
      ended += 1;
    };
    await lead(async () => end, 4);
    expect(await over).toMatchObject({ message: expect.stringContaining('another process leads this lane') });
    expect(ended).toBe(1);
  });

  test('waits for nobody with a whole batch', async () => {
    await world.happen(...Array.from({ length: 500 }, () => ({})));
    // What the stream brings of it again fills none, and is asked for while the leader stops, or after.
    await lead(async () => {
      if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
      return () => undefined;
    });
    await eventually(async () => !(await waiting()));
  });
});
