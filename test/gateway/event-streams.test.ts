// The same events as server-sent events: filters, cursors by Last-Event-ID, refusals with a status, and every end that a WebSocket has.
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import { StreamClient } from './stream-client';
import type { CommitOptions } from './subscription-world';

const conversations = openConversations();
const opened: StreamClient[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});

async function open(who: string | null, search = '', headers: Record<string, string> = {}, method = 'GET') {
  const client = await StreamClient.open(conversations.world.url, who, { search, headers, method });
  opened.push(client);
  return client;
}
const payment = (merchantId: string, options: CommitOptions = {}) =>
  conversations.world.commit(merchantId, { type: 'operation.recorded', aggregateType: 'payment', ...options });
const sequences = (client: StreamClient) => client.events().map(({ data }) => data?.['sequence']);

test('an event has its cursor as id, its type as name, and itself as data', async () => {
  const client = await open('alpha');
  expect(client.status).toBe(200);
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const event = payment('m-alpha', { operationResult: 'DECLINED' });
  await eventually(() => client.events().length === 1);
  expect(client.raw).toMatch(/^retry: \d+\n\n/);
  expect(client.events()).toEqual([
    {
      id: 'place-1',
      event: 'operation.recorded',
      data: {
        __typename: 'OperationEvent',
        eventId: event._id,
        sequence: 1,
        cursor: 'place-1',
        occurredAt: event.occurredAt.toISOString(),
        type: 'operation.recorded',
        requestId: event.requestId,
        merchant: { merchantId: 'm-alpha' },
        operationType: null,
        operationResult: 'DECLINED',
        operation: { operationId: 'va-m-alpha' },
        payment: { paymentId: 'va-m-alpha' },
      },
    },
  ]);
});

test.each([
  ['after', '?after=place-2', {}],
  ['Last-Event-ID', '', { 'last-event-id': 'place-2' }],
  ['Last-Event-ID before the address that a browser repeats', '?after=place-0', { 'last-event-id': 'place-2' }],
])('%s resumes: nothing missing, nothing twice', async (_what, search, headers) => {
  for (let count = 0; count < 300; count += 1) payment('m-alpha');
  const client = await open('alpha', search, headers);
  payment('m-alpha');
  await eventually(() => client.events().length >= 299);
  expect(sequences(client)).toEqual(Array.from({ length: 299 }, (_, index) => index + 3));
});

test.each([
  ['last', '?last=2', {}, [5, 6]],
  ['last of what a filter wants', '?last=2&merchantIds=m-alpha-2', {}, [2, 4]],
  ['last beside the cursor that a browser comes back with', '?last=2', { 'last-event-id': 'place-2' }, [3, 4, 5, 6]],
])('%s: what came before is told first', async (_what, search, headers, expected) => {
  for (let count = 0; count < 6; count += 1) payment(count % 2 && count < 5 ? 'm-alpha-2' : 'm-alpha');
  const client = await open('alpha', search, headers);
  payment('m-alpha-2');
  await eventually(() => client.events().length >= expected.length + 1);
  expect(sequences(client)).toEqual([...expected, 7]);
});

test("a cursor of one merchant's events resumes, and each event says where to go on from it", async () => {
  for (let count = 0; count < 4; count += 1) payment(count % 2 === 0 ? 'm-alpha' : 'm-beta');
  const client = await open('alpha', '?merchantIds=m-alpha&after=cursor-0');
  await eventually(() => client.events().length === 2);
  payment('m-alpha');
  await eventually(() => client.events().length === 3);
  expect(client.events().map(({ id, data }) => [id, data?.['cursor'], data?.['sequence']])).toEqual([
    ['cursor-1', 'cursor-1', 1],
    ['cursor-3', 'cursor-3', 3],
    ['place-5', 'place-5', 5],
  ]);
});

test.each([
  ['types', '?types=operation.recorded,payout.closed', [2, 3]],
  ['types one by one', '?types=operation.recorded&types=payout.closed', [2, 3]],
  ['merchants', '?merchantIds=m-alpha', [1, 3]],
  ['results', '?results=DECLINED', [2]],
])('is narrowed by %s', async (_what, search, expected) => {
  const client = await open('staff', `${search}&after=place-0`);
  conversations.world.commit('m-alpha');
  payment('m-beta', { operationResult: 'DECLINED' });
  conversations.world.commit('m-alpha', { type: 'payout.closed', aggregateType: 'payout' });
  const whole = await open('staff', '?after=place-0');
  await eventually(() => whole.events().length === 3 && client.events().length >= expected.length);
  expect(sequences(client)).toEqual(expected);
});

test('a document of its own selects what is shown', async () => {
  const query =
    'subscription($after: String) { of: events(after: $after) { cursor ... on OperationEvent { operation { operationResult } } } }';
  const client = await open('alpha', `?query=${encodeURIComponent(query)}`);
  payment('m-alpha');
  await eventually(() => client.events().length === 1);
  expect(client.events()).toEqual([
    {
      id: 'place-1',
      event: 'operation.recorded',
      data: { cursor: 'place-1', operation: { operationResult: 'AUTHORIZED' } },
    },
  ]);
});

const asked = (query: string) => `query=${encodeURIComponent(query)}`;
const resumable = asked('subscription($after: String) { events(after: $after) { cursor } }');
const fixed = asked('subscription { events(filter: { types: ["payout.closed"] }) { cursor } }');
test.each([
  ['types', `?types=operation.recorded&${resumable}`, {}],
  ['merchantIds', `?merchantIds=m-alpha&${resumable}`, {}],
  ['results', `?results=DECLINED&${resumable}`, {}],
  ['actions', `?actions=merchant.created&${resumable}`, {}],
  ['after', `?after=place-0&${fixed}`, {}],
  ['after', `?${fixed}`, {}],
  ['last', `?last=5&${resumable}`, {}],
  ['Last-Event-ID', `?${fixed}`, { 'last-event-id': 'place-0' }],
])('a document that would not hear %s is refused by its name: %s', async (field, search, headers) => {
  const client = await open('alpha', search, headers);
  expect(client.status).toBe(400);
  expect(await client.body()).toMatchObject({ errors: [{ extensions: { code: 'invalidInput', field } }] });
});

test('a position that is too old is an event that says so', async () => {
  for (let count = 0; count < 6; count += 1) payment('m-alpha');
  conversations.world.setFloor(4);
  const client = await open('alpha', '?after=place-1');
  await eventually(() => client.events().length === 3);
  expect(client.events().map(({ event, id }) => [event, id])).toEqual([
    ['GAP', 'place-4'],
    ['operation.recorded', 'place-5'],
    ['operation.recorded', 'place-6'],
  ]);
});

test.each([
  ['no credential', null, '', 401, 'unauthenticated'],
  ['an unknown token', 'nobody', '', 401, 'unauthenticated'],
  ['a client of another family', 'psp', '', 403, 'forbidden'],
  ['an unknown type', 'alpha', '?types=operation.done', 400, 'invalidInput'],
  ['an unknown parameter', 'alpha', '?merchantId=m-alpha', 400, 'invalidInput'],
  ['a foreign merchant', 'alpha', '?merchantIds=m-beta', 400, 'notFound'],
  ['a cursor that is none', 'alpha', '?after=nonsense', 400, 'invalidInput'],
  ['a query', 'alpha', `?query=${encodeURIComponent('{ __typename }')}`, 400, 'invalidInput'],
  [
    'another subscription',
    'alpha',
    `?query=${encodeURIComponent('subscription { tokenEvents(merchantId: "m-alpha") { type } }')}`,
    400,
    'invalidInput',
  ],
  ['a document that nobody knows', 'alpha', '?documentId=sha256:abc', 400, 'PERSISTED_QUERY_NOT_FOUND'],
  ['a field that there is not', 'alpha', '?query=subscription{events{strange}}', 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['what is no document', 'alpha', '?query=subscription{', 400, 'GRAPHQL_PARSE_FAILED'],
] as const)('%s is refused before anything is sent', async (_what, who, search, status, code) => {
  const client = await open(who, search);
  expect(client.status).toBe(status);
  expect(await client.body()).toMatchObject({ errors: [{ extensions: { code } }] });
});

test.each(['POST', 'PUT', 'DELETE'])('it is asked for by GET, not by %s', async (method) => {
  const client = await open('alpha', '', {}, method);
  expect([client.status, client.response.headers.allow]).toEqual([405, 'GET']);
  expect(await client.body()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
});

describe('ends', () => {
  test.each([
    ['the credential was revoked', () => conversations.world.revoke('hash-alpha'), 4403],
    ['its rights were changed', () => conversations.world.narrow('hash-alpha', ['graph:events:read']), 4403],
    ['the process stops', () => void conversations.world.stop(), 1012],
  ])('with an event that says why: %s', async (_what, act, code) => {
    const client = await open('alpha');
    act();
    await eventually(() => client.isClosed);
    expect(client.events().at(-1)).toMatchObject({ event: 'end', data: { code, reason: expect.any(String) } });
  });

  test('a reader that does not read is cut within bounded memory, others go on', async () => {
    await conversations.reopen({ bufferBytesMax: 131_072 });
    const [slow, fast] = [await open('alpha'), await open('alpha')];
    slow.response.pause();
    slow.response.socket.pause();
    await eventually(async () => {
      for (let count = 0; count < 100; count += 1) payment('m-alpha');
      return conversations.world.slowClosed() > 0;
    });
    expect(conversations.world.slowClosed()).toBe(1);
    expect(fast.isClosed).toBe(false);
  });
});

describe('bounds', () => {
  test('so many with one access token, WebSockets among them', async () => {
    await conversations.reopen({ socketsPerTokenMax: 2 });
    await conversations.open('alpha');
    const first = await open('alpha');
    const second = await open('alpha');
    expect([first.status, second.status]).toEqual([200, 429]);
    expect((await open('beta')).status).toBe(200);
    first.close();
    await eventually(async () => (await open('alpha')).status === 200);
  });

  test('so many asked for as the rate allows', async () => {
    await conversations.reopen({ operationsMax: 1 });
    expect((await open('alpha')).status).toBe(200);
    const refused = await open('alpha');
    expect([refused.status, refused.response.headers['retry-after']]).toEqual([429, '7']);
  });
});
