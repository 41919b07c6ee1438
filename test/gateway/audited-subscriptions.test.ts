// What a look at is audited is asked for in the name of each subscriber it is shown to, from his address, live and of the past; everything else once for all alike.
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import { StreamClient } from './stream-client';

const personal = `subscription($m: [ID!], $after: String) { events(filter: { merchantIds: $m }, after: $after) {
  cursor ... on TokenEvent { virtualAccount { ...Personal } } } }
  fragment Personal on VirtualAccount { state }`;
const streamed = `subscription($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) {
  cursor ... on TokenEvent { virtualAccount { state } } } }`;
const plain = 'subscription($m: ID!) { tokenEvents(merchantId: $m) { cursor virtualAccount { virtualAccountId } } }';

const conversations = openConversations();
const { open } = conversations;
beforeEach(() => conversations.reopen({ unmasked: ['VirtualAccount.state'] }));

test('each credential and address by itself, and one subscriber alike twice at once', async () => {
  const clients = [await open('alpha'), await open('alphaToo'), await open('alpha')];
  for (const client of clients) await client.subscribe('1', personal, { m: ['m-alpha'] });
  const query = `?query=${encodeURIComponent(streamed)}`;
  const stream = await StreamClient.open(conversations.world.url, 'alphaToo', { search: query });
  conversations.world.commit('m-alpha');
  await eventually(() => clients.every((client) => client.items('1').length === 1) && stream.events().length === 1);
  stream.close();
  const streamedTo = 'alpha2 127.0.0.1';
  expect(conversations.world.viewers().sort()).toEqual(['alpha 127.0.0.1', 'alpha2 127.0.0.1', streamedTo]);
});

test('what has been is shown to each in his own name, too', async () => {
  conversations.world.commit('m-alpha');
  const clients = [await open('alpha'), await open('alphaToo')];
  for (const client of clients) await client.subscribe('1', personal, { after: 'place-0' });
  await eventually(() => clients.every((client) => client.items('1').length === 1));
  expect(conversations.world.viewers().sort()).toEqual(['alpha 127.0.0.1', 'alpha2 127.0.0.1']);
});

test('a document that shows nothing of it is asked for once, whoever follows', async () => {
  for (const who of ['alpha', 'alphaToo']) await (await open(who)).subscribe('1', plain, { m: 'm-alpha' });
  conversations.world.commit('m-alpha');
  await eventually(() => conversations.world.executions() === 1);
  expect(conversations.world.viewers()).toEqual(['subscribers nowhere']);
});
