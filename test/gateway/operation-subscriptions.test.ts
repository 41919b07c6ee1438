// The events of operations go by the same machinery as those of tokens: kept apart from them, resumed by cursor, with gap items, rights and revocation.
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import type { CommitOptions } from './subscription-world';

const operations =
  'subscription($m: ID!, $after: String) { operationEvents(merchantId: $m, after: $after) { eventId sequence cursor type operation { operationId operationResult } } }';
const tokens = 'subscription($m: ID!) { tokenEvents(merchantId: $m) { sequence } }';

const conversations = openConversations();
const { open } = conversations;
/** An operation of that merchant. */
const record = (merchantId = 'm-alpha', options: CommitOptions = {}) =>
  conversations.world.commit(merchantId, { type: 'operation.recorded', aggregateType: 'payment', ...options });

test('operations and tokens of one merchant do not meet, though they share a log', async () => {
  const client = await open('alpha');
  await client.subscribe('operations', operations, { m: 'm-alpha' });
  await client.subscribe('tokens', tokens, { m: 'm-alpha' });
  const first = record();
  conversations.world.commit('m-alpha');
  record();
  await eventually(() => client.items('operations').length === 2 && client.items('tokens').length === 1);
  expect(client.items('operations')).toEqual([
    {
      eventId: first._id,
      sequence: 1,
      cursor: 'cursor-1',
      type: 'operation.recorded',
      operation: { operationId: 'va-m-alpha', operationResult: 'AUTHORIZED' },
    },
    expect.objectContaining({ sequence: 3 }),
  ]);
  expect(client.items('tokens')).toEqual([{ sequence: 2 }]);
});

test('one execution per event serves all subscribers alike', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, (_, index) => open(index % 2 ? 'alpha' : 'alphaToo')));
  await Promise.all(many.map((client) => client.subscribe('1', operations, { m: 'm-alpha' })));
  for (let count = 0; count < 10; count += 1) record();
  await eventually(() => many.every((client) => client.items('1').length === 10));
  expect(conversations.world.executions()).toBe(10);
});

test('a resumption replays what came since the cursor and goes on live: nothing missing, nothing twice', async () => {
  for (let count = 0; count < 300; count += 1) (count % 3 ? record : conversations.world.commit)('m-alpha');
  const client = await open('alpha');
  await client.subscribe('1', operations, { m: 'm-alpha', after: 'cursor-100' });
  const live = record();
  const expected = Array.from({ length: 300 }, (_, index) => index + 1).filter((each) => each > 100 && (each - 1) % 3);
  await eventually(() => client.items('1').length === expected.length + 1);
  expect(client.items('1').map(({ sequence }) => sequence)).toEqual([...expected, live.sequence]);
});

test('a gap item says that events are no longer kept, and its cursor resumes', async () => {
  for (let count = 0; count < 6; count += 1) record();
  conversations.world.setFloor(4);
  const client = await open('alpha');
  await client.subscribe('1', operations, { m: 'm-alpha', after: 'cursor-2' });
  await eventually(() => client.items('1').length === 3);
  expect(client.items('1')[0]).toEqual({
    eventId: '00000000-0000-0000-0000-000000000000',
    sequence: 0,
    cursor: 'cursor-4',
    type: 'GAP',
    operation: null,
  });
  expect(client.items('1').map(({ sequence }) => sequence)).toEqual([0, 5, 6]);
  const again = await open('alpha');
  await again.subscribe('1', operations, { m: 'm-alpha', after: 'cursor-4' });
  await eventually(() => again.items('1').length === 2);
});

test.each(['nonsense', 'cursor-99', ''])('the cursor "%s" is refused', async (after) => {
  const client = await open('alpha');
  await client.subscribe('1', operations, { m: 'm-alpha', after });
  expect(client.of('1')).toMatchObject([
    { type: 'error', payload: [{ extensions: { code: 'invalidInput', field: 'after' } }] },
  ]);
});

describe('rights', () => {
  test.each([
    ['no credential', undefined, 4401],
    ['an unknown token', 'nobody', 4401],
    ['a client of another family', 'psp', 4403],
  ])('%s is not let in', async (_who, token, code) => {
    const client = await open(token);
    await eventually(() => client.closed);
    expect(client.closed?.code).toBe(code);
  });

  test.each(['m-beta', 'm-none'])('the merchant %s is absent for alpha', async (merchantId) => {
    const client = await open('alpha');
    await client.subscribe('1', operations, { m: merchantId });
    record(merchantId);
    await client.settle();
    expect(client.of('1')).toMatchObject([{ type: 'error', payload: [{ extensions: { code: 'notFound' } }] }]);
  });

  test('each event is judged by its own account', async () => {
    const client = await open('alpha');
    await client.subscribe('1', operations, { m: 'm-alpha' });
    record('m-alpha', { accountId: 'beta' });
    const own = record();
    await eventually(() => client.items('1').length === 1);
    expect(client.items('1')[0]?.['eventId']).toBe(own._id);
  });

  test('a revoked credential is closed, and only that one', async () => {
    const [revoked, other] = [await open('alpha'), await open('alphaToo')];
    for (const client of [revoked, other]) await client.subscribe('1', operations, { m: 'm-alpha' });
    conversations.world.revoke('hash-alpha');
    await eventually(() => revoked.closed);
    expect(revoked.closed?.code).toBe(4403);
    record();
    await eventually(() => other.items('1').length === 1);
    expect(revoked.items('1')).toEqual([]);
  });
});
