// The way of a callback, from the commit of an event to the receiver (tokenization interface, outbound call; 2.1 and 2.4-A of the decision register).
import { Webhook } from 'standardwebhooks';
import type { Callback } from '../../subgraphs/notifications';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { waitsMs } from '../../workers/retry';
import { eventually } from '../support/stores';
import { executeInSubgraph } from './graph';
import { type Receiver, startReceiver } from './receiver';
import { account, openWorld, type World } from './world';

let world: World;
let receiver: Receiver;
let endpointId: string;

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  world.startOutbox();
  world.startCallbacks();
});
beforeEach(async () => {
  receiver.answer((_request, response) => void response.writeHead(204).end());
  endpointId = await world.setAddress(receiver.url);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const callsOf = (eventId: string | undefined) => receiver.received.filter((call) => call.eventId === eventId);
const callbackOf = async (eventId: string | undefined) =>
  (await world.callbacks()).find((one) => one.eventId === eventId);
const until = (eventId: string | undefined, reached: (callback: Callback) => boolean) =>
  eventually(async () => {
    const callback = await callbackOf(eventId);
    return callback && reached(callback) ? callback : null;
  });
const failWith = (status: number, headers: Record<string, string> = {}) =>
  receiver.answer((_request, response) => void response.writeHead(status, headers).end('no'));
const staffContext = () => requestContext(world.staff, newId());
const key = { accountId: account, kind: 'notify-update' };

describe('a healthy receiver', () => {
  test('gets one signed call in documented spelling, and it is recorded as delivered', async () => {
    const [event] = await world.happen({ type: 'virtualAccount.suspended' });
    const call = await eventually(() => callsOf(event?._id)[0]);

    expect(call.path).toBe(`/v1/merchant-alpha-1/virtual-accounts/${event?.aggregateId}/notify-update`);
    const names = call.rawHeaders.filter((_value, index) => index % 2 === 0);
    expect(names).toEqual(
      expect.arrayContaining(['X-Request-ID', 'X-Provider-ID', 'webhook-id', 'webhook-timestamp', 'webhook-signature']),
    );
    expect(call.headers).toMatchObject({
      'x-request-id': event?._id,
      'webhook-id': event?._id,
      'x-provider-id': 'provider-alpha',
      'content-type': 'application/json',
    });
    expect(new Webhook(world.secret).verify(call.body, call.headers as Record<string, string>)).toEqual({
      updateType: 'TOKEN_STATE_CHANGE',
      tokenInfo: { tokenMasked: '999999******0001', tokenExpiry: '112028', tokenStatus: 'SUSPENDED' },
    });
    expect(await until(event?._id, ({ status }) => status === 'DELIVERED')).toMatchObject({
      open: false,
      tries: 1,
      attempts: [{ number: 1, result: 'delivered', status: 204 }],
    });
  });

  test('gets nothing about a creation or a deletion by the caller', async () => {
    const [, , told] = await world.happen(
      { type: 'virtualAccount.created' },
      { type: 'virtualAccount.deleted', data: { by: 'caller' } },
      {},
    );
    await eventually(() => callsOf(told?._id)[0]);
    const eventIds = (await world.callbacks()).map(({ eventId }) => eventId);
    expect(eventIds).toContain(told?._id);
    expect(await world.stores.connection.collection('deliveries').countDocuments({ path: '' })).toBe(0);
  });

  test('gets the events of one virtual account in order, one at a time', async () => {
    let mostAtOnce = 0;
    receiver.answer((_request, response) => {
      mostAtOnce = Math.max(mostAtOnce, receiver.open());
      setTimeout(() => response.writeHead(204).end(), 20);
    });
    const aggregateId = newId();
    const events = [];
    for (let index = 0; index < 8; index += 1) events.push(...(await world.happen({ aggregateId })));
    const ids = events.map(({ _id }) => _id);
    await eventually(() => receiver.received.filter(({ eventId }) => ids.includes(eventId)).length === 8);
    expect(receiver.received.map(({ eventId }) => eventId).filter((id) => ids.includes(id))).toEqual(ids);
    expect(mostAtOnce).toBe(1);
  });

  test('verifies with both secrets while one is replaced, and with a static Authorization value', async () => {
    const { secret } = await world.notifications.endpoints.rotateSecret(staffContext(), key);
    await world.notifications.endpoints.setAuthorization(staffContext(), key, 'Bearer static value');
    const [event] = await world.happen({});
    const { body, headers } = await eventually(() => callsOf(event?._id)[0]);
    for (const one of [world.secret, secret]) {
      expect(() => new Webhook(one).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    expect(headers.authorization).toBe('Bearer static value');
    expect(() => new Webhook(world.secret).verify(`${body} `, headers as Record<string, string>)).toThrow();

    world.clock.advance(24 * 3_600_000 + 1);
    await world.notifications.endpoints.setAuthorization(staffContext(), key, null);
    const [second] = await world.happen({});
    const after = await eventually(() => callsOf(second?._id)[0]);
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect(() => new Webhook(secret).verify(after.body, after.headers as Record<string, string>)).not.toThrow();
    expect(() => new Webhook(world.secret).verify(after.body, after.headers as Record<string, string>)).toThrow();
    expect(after.headers.authorization).toBeUndefined();
    world.secret = secret;
  });
});

describe('a failing receiver', () => {
  test('is called ten times on the published schedule with the same ids and bytes, then no more', async () => {
    failWith(500);
    const [event] = await world.happen({});
    for (const [index, wait] of waitsMs.entries()) {
      if (index > 0) {
        const before = await until(event?._id, ({ status, tries }) => status === 'PENDING' && tries === index);
        const waitMs = before.dueAt.getTime() - (before.attempts.at(-1)?.at.getTime() ?? 0);
        expect(waitMs).toBeGreaterThanOrEqual(wait);
        expect(waitMs).toBeLessThanOrEqual(wait * 1.1 + 10_000);
        world.clock.advance(before.dueAt.getTime() - world.clock.now().getTime());
      }
      await eventually(() => callsOf(event?._id).length === index + 1);
    }
    const dead = await until(event?._id, ({ status }) => status === 'EXHAUSTED');
    expect(dead).toMatchObject({ tries: 10, open: false });
    const calls = callsOf(event?._id);
    expect(new Set(calls.map(({ body, path, headers }) => [body, path, headers['x-request-id']].join('\n'))).size).toBe(
      1,
    );
    expect(await world.notifications.stores.endpoints.load(endpointId)).toMatchObject({
      health: { state: 'DEGRADED', exhaustedInARow: 1 },
    });
  });

  test('that asks for a pause gets it', async () => {
    failWith(429, { 'Retry-After': '900' });
    const [event] = await world.happen({});
    const { attempts } = await until(event?._id, ({ tries }) => tries === 1);
    const waitMs = (attempts[0]?.nextAt?.getTime() ?? 0) - (attempts[0]?.at.getTime() ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(900_000);
    expect(waitMs).toBeLessThan(960_000);
  });

  test('lets later events of the account pass after the first retry, and not before', async () => {
    const aggregateId = newId();
    const [first] = await world.happen({ aggregateId });
    // The pause that it asks for is longer than this test: the first retry comes when the clock is moved, not before.
    const pause = { 'Retry-After': '600' };
    receiver.answer((request, response) =>
      request.eventId === first?._id ? void response.writeHead(500, pause).end() : void response.writeHead(204).end(),
    );
    await until(first?._id, ({ tries }) => tries === 1);
    const [second] = await world.happen({ aggregateId });
    const waiting = await until(second?._id, ({ dueAt, createdAt }) => dueAt > createdAt);
    expect(waiting.dueAt).toEqual((await callbackOf(first?._id))?.dueAt);
    expect(callsOf(second?._id)).toHaveLength(0);
    world.clock.advance(601_000);
    await until(second?._id, ({ status }) => status === 'DELIVERED');
    expect(callsOf(first?._id)).toHaveLength(2);
    expect((await callbackOf(first?._id))?.status).toBe('PENDING');
  });

  test('that answers 410 is switched off until it is enabled', async () => {
    failWith(410);
    const [gone] = await world.happen({});
    expect(await until(gone?._id, ({ status }) => status === 'ENDED')).toMatchObject({
      reason: 'endpointGone',
      tries: 1,
    });
    const [next] = await world.happen({});
    expect(await until(next?._id, ({ status }) => status === 'ENDED')).toMatchObject({
      reason: 'endpointDisabled',
      attempts: [],
    });
    expect(callsOf(next?._id)).toHaveLength(0);

    receiver.answer((_request, response) => void response.writeHead(204).end());
    await world.notifications.endpoints.enable(staffContext(), endpointId);
    const [after] = await world.happen({});
    await until(after?._id, ({ status }) => status === 'DELIVERED');
    expect(await callbackOf(next?._id)).toMatchObject({ status: 'ENDED', tries: 0 });
    const again = `mutation ($input: RedeliverCallbacksInput!) { redeliverCallbacks(input: $input) { count } }`;
    await executeInSubgraph(world, again, { input: { since: next?.occurredAt.toISOString(), endpointId } });
    await until(next?._id, ({ status }) => status === 'DELIVERED');
  });

  test('is switched off after five exhausted events in a row over three days; one success would have cleared the count', async () => {
    failWith(500);
    const events = await world.happen({}, {}, {}, {}, {});
    const ids = events.map(({ _id }) => _id);
    const all = async () => (await world.callbacks()).filter(({ eventId }) => ids.includes(eventId));
    const allAre = async (reached: (callback: Callback) => boolean) => {
      const found = await all();
      return found.length === 5 && found.every(reached);
    };
    for (let attempt = 1; attempt < waitsMs.length; attempt += 1) {
      await eventually(() => allAre(({ tries, status }) => tries === attempt && status === 'PENDING'));
      world.clock.advance((waitsMs[attempt] ?? 0) * 1.1);
    }
    await eventually(() => allAre(({ status }) => status === 'EXHAUSTED'));
    const endpoint = await world.notifications.stores.endpoints.load(endpointId);
    expect(endpoint?.health).toMatchObject({
      state: 'DISABLED',
      exhaustedInARow: 5,
      warnedPercent: 100,
      reason: 'exhausted',
    });
    const facts = await world.stores.connection
      .collection('events')
      .find({ aggregateId: endpointId })
      .sort({ sequence: 1 })
      .toArray();
    expect(facts.map(({ sequence }) => sequence)).toEqual(facts.map((_fact, index) => index + 1));
    const types = facts.map(({ type }) => type);
    expect(types.filter((type) => type === 'callbackEndpoint.callbackExhausted').length).toBeGreaterThanOrEqual(5);
    expect(types).toContain('callbackEndpoint.disabled');
  });
});

describe('sending again', () => {
  test('keeps ids and bytes, is allowed after success, and is marked as manual', async () => {
    const [event] = await world.happen({});
    const delivered = await until(event?._id, ({ status }) => status === 'DELIVERED');
    const again = await redeliver(delivered.callbackId);
    expect(again.status).toBe('PENDING');
    const [first, second] = await eventually(() => (callsOf(event?._id).length === 2 ? callsOf(event?._id) : null));
    expect(second).toMatchObject({ body: first?.body, path: first?.path, eventId: first?.eventId });
    const { attempts } = await until(
      event?._id,
      ({ status, attempts: made }) => status === 'DELIVERED' && made.length === 2,
    );
    expect(attempts.map(({ number, isManual }) => [number, isManual])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test('takes the place of the pending automatic attempt', async () => {
    failWith(500, { 'Retry-After': '600' });
    const [event] = await world.happen({});
    const pending = await until(event?._id, ({ tries, status }) => tries === 1 && status === 'PENDING');
    receiver.answer((_request, response) => void response.writeHead(204).end());
    await redeliver(pending.callbackId);
    await until(event?._id, ({ status }) => status === 'DELIVERED');
    world.clock.advance(601_000);
    const [other] = await world.happen({});
    await until(other?._id, ({ status }) => status === 'DELIVERED');
    expect(callsOf(event?._id)).toHaveLength(2);
  });

  async function redeliver(callbackId: string) {
    const data = await executeInSubgraph(
      world,
      'mutation ($id: ID!) { redeliverCallback(callbackId: $id) { callbackId eventId status attempts { number } } }',
      { id: callbackId },
    );
    return data['redeliverCallback'] as { status: string };
  }
});

test('a slow receiver holds up nobody else', async () => {
  const slow = await startReceiver();
  slow.answer(() => undefined);
  await world.setAddress(slow.url, 'beta');
  await world.happen(...Array.from({ length: 40 }, () => ({ accountId: 'beta' })));
  await eventually(() => slow.open() > 0);
  const [event] = await world.happen({});
  await eventually(() => callsOf(event?._id)[0]);
  // Its first calls are still open: nobody waited for their end.
  expect(slow.open()).toBeGreaterThan(0);
  expect(slow.received.length).toBeLessThanOrEqual(16);
  await slow.close();
});

test('a target that has become forbidden is not called, and ends the callback', async () => {
  await world.stores.connection
    .collection('callback_endpoints')
    .updateOne({ _id: endpointId as never }, { $set: { address: 'http://10.0.0.1' } });
  const [event] = await world.happen({});
  expect(await until(event?._id, ({ status }) => status === 'ENDED')).toMatchObject({
    reason: 'blockedTarget',
    attempts: [{ result: 'blockedTarget', status: null, excerpt: null }],
  });
});
