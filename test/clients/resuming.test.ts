// What both clients promise, each in Node and in a page, before a real gateway: nothing lost and nothing twice by breaks, states that tell what is, credentials renewed, refusals told.
import { openConversations } from '../gateway/conversations';
import { eventually } from '../support/stores';
import type { Asked, Told } from './follow';
import { type Follower, type Followers, openFollowers, ways } from './followers';
import { openWire, type Wire } from './wire';

const conversations = openConversations();
const commit = () => conversations.world.commit('m-alpha');
const opened: Follower[] = [];
let followers: Followers;
let wire: Wire;

beforeAll(async () => {
  followers = await openFollowers();
});
afterAll(() => followers?.close());
beforeEach(async () => {
  wire = await openWire(conversations.world.url);
});
afterEach(async () => {
  for (const follower of opened.splice(0)) await follower.close();
  await wire.stop();
});

const count = (told: Told) => told.events.length;
const sequencesOf = ({ events }: Told) => events.map(({ sequence }) => sequence);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe.each(ways)('over $transport in $place', ({ transport, place }) => {
  /** Follows the log as far as its caller may see it. */
  async function begin(asked: Partial<Asked> = {}): Promise<Follower> {
    const follower = await followers.begin(place, { transport, url: wire.url, token: 'alpha', ...asked });
    opened.push(follower);
    return follower;
  }
  /** What it was told, once that is so. */
  const once = (follower: Follower, isSo: (told: Told) => boolean) =>
    eventually(
      async () => {
        const told = await follower.told();
        return isSo(told) ? told : null;
      },
      { timeoutMs: 60_000 },
    );
  const live = (follower: Follower) => once(follower, ({ states }) => states.at(-1) === 'live');

  test('breaks lose nothing and tell nothing twice, wherever they fall', async () => {
    const follower = await begin();
    await live(follower);
    let last = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      for (let each = 0; each < 3; each += 1) commit();
      // Before the first event there is no cursor; in the later turns some is on its way.
      if (turn < 2) await once(follower, (told) => count(told) === last + 3);
      wire.cut();
      for (let each = 0; each < 4; each += 1) commit();
      wire.mend();
      last += 7;
      await once(follower, (told) => count(told) >= last);
    }
    expect(sequencesOf(await follower.told())).toEqual(upTo(last));
  });

  test('it tells what it does: live, away, catching up, live again, and idle when nothing is followed', async () => {
    const follower = await begin();
    await live(follower);
    commit();
    await once(follower, (told) => count(told) === 1);
    wire.cut();
    await once(follower, ({ states }) => states.at(-1) === 'reconnecting');
    commit();
    wire.mend();
    const { states } = await live(follower);
    expect(states).toEqual(['connecting', 'live', 'reconnecting', 'replaying', 'live']);
    await follower.stop();
    const { ended } = await once(follower, (told) => told.states.at(-1) === 'idle');
    expect(ended).toEqual([]);
  });

  test('a break before the first event is told as a gap, and then it is live: there is no cursor to come back with', async () => {
    const follower = await begin();
    await live(follower);
    wire.cut();
    await once(follower, ({ states }) => states.at(-1) === 'reconnecting');
    commit();
    wire.mend();
    const { states } = await live(follower);
    expect(states).toEqual(['connecting', 'live', 'reconnecting', 'gap', 'live']);
    commit();
    const { events } = await once(follower, (told) => count(told) > 0);
    expect(events.map(({ sequence }) => sequence)).toEqual([2]);
  });

  test('events that are no longer kept are told as a gap, and what follows comes', async () => {
    for (let each = 0; each < 6; each += 1) commit();
    conversations.world.setFloor(4);
    const follower = await begin({ after: 'place-2' });
    const { events, states } = await once(follower, (told) => count(told) === 3);
    expect(events.map(({ type }) => type === 'GAP')).toEqual([true, false, false]);
    expect(events.slice(1).map(({ sequence }) => sequence)).toEqual([5, 6]);
    expect(states).toContain('gap');
    await live(follower);
  });

  test('filters go along', async () => {
    const filter = { merchantIds: ['m-alpha', 'm-beta'], types: ['operation.recorded'] };
    const follower = await begin({ token: 'staff', filter });
    await live(follower);
    commit();
    conversations.world.commit('m-beta', { type: 'operation.recorded', aggregateType: 'payment' });
    const { events } = await once(follower, (told) => count(told) > 0);
    expect(events.map(({ type }) => type)).toEqual(['operation.recorded']);
  });

  test('a credential is asked for at each connection, so that a renewed one goes on', async () => {
    const follower = await begin();
    await live(follower);
    commit();
    await once(follower, (told) => count(told) === 1);
    await follower.setToken('alphaToo');
    conversations.world.revoke('hash-alpha');
    await once(follower, ({ states }) => states.includes('reconnecting'));
    commit();
    const told = await once(follower, (now) => count(now) === 2);
    expect([sequencesOf(told), told.credentialsAsked, told.ended]).toEqual([[1, 2], 2, []]);
  });

  test.each(['unavailable', 'rateLimited', 'internal'] as const)(
    'a refusal that passes (%s) is tried again after a break, and nothing is lost',
    async (code) => {
      const follower = await begin();
      await live(follower);
      commit();
      await once(follower, (told) => count(told) === 1);
      wire.cut();
      conversations.world.refuse(code, 3);
      commit();
      wire.mend();
      const { ended } = await once(follower, (told) => count(told) === 2 || told.ended.length > 0);
      expect(ended).toEqual([]);
      const { events, states } = await live(follower);
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(states).not.toContain('ended');
    },
  );

  test.each([
    ['a credential that nobody knows', { token: 'nobody' }, 4401],
    ['a merchant of somebody else', { filter: { merchantIds: ['m-beta'] } }, 'errors'],
    ['a filter by an empty list', { filter: { types: [] } }, 'errors'],
    ['a filter by a text that is no type', { filter: { types: 'operation.done' } }, 'errors'],
    ['a cursor that is none', { after: 'no cursor' }, 'errors'],
  ])('%s ends it, with the reason', async (_name, asked, reason) => {
    const follower = await begin(asked);
    // Both are told in the same moment, or a moment apart.
    const told = await once(follower, ({ ended, states }) => ended.length > 0 && states.at(-1) === 'ended');
    expect([told.ended, told.states.at(-1), told.events]).toEqual([[reason], 'ended', []]);
  });
});
