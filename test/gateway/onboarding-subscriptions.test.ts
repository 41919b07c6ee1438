// The events of one onboarding application go by the same machinery: found by the application, resumed by cursor, closed to strangers.
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import type { CommitOptions } from './subscription-world';

const follow =
  'subscription($id: ID!, $after: String) { onboardingEvents(applicationId: $id, after: $after) { eventId sequence cursor type application { id status } } }';
const operations = 'subscription($m: ID!) { operationEvents(merchantId: $m) { sequence } }';

const conversations = openConversations();
const { open } = conversations;
/** A status of that application; its merchant is not one of the platform yet. */
const reach = (aggregateId: string, options: CommitOptions = {}) =>
  conversations.world.commit('m-applied', {
    type: 'onboarding.initiated',
    aggregateType: 'application',
    accountId: 'alpha',
    aggregateId,
    ...options,
  });

test('each application is followed by itself, with its id as text or number; its merchant hears nothing of it', async () => {
  const [client, other] = [await open('alpha'), await open('staff')];
  await client.subscribe('a', follow, { id: '1001' });
  await other.subscribe('b', follow, { id: 1002 });
  await client.subscribe('m', operations, { m: 'm-alpha' });
  const first = reach('1001');
  reach('1002');
  conversations.world.commit('m-alpha', { aggregateType: 'payment', aggregateId: '1001' });
  reach('1001', { type: 'onboarding.awaiting_signature' });
  await eventually(() => client.items('a').length === 2 && client.items('m').length === 1);
  expect(client.items('a')).toEqual([
    {
      eventId: first._id,
      sequence: 1,
      cursor: 'cursor-1',
      type: 'onboarding.initiated',
      application: { id: '1001', status: 'INITIATED' },
    },
    expect.objectContaining({ sequence: 4, type: 'onboarding.awaiting_signature' }),
  ]);
  await eventually(() => other.items('b').length === 1);
});

test('a resumption replays what came since the cursor and goes on live: nothing missing, nothing twice', async () => {
  for (let count = 0; count < 450; count += 1) reach(count % 2 ? '1001' : '1002');
  const client = await open('alpha');
  await client.subscribe('1', follow, { id: '1001', after: 'cursor-10' });
  const live = reach('1001');
  const expected = Array.from({ length: 450 }, (_, index) => index + 1).filter((each) => each > 10 && each % 2 === 0);
  await eventually(() => client.items('1').length === expected.length + 1);
  expect(client.items('1').map(({ sequence }) => sequence)).toEqual([...expected, live.sequence]);
});

test('a cursor that is ahead of the tail of this process covers what it covers', async () => {
  const client = await open('alpha');
  const known = reach('1001', { silently: true });
  await client.subscribe('1', follow, { id: '1001', after: conversations.world.cursor(known) });
  reach('1001');
  await eventually(() => client.items('1').some(({ sequence }) => sequence === 2));
  expect(client.items('1').map(({ sequence }) => sequence)).toEqual([2]);
});

test('a gap item says that events are no longer kept', async () => {
  for (let count = 0; count < 6; count += 1) reach('1001');
  conversations.world.setFloor(4);
  const client = await open('alpha');
  await client.subscribe('1', follow, { id: '1001', after: 'cursor-2' });
  await eventually(() => client.items('1').length === 3);
  expect(client.items('1')[0]).toMatchObject({ sequence: 0, cursor: 'cursor-4', type: 'GAP', application: null });
  expect(client.items('1').map(({ sequence }) => sequence)).toEqual([0, 5, 6]);
});

test.each(['nonsense', 'cursor-99', ''])('the cursor "%s" is refused', async (after) => {
  const client = await open('alpha');
  await client.subscribe('1', follow, { id: '1001', after });
  expect(client.of('1')).toMatchObject([
    { type: 'error', payload: [{ extensions: { code: 'invalidInput', field: 'after' } }] },
  ]);
});

test.each(['2001', '9999', 'm-alpha', '1001 '])('the application "%s" is absent for alpha', async (id) => {
  const client = await open('alpha');
  await client.subscribe('1', follow, { id });
  reach(id, { accountId: 'beta' });
  await client.settle();
  expect(client.of('1')).toMatchObject([
    { type: 'error', payload: [{ extensions: { code: 'notFound', field: 'applicationId' } }] },
  ]);
});

test('each event is judged by its own account', async () => {
  const client = await open('alpha');
  await client.subscribe('1', follow, { id: '1001' });
  reach('1001', { accountId: 'beta' });
  const own = reach('1001');
  await eventually(() => client.items('1').length === 1);
  expect(client.items('1')[0]?.['eventId']).toBe(own._id);
});
