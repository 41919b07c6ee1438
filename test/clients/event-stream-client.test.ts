// The resuming client over server-sent events: the same promises as over WebSocket, in Node, before a real gateway.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEventStreamClient, type EventStreamClientOptions } from '../../clients/events/event-stream-client';
import type { EventsClient, EventsState } from '../../clients/events/following';
import { openConversations } from '../gateway/conversations';
import { eventually } from '../support/stores';
import { openWire, type Wire } from './wire';

const conversations = openConversations();
const commit = (silently = false) => conversations.world.commit('m-alpha', { silently });
const opened: EventsClient[] = [];
let wire: Wire;

beforeEach(async () => {
  wire = await openWire(conversations.world.url);
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await wire.stop();
});

interface Followed {
  sequences: unknown[];
  types: unknown[];
  states: EventsState[];
  ended: unknown[];
  credentialsAsked: number;
  stop(): void;
}

const streamsAt = (url: string) => `${url.replace(/^ws/, 'http')}/events`;

/** Follows the log as far as its caller may see it, from now on or after a cursor. */
function follow({
  after = null,
  who = () => 'alpha',
  filter = {},
  ...options
}: Partial<EventStreamClientOptions> & { after?: string | null; who?: () => string; filter?: object } = {}): Followed {
  const followed: Followed = {
    sequences: [],
    types: [],
    states: [],
    ended: [],
    credentialsAsked: 0,
    stop: () => undefined,
  };
  const client = createEventStreamClient({
    url: streamsAt(wire.url),
    retryMs: 20,
    retryMsMax: 100,
    credentials() {
      followed.credentialsAsked += 1;
      return { authorization: `Bearer ${who()}` };
    },
    onState: (state) => followed.states.push(state),
    ...options,
  });
  opened.push(client);
  followed.stop = client.subscribe(
    { variables: { filter, after } },
    {
      next({ data }) {
        const event = data?.['events'] as { sequence: number; type: string };
        followed.sequences.push(event.sequence);
        followed.types.push(event.type);
      },
      error: (error) => followed.ended.push(error),
      complete: () => followed.ended.push('complete'),
    },
  );
  return followed;
}

const isLive = ({ states }: Followed) => states.at(-1) === 'live';

test('breaks lose nothing and tell nothing twice, wherever they fall', async () => {
  const followed = follow();
  await eventually(() => isLive(followed));
  let told = 0;
  for (let turn = 0; turn < 5; turn += 1) {
    for (let count = 0; count < 3; count += 1) commit();
    // Before the first event there is no cursor; in the later turns some is on its way.
    if (turn < 2) await eventually(() => followed.sequences.length === told + 3);
    wire.cut();
    for (let count = 0; count < 4; count += 1) commit();
    wire.mend();
    told += 7;
    await eventually(() => followed.sequences.length >= told);
  }
  expect(followed.sequences).toEqual(Array.from({ length: told }, (_, index) => index + 1));
});

test('it tells what it does: live, away, catching up, live again, and idle when nothing is followed', async () => {
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
  const followed = follow({ after: 'place-2' });
  await eventually(() => followed.sequences.length === 3);
  expect(followed.types[0]).toBe('GAP');
  expect(followed.states).toContain('gap');
  await eventually(() => isLive(followed));
});

test('filters go along', async () => {
  const filter = { merchantIds: ['m-alpha', 'm-beta'], types: ['operation.recorded'] };
  const followed = follow({ who: () => 'staff', filter });
  await eventually(() => isLive(followed));
  commit();
  conversations.world.commit('m-beta', { type: 'operation.recorded', aggregateType: 'payment' });
  await eventually(() => followed.types.length === 1);
  expect(followed.types).toEqual(['operation.recorded']);
});

test('a credential is asked for at each request, so that a renewed one goes on', async () => {
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
  [
    'a credential that nobody knows',
    { who: () => 'nobody' },
    (ended: unknown) => (ended as { code: number }).code === 4401,
  ],
  ['a merchant of somebody else', { filter: { merchantIds: ['m-beta'] } }, Array.isArray],
  ['a cursor that is none', { after: 'no cursor' }, Array.isArray],
] as const)('%s ends it, with the reason', async (_name, asked, isReason) => {
  const followed = follow(asked as Parameters<typeof follow>[0]);
  await eventually(() => followed.ended.length === 1);
  expect([isReason(followed.ended[0]), followed.ended]).toEqual([true, [expect.anything()]]);
  expect(followed.states.at(-1)).toBe('ended');
  expect(followed.sequences).toEqual([]);
});

test('a connection that has fallen silent is given up, and the next goes on behind the last event', async () => {
  const asked: (string | undefined)[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Told in pieces, as a network may; the first connection then says nothing any more.
    const text = `retry: 2000\n\n:\n\nid: place-${asked.length}\nevent: t\ndata: {"sequence":${asked.length},"type":"t"}\n\n`;
    for (const piece of [text.slice(0, 30), text.slice(30)]) response.write(piece);
    held.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/events`;
  const followed = follow({ url, silentMsMax: 200 });
  await eventually(() => followed.sequences.length >= 2);
  followed.stop();
  for (const response of held) response.destroy();
  await new Promise((resolve) => server.close(resolve));
  expect([asked.slice(0, 2), followed.sequences.slice(0, 2)]).toEqual([
    [undefined, 'place-1'],
    [1, 2],
  ]);
});
