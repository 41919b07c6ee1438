// Claims at the lease of an endpoint: what is on its way is seen in the graph, kept apart from redeliveries, and never sent twice or out of order
// (2.4-A of the decision register).
import type { ServerResponse } from 'node:http';
import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { newId } from '../../subgraphs/shared/ids';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { eventually } from '../support/stores';
import { executeInSubgraph } from './graph';
import { type Receiver, startReceiver } from './receiver';
import { account, openWorld, type World } from './world';

let world: World;
let receiver: Receiver;

beforeEach(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  await world.setAddress(receiver.url);
  world.startOutbox();
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});

interface Shown {
  callbackId: string;
  status: string;
  attempts: { number: number; result: string; isManual: boolean }[];
}

async function listed(status?: string): Promise<Shown[]> {
  const source = `query ($filter: CallbackFilter) { callbacks(filter: $filter) { edges { node { callbackId status attempts { number result isManual } } } } }`;
  const { callbacks } = await executeInSubgraph(world, source, { filter: { status } });
  return (callbacks as { edges: { node: Shown }[] }).edges.map(({ node }) => node);
}

/** One callback whose receiver has not answered yet, and the answer. */
async function oneOnItsWay(): Promise<{ callbackId: string; answer(status: number): void }> {
  const answers: ((status: number) => void)[] = [];
  receiver.answer((_request, response) => void answers.push((status) => response.writeHead(status).end()));
  world.startCallbacks();
  await world.happen({});
  const answer = await eventually(() => answers[0]);
  const [one] = await world.callbacks();
  receiver.answer((_request, response) => void response.writeHead(204).end());
  return { callbackId: String(one?.callbackId), answer };
}

const isDelivered = () => eventually(async () => (await listed('DELIVERED')).length === 1);

test('a callback on its way is SENDING with its attempt in flight, found by that status alone, and not sent again by hand', async () => {
  const { callbackId, answer } = await oneOnItsWay();
  const shown = {
    callbackId,
    status: 'SENDING',
    attempts: [{ number: 1, result: 'inFlight', isManual: false }],
  };
  expect(await listed('SENDING')).toEqual([shown]);
  expect(await listed('PENDING')).toEqual([]);
  expect(await listed()).toEqual([shown]);
  const redeliver = 'mutation ($id: ID!) { redeliverCallback(callbackId: $id) { callbackId } }';
  await expect(executeInSubgraph(world, redeliver, { id: callbackId })).rejects.toMatchObject({ code: 'conflict' });
  answer(204);
  await isDelivered();
  expect(await listed('SENDING')).toEqual([]);
});

test('a failed attempt is PENDING again at once, although its endpoint is still being served', async () => {
  const { callbackId, answer } = await oneOnItsWay();
  answer(500);
  const [waiting] = await eventually(async () => {
    const pending = await listed('PENDING');
    return pending.length === 1 ? pending : null;
  });
  expect(waiting).toMatchObject({ callbackId, attempts: [{ number: 1, result: 'httpError' }] });
});

test.each([[204], [410], [500]])(
  'a redelivery that slips in while the answer %d is awaited is made as well',
  async (status) => {
    const { callbackId, answer } = await oneOnItsWay();
    const repository = createCallbackRepository(world.stores.product);
    const [callback] = await repository.find(world.staff, [callbackId]);
    if (!callback) throw new Error('it is there');
    await world.inTransaction({ updates: [repository.redeliver(callback, newId(), world.clock.now())] });
    answer(status);
    await isDelivered();
    expect((await listed())[0]?.attempts).toEqual([
      { number: 1, result: status === 204 ? 'delivered' : 'httpError', isManual: false },
      { number: 2, result: 'delivered', isManual: true },
    ]);
    expect(receiver.received).toHaveLength(2);
  },
);

test('a backlog of many pages goes out once each, every key in its order, others past a key that waits', async () => {
  const hot = newId();
  const keys = Array.from({ length: 6 }, newId);
  const events = [...Array.from({ length: 12 }, () => hot), ...keys, ...keys, ...Array.from({ length: 6 }, () => hot)];
  for (const aggregateId of events) await world.happen({ aggregateId });
  await eventually(async () => (await world.callbacks()).length === events.length);
  receiver.answer((_request, response) => void setTimeout(() => response.writeHead(204).end(), 5));
  world.startCallbacks({ perEndpoint: 1 });
  await eventually(() => receiver.received.length >= events.length);
  const callbacks = await eventually(async () => {
    const all = await world.callbacks();
    return all.every(({ status }) => status === 'DELIVERED') ? all : null;
  });
  const sent = receiver.received.map(({ eventId }) => eventId);
  expect([...sent].sort()).toEqual(callbacks.map(({ eventId }) => eventId).sort());
  for (const key of [hot, ...keys]) {
    const ofKey = callbacks.filter(({ orderingKey }) => orderingKey === key).map(({ eventId }) => eventId);
    expect(sent.filter((eventId) => ofKey.includes(eventId))).toEqual(ofKey);
  }
  const lastHot = callbacks.filter(({ orderingKey }) => orderingKey === hot).at(-1);
  expect(sent.at(-1)).toBe(lastHot?.eventId);
  expect(callbacks.every(({ accountId }) => accountId === account)).toBe(true);
});

describe('a worker that has claimed four and waits for the answer to the first', () => {
  let events: NewEvent[];
  let isLetGo: boolean;
  /** Whether the lease had been let go at each call. */
  let letGoAt: boolean[];
  let answer: () => void;
  beforeEach(async () => {
    events = await world.happen({}, {}, {}, {});
    await eventually(async () => (await world.callbacks()).length === events.length);
    [isLetGo, letGoAt] = [false, []];
    const { leases } = world.notifications.stores;
    const unanswered: typeof leases = {
      ...leases,
      renew: () => new Promise(() => undefined),
      release: (...given) => {
        isLetGo = true;
        return leases.release(...given);
      },
    };
    const held: ServerResponse[] = [];
    receiver.answer((_request, response) => {
      letGoAt.push(isLetGo);
      if (receiver.received.length === 1) held.push(response);
      else response.writeHead(204).end();
    });
    world.startCallbacks({ perEndpoint: 1, leases: unanswered });
    const first = await eventually(() => held[0]);
    answer = () => first.writeHead(204).end();
  });
  const sent = () => receiver.received.map(({ eventId }) => eventId);
  const ids = () => events.map(({ _id }) => _id);

  test('sends nothing more once its lease is over, also when its renewals get no answer', async () => {
    world.startCallbacks({ sweepEveryMs: 100 });
    await eventually(() => sent().length > 1);
    answer();
    await eventually(() => isLetGo);
    await eventually(async () => (await listed('DELIVERED')).length === events.length);
    expect(sent().sort()).toEqual([...ids(), sent()[0]].sort());
  });

  test('sends nothing more under a lease that ended while it stood still', async () => {
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 8_000);
    answer();
    await eventually(() => letGoAt.length > 1).finally(() => clock.mockRestore());
    expect(letGoAt[1]).toBe(true);
    await eventually(async () => (await listed('DELIVERED')).length === events.length);
    expect(sent().sort()).toEqual(ids().sort());
  });
});

describe('endpoints that are seen and then taken together', () => {
  const leases = () => world.notifications.stores.leases;
  async function seenOne() {
    const endpointId = await world.setAddress(receiver.url);
    const [seen] = await leases().see([endpointId, 'unknown']);
    if (!seen) throw new Error('it is there');
    return { endpointId, seen, wanted: { seen, claims: [{ at: new Date(), callbackIds: ['one'] }] } };
  }

  test('are held with what was claimed, under the next fencing number', async () => {
    const { endpointId, seen, wanted } = await seenOne();
    const [held] = await leases().takeFree([wanted], newId(), 60_000);
    expect(held).toMatchObject({ fence: seen.fence + 1, isInherited: false });
    if (!held) throw new Error('it was free');
    expect((await leases().claimsAt([endpointId])).flatMap(({ callbackIds }) => callbackIds)).toEqual(['one']);
    expect(await leases().acquire(endpointId, newId(), 60_000)).toBeNull();
    expect(await leases().release(held, 0)).toBe(1);
    expect(await leases().release(held, 1)).toBeNull();
    expect(await leases().renew(endpointId, seen.fence + 1, 60_000)).toBe(false);
    expect((await leases().see([endpointId]))[0]).toMatchObject({ isFree: true, fence: seen.fence + 1 });
  });

  test.each([
    ['holds it', async (id: string) => void (await leases().acquire(id, newId(), 60_000))],
    [
      'served it and let it go',
      async (id: string) => {
        const held = await leases().acquire(id, newId(), 60_000);
        if (held) await leases().release(held, 0);
      },
    ],
    [
      'vanished with it',
      async (id: string) => {
        const held = await leases().acquire(id, newId(), 60_000);
        if (held) await leases().renew(id, held.fence, 0);
      },
    ],
    ['changed its address', async () => void (await world.setAddress(`${receiver.url}/other`))],
  ])('are left out where somebody %s in between, the others are taken', async (_name, meanwhile) => {
    const other = await world.setAddress(receiver.url, 'beta');
    const { endpointId, wanted } = await seenOne();
    const [seenOther] = await leases().see([other]);
    if (!seenOther) throw new Error('it is there');
    await meanwhile(endpointId);
    const held = await leases().takeFree([wanted, { seen: seenOther, claims: [] }], newId(), 60_000);
    expect(held.map(({ endpoint }) => endpoint.endpointId)).toEqual([other]);
    expect(await leases().claimsAt([endpointId])).toEqual([]);
  });
});
