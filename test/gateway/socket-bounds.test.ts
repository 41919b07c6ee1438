// How many WebSockets somebody may hold: before he says who he is, for each address and in all, and not for long; afterwards for each access token.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createSocketBounds } from '../../gateway/subscriptions/socket-bounds';
import { standStill } from '../support/stand-still';
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import { Client } from './subscription-client';

const conversations = openConversations();

/** A socket that says nothing; the status of the refusal when it is not taken. */
async function silent(): Promise<WebSocket | number> {
  const socket = new WebSocket(conversations.world.url, 'graphql-transport-ws');
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_request, { statusCode = 0, headers }) => {
      expect(headers['retry-after']).toBe('1');
      resolve(statusCode);
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

describe('who has not said who he is', () => {
  it.each([
    ['of one address', { address: 3, all: 10 }, 429],
    ['in all', { address: 10, all: 3 }, 503],
  ])('is bounded %s, and leaves room when he goes or is known', async (_name, waitingMax, status) => {
    await conversations.reopen({ waitingMax });
    const held = [await silent(), await silent(), await silent()];
    expect(await silent()).toBe(status);
    const [first, second] = held as WebSocket[];
    first?.send(JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer alpha' } }));
    await eventually(async () => typeof (await silent()) !== 'number');
    second?.close();
    await eventually(async () => typeof (await silent()) !== 'number');
    expect(await silent()).toBe(status);
    for (const socket of held) (socket as WebSocket).terminate();
  });

  it('is closed with 4408 when connection_init does not come', async () => {
    await conversations.reopen({ initTimeoutMs: 50 });
    const socket = (await silent()) as WebSocket;
    const [code] = await once(socket, 'close');
    expect(code).toBe(4408);
  });

  it('is not closed for the time in which the process itself stood still', async () => {
    await conversations.reopen({ initTimeoutMs: 200 });
    const client = new Client((await silent()) as WebSocket);
    client.send({ type: 'connection_init', payload: { authorization: 'Bearer alpha' } });
    standStill(400);
    await eventually(() => client.closed ?? client.messages.some(({ type }) => type === 'connection_ack'));
    expect(client.closed).toBeNull();
    client.close();
  });
});

describe('who is known', () => {
  it('holds so many sockets with one access token, others are not concerned', async () => {
    await conversations.reopen({ socketsPerTokenMax: 2 });
    const [one, two, three] = [
      await conversations.open('alpha'),
      await conversations.open('alpha'),
      await conversations.open('alpha'),
    ];
    await eventually(() => three.closed);
    expect(three.closed).toEqual({ code: 4491, reason: expect.stringMatching(/^Too many connections/) });
    const other = await conversations.open('beta');
    expect([one.closed, two.closed, other.closed]).toEqual([null, null, null]);
    one.close();
    await eventually(async () => (await conversations.open('alpha')).closed === null);
  });
});

it('forgets an address with its last socket, and counts nothing twice', () => {
  const bounds = createSocketBounds({
    UNAUTHENTICATED_SOCKETS_MAX: 2,
    UNAUTHENTICATED_SOCKETS_PER_ADDRESS_MAX: 1,
    SOCKETS_PER_TOKEN_MAX: 1,
  });
  const leave = bounds.wait('a');
  expect(bounds.wait('a')).toBe('address');
  if (typeof leave === 'string') throw new Error('the first was refused');
  leave();
  leave();
  expect([bounds.wait('a'), bounds.wait('b')].map((each) => typeof each)).toEqual(['function', 'function']);
  expect(bounds.wait('c')).toBe('all');
  expect(bounds.admit('t')).not.toBeNull();
  expect(bounds.admit('t')).toBeNull();
});
