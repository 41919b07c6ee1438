// What only the client over WebSocket does: one connection for all that is followed; and what graphql-ws' own retry does instead of resuming.
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createEventsClient, type EventsClientOptions } from '../../clients/events/events-client';
import { createProgress, type EventsClient, type EventsState } from '../../clients/events/following';
import { byMerchant, openConversations } from '../gateway/conversations';
import { eventually } from '../support/stores';
import { openWire, type Wire } from './wire';

const conversations = openConversations();
const commit = () => conversations.world.commit('m-alpha');
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
  states: EventsState[];
  /** Why any of them was over. */
  ended: unknown[];
  client: EventsClient;
}

/** Follows the tokens of one merchant from now on, that many times. */
function follow(times: number, options: Pick<EventsClientOptions, 'pingEveryMs' | 'pongWithinMs'> = {}): Followed {
  const followed: Followed = {
    sequences: [],
    states: [],
    ended: [],
    client: createEventsClient({
      url: wire.url,
      webSocketImpl: WebSocket,
      retryMs: 20,
      retryMsMax: 100,
      ...options,
      credentials: () => ({ authorization: 'Bearer alpha' }),
      onState: (state) => followed.states.push(state),
    }),
  };
  opened.push(followed.client);
  for (let count = 0; count < times; count += 1)
    followed.client.subscribe(
      { query: byMerchant, variables: { m: 'm-alpha', after: null } },
      {
        next({ data }) {
          const event = data?.['tokenEvents'] as { sequence: number } | undefined;
          if (event) followed.sequences.push(event.sequence);
        },
        error: (error) => followed.ended.push(error),
        complete: () => followed.ended.push('complete'),
      },
    );
  return followed;
}

const isLive = ({ states }: Followed) => states.at(-1) === 'live';

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

test('all subscriptions share one connection, and one wait after a break', async () => {
  const followed = follow(10);
  await eventually(() => isLive(followed));
  commit();
  await eventually(() => followed.sequences.length === 10);
  expect(wire.connections()).toBe(1);
  wire.cut();
  await eventually(() => followed.states.at(-1) === 'reconnecting');
  wire.mend();
  await eventually(() => isLive(followed));
  expect(wire.connections()).toBe(2);
});

test('as many as the gateway takes on one connection are followed on it, and again after a break', async () => {
  const followed = follow(20);
  await eventually(() => isLive(followed));
  commit();
  await eventually(() => followed.sequences.length === 20 || followed.ended.length > 0);
  wire.cut();
  await eventually(() => followed.states.at(-1) === 'reconnecting');
  commit();
  wire.mend();
  await eventually(() => followed.sequences.length === 40 || followed.ended.length > 0);
  await eventually(() => isLive(followed));
  const each = (sequence: number) => Array.from({ length: 20 }, () => sequence);
  expect([followed.sequences, followed.ended]).toEqual([[1, 2].flatMap(each), []]);
  expect(wire.connections()).toBe(2);
});

test('a connection that has fallen silent is given up, and the next goes on behind the last event', async () => {
  const followed = follow(1, { pingEveryMs: 100, pongWithinMs: 400 });
  await eventually(() => isLive(followed));
  commit();
  await eventually(() => followed.sequences.length === 1);
  wire.silence();
  commit();
  await eventually(() => followed.sequences.length > 1 && isLive(followed));
  expect([followed.sequences, followed.ended]).toEqual([[1, 2], []]);
  expect(followed.states).toEqual(expect.arrayContaining(['reconnecting', 'replaying']));
});

test('an answer behind the end of a subscription, that the server listens, makes nothing live again', () => {
  const states: EventsState[] = [];
  const progress = createProgress({ start: 'fresh', state: (state) => states.push(state), next: () => undefined });
  progress.listening();
  progress.stop();
  progress.listening();
  expect(states).toEqual(['live']);
});
