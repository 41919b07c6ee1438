// What one connection may cost: a bounded number of subscriptions, a bounded buffer for a slow reader, and a close code that says why.
import { WebSocket } from 'ws';
import { eventually } from '../support/stores';
import { bombs } from './bombs';
import { byMerchant, openConversations } from './conversations';

const conversations = openConversations();
const { open } = conversations;

describe('bounds', () => {
  it('carries a bounded number of subscriptions per connection', async () => {
    await conversations.reopen({ subscriptionsMax: 3 });
    const client = await open('alpha');
    for (const id of ['1', '2', '3', '4'])
      client.send({ id, type: 'subscribe', payload: { query: byMerchant, variables: { m: 'm-alpha' } } });
    await eventually(() => client.of('4').length > 0);
    expect(client.of('4')[0]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'rateLimited' } }] });
    conversations.world.commit('m-alpha');
    await eventually(() => ['1', '2', '3'].every((id) => client.items(id).length === 1));
  });

  it('counts each operation of a connection, queries too, and says when to come again', async () => {
    await conversations.reopen({ operationsMax: 2 });
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha' });
    for (const [id, query] of [
      ['2', byMerchant],
      ['3', '{ __typename }'],
    ])
      client.send({ id, type: 'subscribe', payload: { query, variables: { m: 'm-alpha' } } });
    await eventually(() => client.of('2').length > 0 && client.of('3').length > 0);
    const refused = { type: 'error', payload: [{ extensions: { code: 'rateLimited', retryAfterSeconds: 7 } }] };
    expect([client.of('2')[0], client.of('3')[0]]).toMatchObject([refused, refused]);
    conversations.world.commit('m-alpha');
    await eventually(() => client.items('1').length === 1);
  });

  it('closes a reader that is too slow with 4490, and the others get everything', async () => {
    await conversations.reopen({ bufferBytesMax: 64 * 1024 });
    const [slow, quick] = [await open('alpha'), await open('alpha')];
    await slow.subscribe('1', 'subscription { tokenEvents(merchantId: "m-alpha") { eventId type } }');
    await quick.subscribe('1', 'subscription { tokenEvents(merchantId: "m-alpha") { eventId } }');
    // Both follow live: who is still being brought up to date is waited for, half a minute, before it counts as too slow.
    conversations.world.commit('m-alpha');
    for (const reader of [slow, quick]) {
      await eventually(() => reader.items('1').length === 1);
      await reader.settle();
    }
    slow.socket.pause();
    for (let count = 0; count < 600; count += 1) conversations.world.commit('m-alpha', { type: 'x'.repeat(30_000) });
    // A closed reader has half a minute to take its close code: it reads on at once, however long the others take.
    await eventually(() => conversations.world.slowClosed() === 1);
    slow.socket.resume();
    await eventually(() => slow.closed);
    expect(slow.closed?.code).toBe(4490);
    await eventually(() => quick.items('1').length === 601);
    expect(quick.closed).toBeNull();
  });

  it('takes an empty name of an operation for none, each time, and counts nobody who has left', async () => {
    const client = await open('alpha');
    for (const id of ['1', '2', '3']) {
      const payload = { query: byMerchant, variables: { m: 'm-alpha' }, operationName: id === '1' ? undefined : '' };
      client.send({ id, type: 'subscribe', payload });
      await client.settle();
      conversations.world.commit('m-alpha');
      await eventually(() => client.of(id).length > 0);
      expect(client.items(id)).toHaveLength(1);
      client.send({ id, type: 'complete' });
      await client.settle();
    }
    expect(conversations.world.subscribers()).toBe(0);
  });

  it('refuses every document that would cost more than it is long', async () => {
    const client = await open('alpha');
    for (const [id, query] of bombs) client.send({ id, type: 'subscribe', payload: { query } });
    await eventually(() => bombs.every(([id]) => client.of(id).length > 0));
    const codes = bombs.map(([id]) => client.of(id)[0]?.payload?.[0]?.extensions?.code);
    const known = ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'payloadTooLarge', 'rateLimited'];
    expect(codes.filter((code) => !known.includes(code ?? 'none'))).toEqual([]);
    expect(new Set(bombs.map(([id]) => client.of(id)[0]?.type))).toEqual(new Set(['error']));
  });

  it('says that it restarts when it stops', async () => {
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha' });
    await conversations.reopen();
    await eventually(() => client.closed);
    expect(client.closed?.code).toBe(1012);
  });

  it('takes nobody any more while it waits for one that does not go, and comes to its end', async () => {
    const silent = await open('alpha');
    silent.socket.pause();
    const { url } = conversations.world;
    const stopping = conversations.reopen();
    const late = new WebSocket(url, 'graphql-transport-ws');
    const outcome = await new Promise((resolve) => {
      late.on('open', () => resolve('taken'));
      late.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    });
    expect(outcome).toBe('ECONNREFUSED');
    await stopping;
    silent.socket.terminate();
  });

  it('speaks no other subprotocol', async () => {
    const socket = new WebSocket(conversations.world.url, 'graphql-ws');
    const outcome = await new Promise((resolve) => {
      socket.on('error', () => resolve('refused'));
      socket.on('close', (code) => resolve(code));
    });
    expect(['refused', 4406, 1002]).toContain(outcome);
  });
});
