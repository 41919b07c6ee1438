// The resuming client of live events before a real gateway: nothing lost and nothing twice by breaks, and what graphql-ws' own retry does instead.
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createEventsClient } from '../../clients/events/events-client';
import type { EventsClient, EventsState } from '../../clients/events/following';
import { byMerchant, openConversations } from '../gateway/conversations';
import { eventually } from '../support/stores';
import { openWire, type Wire } from './wire';

const conversations = openConversations();
const commit = (silently = false) => conversations.world.commit('m-alpha', { silently });
const opened: { close(): unknown }[] = [];
let wire: Wire;

beforeEach(async () => {
  wire = await openWire(conversations.world.url);
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await wire.stop();
});

interface Followed {
  sequences: number[];
  types: string[];
  states: EventsState[];
  ended: unknown[];
  credentialsAsked: number;
  stop(): void;
  client: EventsClient;
}

/** Follows the tokens of one merchant from now on, or after a cursor. */
function follow({ after = null, who = () => 'alpha' }: { after?: string | null; who?: () => string } = {}): Followed {
  const followed: Followed = {
    sequences: [],
    types: [],
    states: [],
    ended: [],
    credentialsAsked: 0,
    stop: () => undefined,
    client: createEventsClient({
      url: wire.url,
      webSocketImpl: WebSocket,
      retryMs: 20,
      retryMsMax: 100,
      credentials() {
        followed.credentialsAsked += 1;
        return { authorization: `Bearer ${who()}` };
      },
      onState: (state) => followed.states.push(state),
    }),
  };
  opened.push(followed.client);
  followed.stop = subscribe(followed, after);
  return followed;
}

function subscribe(followed: Followed, after: string | null = null): () => void {
  return followed.client.subscribe(
    { query: byMerchant, variables: { m: 'm-alpha', after } },
    {
      next({ data }) {
        const event = data?.['tokenEvents'] as { sequence: number; type: string };
        followed.sequences.push(event.sequence);
        followed.types.push(event.type);
      },
      error: (error) => followed.ended.push(error),
      complete: () => followed.ended.push('complete'),
    },
  );
}

const isLive = ({ states }: Followed) => states.at(-1) === 'live';

test('breaks lose nothing and tell nothing twice, wherever they fall', async () => {
  const followed = follow();
  await eventually(() => isLive(followed));
  let told = 0;
  for (let turn = 0; turn < 5; turn += 1) {
    for (let count = 0; count < 3; count += 1) commit();
    // In the first turns everything has arrived, in the later ones some is on its way.
    if (turn < 2) await eventually(() => followed.sequences.length === told + 3);
    wire.cut();
    for (let count = 0; count < 4; count += 1) commit();
    wire.mend();
    told += 7;
    await eventually(() => followed.sequences.length >= told);
  }
  expect(followed.sequences).toEqual(Array.from({ length: told }, (_, index) => index + 1));
});

test("graphql-ws' own retry loses what came while it was away, or tells again what it had told", async () => {
  const client = createClient({
    url: wire.url,
    webSocketImpl: WebSocket,
    retryAttempts: 100,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
    shouldRetry: () => true,
    connectionParams: { authorization: 'Bearer alpha' },
  });
  opened.push({ close: () => client.terminate() });
  const seen = { fromNow: [] as number[], fromCursor: [] as number[] };
  const first = commit();
  const listen = (after: string | null, into: number[]) =>
    client.subscribe<{ tokenEvents: { sequence: number } }>(
      { query: byMerchant, variables: { m: 'm-alpha', after } },
      {
        next: ({ data }) => data && into.push(data.tokenEvents.sequence),
        error: () => undefined,
        complete: () => undefined,
      },
    );
  listen(null, seen.fromNow);
  listen(conversations.world.cursor(first), seen.fromCursor);
  await settled(client);
  commit();
  await eventually(() => seen.fromNow.length === 1 && seen.fromCursor.length === 1);
  wire.cut();
  commit();
  commit();
  wire.mend();
  await settled(client);
  commit();
  await eventually(() => seen.fromNow.includes(5) && seen.fromCursor.includes(5));
  // 3 and 4 happened while it was away.
  expect(seen.fromNow).toEqual([2, 5]);
  // 2 had been told before.
  expect(seen.fromCursor).toEqual([2, 2, 3, 4, 5]);
});

/** A query on the same connection came back: whatever was subscribed to before it is followed. */
function settled(client: ReturnType<typeof createClient>): Promise<unknown> {
  return eventually(
    () =>
      new Promise<boolean>((resolve) => {
        client.subscribe(
          { query: '{ __typename }' },
          { next: () => resolve(true), error: () => resolve(false), complete: () => resolve(false) },
        );
      }),
  );
}

test('it tells what it does: live, away, catching up, live again', async () => {
  const followed = follow();
  await eventually(() => isLive(followed));
  commit();
  await eventually(() => followed.sequences.length === 1);
  wire.cut();
  await eventually(() => followed.states.at(-1) === 'reconnecting');
  commit();
  wire.mend();
  await eventually(() => isLive(followed));
  expect(followed.states).toEqual(['connecting', 'live', 'reconnecting', 'replaying', 'live']);
  followed.stop();
  await eventually(() => followed.states.at(-1) === 'idle');
  expect(followed.ended).toEqual([]);
});

test('events that are no longer kept are told as a gap, and what follows comes', async () => {
  for (let count = 0; count < 6; count += 1) commit();
  conversations.world.setFloor(4);
  const followed = follow({ after: 'cursor-2' });
  await eventually(() => followed.sequences.length === 3);
  expect(followed.types[0]).toBe('GAP');
  expect(followed.sequences.slice(1)).toEqual([5, 6]);
  expect(followed.states).toContain('gap');
  await eventually(() => isLive(followed));
});

test('all subscriptions share one connection, and one wait after a break', async () => {
  const followed = follow();
  const others = Array.from({ length: 9 }, () => subscribe(followed));
  await eventually(() => isLive(followed));
  commit();
  await eventually(() => followed.sequences.length === 10);
  expect(wire.connections()).toBe(1);
  wire.cut();
  await eventually(() => followed.states.at(-1) === 'reconnecting');
  wire.mend();
  await eventually(() => isLive(followed));
  expect(wire.connections()).toBe(2);
  for (const stop of others) stop();
});

test('a credential is asked for at each connection, so that a renewed one goes on', async () => {
  let who = 'alpha';
  const followed = follow({ who: () => who });
  await eventually(() => isLive(followed));
  commit();
  await eventually(() => followed.sequences.length === 1);
  who = 'alphaToo';
  conversations.world.revoke('hash-alpha');
  await eventually(() => followed.states.includes('reconnecting'));
  commit();
  await eventually(() => followed.sequences.length === 2);
  expect(followed.sequences).toEqual([1, 2]);
  expect(followed.credentialsAsked).toBe(2);
  expect(followed.ended).toEqual([]);
});

test.each([
  ['a credential that nobody knows', 'nobody', (ended: unknown) => (ended as { code: number }).code === 4401],
  ['a merchant of somebody else', 'beta', (ended: unknown) => Array.isArray(ended)],
])('%s ends it, with the reason', async (_name, who, isReason) => {
  const followed = follow({ who: () => who });
  await eventually(() => followed.ended.length === 1);
  expect(isReason(followed.ended[0])).toBe(true);
  expect(followed.states.at(-1)).toBe('ended');
  expect(followed.sequences).toEqual([]);
});
