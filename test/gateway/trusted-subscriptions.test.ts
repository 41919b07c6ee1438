// Trusted documents over WebSocket and as streams: in production a person follows what was agreed on, by its hash or its text, and nothing else.
import { WebSocket } from 'ws';
import { createEventsClient } from '../../clients/events/events-client';
import type { EventsState } from '../../clients/events/following';
import { hashOfDocument } from '../../gateway/plan/trusted-documents';
import { eventually } from '../support/stores';
import { byMerchant, openConversations } from './conversations';
import { StreamClient } from './stream-client';

const agreed = 'subscription Agreed($after: String) { events(after: $after) { cursor type sequence } }';
const other = 'subscription Other { events { type } }';
/** The protocol wants a text, be it an empty one. */
const named = { query: '', documentId: `sha256:${hashOfDocument(agreed)}` };
const conversations = openConversations();
beforeEach(() => conversations.reopen({ trusted: [agreed, byMerchant] }));

test.each([
  ['by its hash', 'person', named],
  [
    'by the hash of Apollo',
    'person',
    { query: '', extensions: { persistedQuery: { version: 1, sha256Hash: hashOfDocument(agreed) } } },
  ],
  ['by its text', 'person', { query: agreed }],
  ['by a text of its own, as a client', 'alpha', { query: other }],
])('is followed %s', async (_what, who, payload) => {
  const client = await conversations.open(who);
  client.send({ id: '1', type: 'subscribe', payload: { variables: {}, ...payload } });
  await eventually(() => {
    conversations.world.commit('m-alpha');
    return client.items('1').length > 0;
  });
  expect(client.items('1')[0]).toMatchObject({ type: 'virtualAccount.suspended' });
});

test.each([
  ['a text that was not agreed on', { query: other }, 'forbidden'],
  ['a hash that nobody knows', { query: '', documentId: 'sha256:00' }, 'PERSISTED_QUERY_NOT_FOUND'],
  [
    'a text with the hash of another',
    { query: other, extensions: { persistedQuery: { sha256Hash: hashOfDocument(agreed) } } },
    'invalidInput',
  ],
  ['a text and a hash', { ...named, query: agreed }, 'invalidInput'],
])('%s is refused', async (_what, payload, code) => {
  const client = await conversations.open('person');
  client.send({ id: '1', type: 'subscribe', payload });
  await eventually(() => client.of('1').length > 0);
  conversations.world.commit('m-alpha');
  expect(client.of('1')).toMatchObject([{ type: 'error', payload: [{ extensions: { code } }] }]);
});

test.each([
  ['ours', '', 200],
  ['one that was agreed on, by its hash', `?documentId=${named.documentId}`, 200],
  ['one that was not', `?query=${encodeURIComponent(other)}`, 403],
])('a stream takes the document: %s', async (_what, search, status) => {
  const stream = await StreamClient.open(conversations.world.url, 'person', { search });
  expect(stream.status).toBe(status);
  stream.close();
});

test('the resuming client follows by hash, and is live although it may ask nothing else', async () => {
  const states: EventsState[] = [];
  const sequences: unknown[] = [];
  const client = createEventsClient({
    url: conversations.world.url,
    webSocketImpl: WebSocket,
    credentials: () => ({ authorization: 'Bearer person' }),
    onState: (state) => states.push(state),
  });
  const request = { documentId: named.documentId, variables: { after: null } };
  client.subscribe(request, {
    next: ({ data }) => sequences.push((data?.['events'] as { sequence: number } | undefined)?.sequence),
    error: (error) => sequences.push(error),
    complete: () => undefined,
  });
  await eventually(() => states.at(-1) === 'live');
  conversations.world.commit('m-alpha');
  await eventually(() => sequences.length > 0);
  expect(sequences).toEqual([1]);
  await client.close();
});
