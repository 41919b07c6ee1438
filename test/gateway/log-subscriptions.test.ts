// `events`: the whole log in one subscription, narrowed by filters, resumed by a place in it, and never more than its caller may see.
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import type { CommitOptions } from './subscription-world';

const document = `subscription($filter: EventFilter, $after: String, $last: Int) { events(filter: $filter, after: $after, last: $last) {
  __typename sequence cursor at: cursor type ... on OperationEvent { operation { operationResult } } ... on TokenEvent { place: cursor } } }`;

const conversations = openConversations();
const { open } = conversations;
const commit = (merchantId: string, options: CommitOptions = {}) => conversations.world.commit(merchantId, options);
const payment = (merchantId: string, options: CommitOptions = {}) =>
  commit(merchantId, { type: 'operation.recorded', aggregateType: 'payment', ...options });
const sequences = (items: Record<string, unknown>[]) => items.map(({ sequence }) => sequence);

test('every kind of event comes in one stream, each with its type and the place behind it', async () => {
  const client = await open('staff');
  await client.subscribe('1', document);
  commit('m-alpha');
  payment('m-beta');
  commit('m-alpha', { type: 'payout.closed', aggregateType: 'payout' });
  await eventually(() => client.items('1').length === 3);
  expect(client.items('1')).toEqual([
    {
      __typename: 'TokenEvent',
      sequence: 1,
      cursor: 'place-1',
      at: 'place-1',
      place: 'place-1',
      type: 'virtualAccount.suspended',
    },
    {
      __typename: 'OperationEvent',
      sequence: 2,
      cursor: 'place-2',
      at: 'place-2',
      type: 'operation.recorded',
      operation: { operationResult: 'AUTHORIZED' },
    },
    { __typename: 'PayoutEvent', sequence: 3, cursor: 'place-3', at: 'place-3', type: 'payout.closed' },
  ]);
});

test('a tenant gets its own only, and staff all', async () => {
  const [staff, alpha, beta] = await Promise.all([open('staff'), open('alpha'), open('beta')]);
  await Promise.all([staff, alpha, beta].map((client) => client.subscribe('1', document)));
  for (let count = 0; count < 10; count += 1) payment(count % 2 ? 'm-alpha' : 'm-beta');
  await eventually(() => staff.items('1').length === 10);
  await Promise.all([alpha.settle(), beta.settle()]);
  expect(sequences(alpha.items('1'))).toEqual([2, 4, 6, 8, 10]);
  expect(sequences(beta.items('1'))).toEqual([1, 3, 5, 7, 9]);
  const late = await open('alpha');
  await late.subscribe('1', document, { after: 'place-0' });
  await eventually(() => late.items('1').length === 5);
  expect(sequences(late.items('1'))).toEqual([2, 4, 6, 8, 10]);
});

test.each([
  ['types', { types: ['operation.recorded', 'payout.closed'] }, [2, 3, 5, 6]],
  ['merchants', { merchantIds: ['m-alpha', 'm-alpha-2'] }, [1, 3, 4, 5]],
  ['results', { results: ['DECLINED', 'AUTHORIZED'] }, [2, 5]],
  ['all three', { types: ['operation.recorded'], merchantIds: ['m-alpha'], results: ['AUTHORIZED'] }, [5]],
  ['a null', { types: null, merchantIds: ['m-beta'] }, [2, 6]],
])('a filter by %s holds live and in a replay', async (_what, filter, expected) => {
  const live = await open('staff');
  await live.subscribe('1', document, { filter });
  commit('m-alpha');
  payment('m-beta', { operationResult: 'DECLINED' });
  commit('m-alpha', { type: 'payout.closed', aggregateType: 'payout' });
  commit('m-alpha-2');
  payment('m-alpha', { operationResult: 'AUTHORIZED' });
  payment('m-beta', { operationResult: 'PENDING' });
  const replayed = await open('staff');
  await replayed.subscribe('1', document, { filter, after: 'place-0' });
  await eventually(() => live.items('1').length >= expected.length && replayed.items('1').length >= expected.length);
  await Promise.all([live.settle(), replayed.settle()]);
  expect(sequences(live.items('1'))).toEqual(expected);
  expect(replayed.items('1')).toEqual(live.items('1'));
});

test('a resumption replays what came since the cursor and goes on live: nothing missing, nothing twice', async () => {
  for (let count = 0; count < 1_300; count += 1) (count % 3 ? payment : commit)('m-alpha', { silently: true });
  const client = await open('alpha');
  await client.subscribe('1', document, { after: 'place-100' });
  const more = Array.from({ length: 40 }, () => commit('m-alpha'));
  await eventually(() => client.items('1').length >= 1_240);
  await client.settle();
  expect(sequences(client.items('1'))).toEqual(Array.from({ length: 1_240 }, (_, index) => index + 101));
  expect(client.items('1').at(-1)?.['cursor']).toBe(`place-${more.at(-1)?.position}`);
});

test('a replay is completed many events at a time', async () => {
  for (let count = 0; count < 1_000; count += 1) payment('m-alpha');
  const client = await open('alpha');
  const before = conversations.world.fetches();
  await client.subscribe('1', document, { after: 'place-0' });
  await eventually(() => client.items('1').length === 1_000);
  expect(conversations.world.fetches() - before).toBeLessThanOrEqual(20);
});

test('a gap item says that events are no longer kept, and its cursor resumes', async () => {
  for (let count = 0; count < 6; count += 1) payment('m-alpha');
  conversations.world.setFloor(4);
  const client = await open('alpha');
  await client.subscribe('1', document, { after: 'place-2' });
  await eventually(() => client.items('1').length === 3);
  expect(client.items('1')[0]).toEqual({
    __typename: 'PlainEvent',
    sequence: 0,
    cursor: 'place-4',
    at: 'place-4',
    type: 'GAP',
  });
  expect(sequences(client.items('1'))).toEqual([0, 5, 6]);
});

test("a cursor of one merchant's events resumes where that merchant alone is wanted", async () => {
  for (let count = 0; count < 6; count += 1) payment(count % 2 ? 'm-alpha' : 'm-beta');
  const client = await open('staff');
  await client.subscribe('1', document, { filter: { merchantIds: ['m-alpha'] }, after: 'cursor-2' });
  payment('m-alpha');
  await eventually(() => client.items('1').length >= 3);
  await client.settle();
  expect(sequences(client.items('1'))).toEqual([4, 6, 7]);
});

test.each([
  ['the latest', { last: 3 }, [4, 5, 6]],
  ['of those that a filter wants', { last: 2, filter: { merchantIds: ['m-alpha-2'] } }, [1, 4]],
  ['no more than there are', { last: 200 }, [1, 2, 4, 5, 6]],
  ['none', { last: 0 }, []],
  ['none, left out', {}, []],
  ['none beside a cursor', { last: 3, after: 'place-5' }, [6]],
])(
  'of what came before are told first: %s; then it goes on, nothing missing, nothing twice',
  async (_what, asked, expected) => {
    for (const merchantId of ['m-alpha-2', 'm-alpha', 'm-beta', 'm-alpha-2', 'm-alpha', 'm-alpha']) payment(merchantId);
    const client = await open('alpha');
    await client.subscribe('1', document, asked);
    for (let count = 0; count < 20; count += 1) payment('m-alpha-2');
    await eventually(() => client.items('1').length >= expected.length + 20);
    await client.settle();
    const later = Array.from({ length: 20 }, (_, index) => index + 7);
    expect(sequences(client.items('1'))).toEqual([...expected, ...later]);
  },
);

test('a stream that began with the latest is resumed behind any of them', async () => {
  for (let count = 0; count < 6; count += 1) payment('m-alpha');
  const client = await open('alpha');
  await client.subscribe('1', document, { last: 4 });
  await eventually(() => client.items('1').length === 4);
  const again = await open('alpha');
  await again.subscribe('1', document, { last: 4, after: String(client.items('1')[1]?.['cursor']) });
  await eventually(() => again.items('1').length === 2);
  expect(sequences(again.items('1'))).toEqual([5, 6]);
});

test('what is no longer kept is not among the latest, and is no gap', async () => {
  for (let count = 0; count < 6; count += 1) payment('m-alpha');
  conversations.world.setFloor(4);
  const client = await open('alpha');
  await client.subscribe('1', document, { last: 100 });
  await eventually(() => client.items('1').length >= 2);
  await client.settle();
  expect(sequences(client.items('1'))).toEqual([5, 6]);
});

describe('refused', () => {
  test.each([
    [
      'an unknown type',
      { filter: { types: ['operation.recorded', 'operation.done'] } },
      'invalidInput',
      'filter.types',
    ],
    ['an unknown result', { filter: { results: ['AUTHORIZED', 'GOOD'] } }, 'invalidInput', 'filter.results[1]'],
    ['no result at all', { filter: { results: [] } }, 'invalidInput', 'filter.results'],
    ['no type at all', { filter: { types: [] } }, 'invalidInput', 'filter.types'],
    [
      'too many merchants',
      { filter: { merchantIds: Array(101).fill('m-alpha') } },
      'invalidInput',
      'filter.merchantIds',
    ],
    ['a foreign merchant', { filter: { merchantIds: ['m-alpha', 'm-beta'] } }, 'notFound', 'filter.merchantIds'],
    ['a merchant that there is not', { filter: { merchantIds: ['m-none'] } }, 'notFound', 'filter.merchantIds'],
    ['fewer than none of the latest', { last: -1 }, 'invalidInput', 'last'],
    ['too many of the latest', { last: 201 }, 'invalidInput', 'last'],
    ['a part of the latest', { last: 1.5 }, 'invalidInput', 'last'],
    ['a cursor that is none', { after: 'nonsense' }, 'invalidInput', 'after'],
    ['a cursor beyond the log', { after: 'place-9' }, 'invalidInput', 'after'],
    ["a cursor of one merchant's events", { after: 'cursor-0' }, 'invalidInput', 'after'],
    [
      'the same with two merchants',
      { filter: { merchantIds: ['m-alpha', 'm-alpha-2'] }, after: 'cursor-0' },
      'invalidInput',
      'after',
    ],
  ])('%s', async (_what, variables, code, field) => {
    const client = await open('alpha');
    await client.subscribe('1', document, variables);
    payment('m-alpha');
    await client.settle();
    expect(client.of('1')).toMatchObject([{ type: 'error', payload: [{ extensions: { code, field } }] }]);
  });
});
