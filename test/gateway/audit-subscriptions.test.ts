// Events of the audit in `events`: narrowed by act, live and replayed, over both transports, and told to nobody who may not read the audit.
import { eventually } from '../support/stores';
import { openConversations } from './conversations';
import { StreamClient } from './stream-client';
import type { CommitOptions } from './subscription-world';

const document = `subscription($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) {
  __typename sequence cursor type ... on AuditEvent { action record { auditId } } } }`;

const conversations = openConversations();
const { open } = conversations;
const streams: StreamClient[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

const commit = (merchantId: string, options: CommitOptions = {}) => conversations.world.commit(merchantId, options);
const recorded = (merchantId: string, action: string) =>
  commit(merchantId, { type: 'audit.recorded', aggregateType: 'audit', aggregateId: `record-${action}`, action });
const sequences = (items: Record<string, unknown>[]) => items.map(({ sequence }) => sequence);
async function stream(who: string, search: string): Promise<StreamClient> {
  const client = await StreamClient.open(conversations.world.url, who, { search });
  streams.push(client);
  return client;
}

function commitSome(): void {
  recorded('m-alpha', 'apiKey.issued');
  recorded('m-beta', 'merchant.created');
  commit('m-alpha', { type: 'operation.recorded', aggregateType: 'payment', operationResult: 'AUTHORIZED' });
  recorded('m-alpha', 'merchant.created');
  recorded('m-alpha-2', 'terminal.changed');
}

test.each([
  ['staff', 'an act', { actions: ['merchant.created'] }, [2, 4]],
  ['staff', 'several acts', { actions: ['merchant.created', 'apiKey.issued'] }, [1, 2, 4]],
  ['staff', 'the type', { types: ['audit.recorded'] }, [1, 2, 4, 5]],
  ['staff', 'an act and a merchant', { actions: ['merchant.created'], merchantIds: ['m-beta'] }, [2]],
  ['staff', 'an act and another type', { actions: ['merchant.created'], types: ['payout.closed'] }, []],
  ['staff', 'an act and a result', { actions: ['merchant.created'], results: ['AUTHORIZED'] }, []],
  ['staff', 'a result', { results: ['AUTHORIZED'] }, [3]],
  ['alpha', 'an act, by an account', { actions: ['merchant.created', 'terminal.changed'] }, [4, 5]],
  ['beta', 'an act, by another account', { actions: ['apiKey.issued'] }, []],
])('%s, narrowed by %s: live, replayed, and as server-sent events', async (who, _what, filter, expected) => {
  const live = await open(who);
  await live.subscribe('1', document, { filter });
  commitSome();
  const replayed = await open(who);
  await replayed.subscribe('1', document, { filter, after: 'place-0' });
  const search = Object.entries(filter).map(([name, values]) => `${name}=${values.join()}`);
  const streamed = await stream(who, `?${search.join('&')}&after=place-0`);
  await eventually(
    () =>
      live.items('1').length >= expected.length &&
      replayed.items('1').length >= expected.length &&
      streamed.events().length >= expected.length,
  );
  await Promise.all([live.settle(), replayed.settle()]);
  expect(sequences(live.items('1'))).toEqual(expected);
  expect(replayed.items('1')).toEqual(live.items('1'));
  expect(streamed.events().map(({ data }) => data?.['sequence'])).toEqual(expected);
});

test('an event tells the act and its record; a resumption behind it goes on with the next', async () => {
  commitSome();
  const streamed = await stream('staff', '?types=audit.recorded&after=place-0');
  await eventually(() => streamed.events().length === 4);
  expect(streamed.events()[0]).toMatchObject({
    id: 'place-1',
    event: 'audit.recorded',
    data: { __typename: 'AuditEvent', action: 'apiKey.issued', record: { auditId: 'record-apiKey.issued' } },
  });
  const resumed = await open('staff');
  await resumed.subscribe('1', document, { filter: { types: ['audit.recorded'] }, after: 'place-1' });
  await eventually(() => resumed.items('1').length === 3);
  expect(sequences(resumed.items('1'))).toEqual([2, 4, 5]);
});

test('whoever may not read the audit hears nothing of it, live or replayed, and of everything else all', async () => {
  const live = await open('listener');
  await live.subscribe('1', document);
  commitSome();
  const replayed = await open('listener');
  await replayed.subscribe('1', document, { after: 'place-0' });
  const streamed = await stream('listener', '?after=place-0');
  await eventually(() => [live.items('1'), replayed.items('1'), streamed.events()].every(({ length }) => length > 0));
  await Promise.all([live.settle(), replayed.settle()]);
  expect(sequences(live.items('1'))).toEqual([3]);
  expect(sequences(replayed.items('1'))).toEqual([3]);
  expect(streamed.events()).toHaveLength(1);
});

test.each([
  ['listener', { actions: ['merchant.created'] }, 'forbidden'],
  ['listener', { types: ['operation.recorded', 'audit.recorded'] }, 'forbidden'],
  ['staff', { actions: ['merchant.exploded'] }, 'invalidInput'],
  ['staff', { actions: ['merchant'] }, 'invalidInput'],
  ['staff', { actions: ['payment.refunded'] }, 'invalidInput'],
  ['staff', { actions: ['credential.refused'] }, 'invalidInput'],
  ['staff', { actions: [] }, 'invalidInput'],
  ['staff', { actions: Array(101).fill('merchant.created') }, 'invalidInput'],
])('%s asking for %j is refused: %s', async (who, filter, code) => {
  const client = await open(who);
  await client.subscribe('1', document, { filter });
  expect(client.of('1')).toMatchObject([{ type: 'error', payload: [{ extensions: { code } }] }]);
  const search = Object.entries(filter).map(([name, values]) => `${name}=${values.join()}`);
  const streamed = await stream(who, `?${search.join('&')}`);
  expect(streamed.status).toBe(code === 'forbidden' ? 403 : 400);
});

test.each([
  [{ actions: ['merchant.exploded'] }, 'filter.actions names "merchant.exploded", which is none'],
  [
    { actions: ['payment.refunded'] },
    'filter.actions names "payment.refunded", which auditRecords has and no event of the audit tells',
  ],
  // An act, and no type of an event.
  [{ types: ['merchant.created'] }, 'filter.types names "merchant.created", which is none'],
])('why %j is refused is told', async (filter, message) => {
  const client = await open('staff');
  await client.subscribe('1', document, { filter });
  expect(client.of('1')).toMatchObject([{ payload: [{ message }] }]);
});
