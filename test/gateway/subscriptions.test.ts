// Conversations over real sockets: live events, resuming by cursor without gap or repetition, gap items, rights at connect, per subscription and per event.
import { closeCodes } from '../../gateway/subscriptions/subscription-connection';
import { eventually } from '../support/stores';
import { byMerchant, openConversations } from './conversations';

const conversations = openConversations();
const { open } = conversations;

describe('live', () => {
  it('streams what is committed from now on, with fields of other subgraphs, to whoever may see it', async () => {
    conversations.world.commit('m-alpha');
    const [alpha, beta, staff] = [await open('alpha'), await open('beta'), await open('staff')];
    await alpha.subscribe('1', byMerchant, { m: 'm-alpha' });
    await beta.subscribe('1', byMerchant, { m: 'm-beta' });
    await staff.subscribe('1', byMerchant, { m: 'm-alpha' });
    const event = conversations.world.commit('m-alpha');
    conversations.world.commit('m-alpha-2');
    await eventually(() => alpha.items('1').length === 1 && staff.items('1').length === 1);
    expect(alpha.items('1')).toEqual([
      {
        eventId: event._id,
        sequence: 2,
        cursor: 'cursor-2',
        type: 'virtualAccount.suspended',
        virtualAccount: { virtualAccountId: 'va-m-alpha', state: 'ACTIVE' },
      },
    ]);
    expect(staff.items('1')).toEqual(alpha.items('1'));
    expect(beta.items('1')).toEqual([]);
  });

  it('executes once per event for all subscribers alike, whatever ids they gave', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => open(index % 2 ? 'alpha' : 'alphaToo')));
    await Promise.all(many.map((client, index) => client.subscribe(`id-${index % 5}`, byMerchant, { m: 'm-alpha' })));
    for (let count = 0; count < 10; count += 1) conversations.world.commit('m-alpha');
    await eventually(() => many.every((client, index) => client.items(`id-${index % 5}`).length === 10));
    expect(conversations.world.executions()).toBe(10);
    for (const client of many) expect(client.messages.map(({ type }) => type)).not.toContain('error');
  });

  it('keeps documents, variables, aliases and fragments apart', async () => {
    const client = await open('alpha');
    await client.subscribe(
      'a',
      'subscription A { tokenEvents(merchantId: "m-alpha") { ...F virtualAccount { s: state(upper: false) } } } fragment F on TokenEvent { id: eventId }',
    );
    await client.subscribe(
      'b',
      'subscription($u: Boolean!, $eventId: ID!) { tokenEvents(merchantId: $eventId) { virtualAccount { state(upper: $u) } type @skip(if: $u) } }',
      { u: true, eventId: 'm-alpha' },
    );
    const event = conversations.world.commit('m-alpha');
    await eventually(() => client.items('a').length === 1 && client.items('b').length === 1);
    expect(client.items('a')).toEqual([{ id: event._id, virtualAccount: { s: 'active' } }]);
    expect(client.items('b')).toEqual([{ virtualAccount: { state: 'ACTIVE' } }]);
  });

  it('misses nothing that is committed right after the subscription was sent', async () => {
    for (let round = 0; round < 20; round += 1) {
      const client = await open('alpha');
      client.send({ id: '1', type: 'subscribe', payload: { query: byMerchant, variables: { m: 'm-alpha' } } });
      // The pong tells that the server has seen what was sent before the ping, no more.
      client.send({ type: 'ping' });
      await eventually(() => client.messages.some(({ type }) => type === 'pong'), { everyMs: 1 });
      const event = conversations.world.commit('m-alpha');
      await eventually(() => client.items('1').length > 0);
      expect(client.items('1').map(({ eventId }) => eventId)).toEqual([event._id]);
      client.close();
    }
  });

  it('finds by itself what no wake-up told it', async () => {
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha' });
    conversations.world.commit('m-alpha', { silently: true });
    await eventually(() => client.items('1').length === 1, { timeoutMs: 3_000 });
  });

  it('waits for a dependency that is away instead of skipping an event', async () => {
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha' });
    conversations.world.setAway(true);
    conversations.world.commit('m-alpha');
    conversations.world.commit('m-alpha');
    await eventually(() => conversations.world.executions() > 3);
    expect(client.items('1')).toEqual([]);
    conversations.world.setAway(false);
    await eventually(() => client.items('1').length === 2);
    expect(client.items('1').map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('stops at complete, and the connection lives on', async () => {
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha' });
    await client.subscribe('2', byMerchant, { m: 'm-alpha' });
    client.send({ id: '1', type: 'complete' });
    await client.settle();
    conversations.world.commit('m-alpha');
    await eventually(() => client.items('2').length === 1);
    expect(client.items('1')).toEqual([]);
    expect(client.closed).toBeNull();
  });

  it('answers queries, mutations and pings over the same socket', async () => {
    const client = await open('staff');
    client.send({
      id: 'q',
      type: 'subscribe',
      payload: { query: '{ merchant(merchantId: "m-alpha") { merchantId } }' },
    });
    client.send({ id: 'm', type: 'subscribe', payload: { query: 'mutation { touch }' } });
    client.send({ type: 'ping', payload: { n: 1 } });
    await eventually(
      () =>
        client.of('q').length === 2 &&
        client.of('m').length === 2 &&
        client.messages.some(({ type }) => type === 'pong'),
    );
    expect(client.of('q').map(({ type }) => type)).toEqual(['next', 'complete']);
  });
});

describe('resuming', () => {
  it('replays everything since the cursor, then goes on live: nothing missing, nothing twice, in order', async () => {
    const first = conversations.world.commit('m-alpha');
    for (let count = 0; count < 450; count += 1) conversations.world.commit(count % 3 ? 'm-alpha' : 'm-beta');
    const expected: number[] = [];
    for (let index = 0; index < 450; index += 1) if (index % 3) expected.push(index + 2);
    const client = await open('alpha');
    client.send({
      id: '1',
      type: 'subscribe',
      payload: { query: byMerchant, variables: { m: 'm-alpha', after: conversations.world.cursor(first) } },
    });
    for (let count = 0; count < 50; count += 1) {
      expected.push(conversations.world.commit('m-alpha').sequence);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => client.items('1').length >= expected.length);
    expected.push(conversations.world.commit('m-alpha').sequence);
    await eventually(() => client.items('1').length >= expected.length);
    expect(client.items('1').map(({ sequence }) => sequence)).toEqual(expected);
  });

  it('resumes from the cursor of any item it got', async () => {
    for (let count = 0; count < 5; count += 1) conversations.world.commit('m-alpha');
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha', after: 'cursor-0' });
    await eventually(() => client.items('1').length === 5);
    const again = await open('alpha');
    await again.subscribe('1', byMerchant, { m: 'm-alpha', after: client.items('1')[2]?.['cursor'] });
    await eventually(() => again.items('1').length === 2);
    expect(again.items('1')).toEqual(client.items('1').slice(3));
  });

  it('tells nothing again that its cursor covers, where the tail of this process is behind it', async () => {
    const client = await open('alpha');
    const known = conversations.world.commit('m-alpha', { silently: true });
    await client.subscribe('1', byMerchant, { m: 'm-alpha', after: conversations.world.cursor(known) });
    conversations.world.commit('m-alpha');
    await eventually(() => client.items('1').some(({ sequence }) => sequence === 2));
    expect(client.items('1').map(({ sequence }) => sequence)).toEqual([2]);
  });

  it('says with a gap item that events are no longer kept, then goes on from its cursor', async () => {
    for (let count = 0; count < 6; count += 1) conversations.world.commit('m-alpha');
    conversations.world.setFloor(4);
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha', after: 'cursor-2' });
    await eventually(() => client.items('1').length === 3);
    expect(client.items('1')).toEqual([
      {
        eventId: '00000000-0000-0000-0000-000000000000',
        sequence: 0,
        cursor: 'cursor-4',
        type: 'GAP',
        virtualAccount: null,
      },
      expect.objectContaining({ sequence: 5 }),
      expect.objectContaining({ sequence: 6 }),
    ]);
    const again = await open('alpha');
    await again.subscribe('1', byMerchant, { m: 'm-alpha', after: 'cursor-4' });
    await eventually(() => again.items('1').length === 2);
  });

  it.each(['nonsense', 'cursor-99', ''])('refuses the cursor "%s"', async (after) => {
    conversations.world.commit('m-alpha');
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha', after });
    expect(client.of('1')).toEqual([
      {
        id: '1',
        type: 'error',
        payload: [expect.objectContaining({ extensions: { code: 'invalidInput', field: 'after' } })],
      },
    ]);
  });
});

it('refuses null for the owner of events', async () => {
  const client = await open('alpha');
  const query = 'subscription($m: ID = "m-alpha") { tokenEvents(merchantId: $m) { eventId } }';
  await client.subscribe('1', query, { m: null });
  expect(client.of('1')[0]).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'invalidInput', field: 'm' } }],
  });
});

describe('rights', () => {
  it.each([
    ['no credential', undefined, 4401],
    ['an unknown token', 'nobody', 4401],
    ['a client of another family', 'psp', 4403],
  ])('closes a connection with %s', async (_name, who, code) => {
    const client = await open(who);
    await eventually(() => client.closed);
    expect(client.closed?.code).toBe(code);
    expect(client.messages).toEqual([]);
  });

  it('answers a foreign merchant as an absent one', async () => {
    const client = await open('alpha');
    await client.subscribe('foreign', byMerchant, { m: 'm-beta' });
    await client.subscribe('absent', byMerchant, { m: 'm-none' });
    const [foreign, absent] = [client.of('foreign'), client.of('absent')];
    expect(foreign).toHaveLength(1);
    expect(foreign[0]).toEqual({ ...absent[0], id: 'foreign' });
    expect(foreign[0]?.payload?.[0]?.extensions?.code).toBe('notFound');
    conversations.world.commit('m-beta');
    await client.settle();
    expect(client.items('foreign')).toEqual([]);
  });

  it('filters each event by account even under a merchant of its own', async () => {
    const client = await open('alpha');
    await client.subscribe('1', byMerchant, { m: 'm-alpha' });
    conversations.world.commit('m-alpha', { accountId: 'beta' });
    const own = conversations.world.commit('m-alpha');
    await eventually(() => client.items('1').length === 1);
    expect(client.items('1')[0]?.['eventId']).toBe(own._id);
  });

  it('closes with 4403 on revocation, and only that credential', async () => {
    const [revoked, other] = [await open('alpha'), await open('alphaToo')];
    await revoked.subscribe('1', byMerchant, { m: 'm-alpha' });
    await other.subscribe('1', byMerchant, { m: 'm-alpha' });
    conversations.world.revoke('hash-alpha');
    await eventually(() => revoked.closed);
    expect(revoked.closed?.code).toBe(4403);
    conversations.world.commit('m-alpha');
    await eventually(() => other.items('1').length === 1);
    expect(revoked.items('1')).toEqual([]);
  });

  it('closes with 4403 when what the credential may do has changed, and only that one', async () => {
    const [narrowed, other] = [await open('alpha'), await open('alphaToo')];
    conversations.world.narrow('hash-alpha', []);
    await eventually(() => narrowed.closed);
    expect(narrowed.closed).toEqual(closeCodes.changed);
    await other.settle();
    expect(other.closed).toBeNull();
  });

  it.each([
    ['a field of another shape', 'subscription { strangeEvents(merchantId: "m-alpha") { eventId } }'],
    [
      'conditions on the root',
      'subscription($c: Boolean = false) { tokenEvents(merchantId: "m-alpha") @skip(if: $c) { eventId } }',
    ],
    [
      'two fields',
      'subscription { a: tokenEvents(merchantId: "m-alpha") { eventId } b: tokenEvents(merchantId: "m-alpha") { eventId } }',
    ],
    ['an unknown field', 'subscription { tokenEvents(merchantId: "m-alpha") { nothing } }'],
    ['a missing variable', 'subscription($x: ID!) { tokenEvents(merchantId: $x) { eventId } }'],
    ['an oversized document', `subscription { tokenEvents(merchantId: "m-alpha") { ${'eventId '.repeat(1_000)} } }`],
  ])('refuses %s', async (_name, query) => {
    const client = await open('alpha');
    await client.subscribe('1', query);
    expect(client.of('1').map(({ type }) => type)).toEqual(['error']);
    expect(client.closed).toBeNull();
  });

  it('refuses a mutation to someone who may only read', async () => {
    const client = await open('alpha');
    await client.subscribe('1', 'mutation { touch }');
    expect(client.of('1')[0]?.payload?.errors?.[0]?.extensions.code).toBe('forbidden');
  });
});
