// What the log tells of attempts to deliver callbacks: every one that is not ordinary, with its record or not at all, in order, and nothing that makes callbacks of its own.
import type { Callback } from '../../subgraphs/notifications';
import { newId } from '../../subgraphs/shared/ids';
import { waitsMs } from '../../workers/retry';
import { attemptFaults } from '../support/attempt-oracle';
import { failedAttempt } from '../support/attempt-outcome';
import { eventually } from '../support/stores';
import { executeInSubgraph } from './graph';
import { type Receiver, startReceiver } from './receiver';
import { validatorIn } from './validator-in';
import { openWorld, type World } from './world';

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

/** Answers in turn; the last of them from then on. */
function answerWith(...statuses: number[]): void {
  let count = 0;
  receiver.answer((_request, response) => {
    response.writeHead(statuses[Math.min(count, statuses.length - 1)] ?? 204).end();
    count += 1;
  });
}

const until = (reached: (callbacks: Callback[]) => boolean) =>
  eventually(async () => {
    const callbacks = await world.callbacks();
    return callbacks.length > 0 && reached(callbacks) ? callbacks : null;
  });
const attemptsOf = (callbacks: Callback[]) => callbacks.flatMap(({ attempts }) => attempts);
const closed = (callbacks: Callback[]) => callbacks.every(({ open }) => !open);
const redeliver = (callbackId: string | undefined) =>
  executeInSubgraph(world, 'mutation ($id: ID!) { redeliverCallback(callbackId: $id) { callbackId } }', {
    id: callbackId,
  });
const database = () => world.stores.connection.getClient().db(world.stores.databaseName);

interface Told {
  sequence: number;
  type: string;
  position: number | null;
  accountId: string;
  data: { number: number; result: string; httpStatus: number | null; nextAt: Date | null };
}

/** The events of callbacks in the order of the log, once all have their place. */
const told = () =>
  eventually(async () => {
    const events = await database().collection<Told>('events').find({ aggregateType: 'callback' }).toArray();
    const isPlaced = events.every(({ position }) => position !== null);
    return isPlaced ? events.sort((one, other) => Number(one.position) - Number(other.position)) : null;
  });
const shown = async () =>
  (await told()).map(({ sequence, data: { number, result, httpStatus } }) => [sequence, number, result, httpStatus]);

/** Moves the clock to the next attempt, again and again, until nothing is open. */
async function walkToTheEnd(): Promise<void> {
  for (let made = 1; made <= waitsMs.length; made += 1) {
    const callbacks = await until((all) => all.every(({ open, attempts }) => !open || attempts.length >= made));
    if (closed(callbacks)) return;
    const next = Math.max(...callbacks.filter(({ open }) => open).map(({ dueAt }) => dueAt.getTime()));
    world.clock.advance(Math.max(0, next - world.clock.now().getTime()));
  }
}

type Row = [what: string, statuses: number[], act: () => Promise<unknown>, expected: unknown[][]];
const rows: Row[] = [
  ['a delivery at once is not told', [204], async () => until(closed), []],
  [
    'a failure and the delivery after it',
    [500, 204],
    async () => walkToTheEnd(),
    [
      [1, 1, 'httpError', 500],
      [2, 2, 'delivered', 204],
    ],
  ],
  [
    'one asked for by hand, though the first was ordinary',
    [204],
    async () => {
      const [callback] = await until(closed);
      await redeliver(callback?.callbackId);
      await until((all) => attemptsOf(all).length === 2);
    },
    [[1, 2, 'delivered', 204]],
  ],
  [
    'one by hand while the schedule waits',
    [503, 204],
    async () => {
      const [callback] = await until((all) => attemptsOf(all).length === 1);
      await redeliver(callback?.callbackId);
      await until(closed);
    },
    [
      [1, 1, 'httpError', 503],
      [2, 2, 'delivered', 204],
    ],
  ],
  [
    'a schedule that is used up',
    [500],
    async () => walkToTheEnd(),
    waitsMs.map((_wait, index) => [index + 1, index + 1, 'httpError', 500]),
  ],
  ['410, which switches the address off', [410], async () => until(closed), [[1, 1, 'httpError', 410]]],
];

test.each(rows)('%s', async (_what, statuses, act, expected) => {
  answerWith(...statuses);
  world.startCallbacks();
  await world.happen({});
  await act();
  await until(closed);
  expect(await shown()).toEqual(expected);
  expect(await attemptFaults(database())).toEqual([]);
  // A callback of what became of a callback would have one, too.
  expect(await world.callbacks()).toHaveLength(1);
});

test('with all of them told, a delivery at once is, too, and those of one batch share their transaction', async () => {
  world.startCallbacks({ told: 'all' });
  await world.happen(...Array.from({ length: 40 }, () => ({})));
  await until((all) => all.length === 40 && closed(all));
  expect(await attemptFaults(database(), { all: true })).toEqual([]);
  expect(
    (await told()).every(
      ({ data: { number, result, nextAt } }) => number === 1 && result === 'delivered' && nextAt === null,
    ),
  ).toBe(true);
});

test('what is told only later is counted from where its own telling began', async () => {
  answerWith(204);
  const first = world.startCallbacks();
  await world.happen({});
  const [callback] = await until(closed);
  await first.stop();
  world.startCallbacks({ told: 'all' });
  for (const count of [2, 3]) {
    await redeliver(callback?.callbackId);
    await until((all) => attemptsOf(all).length === count && closed(all));
  }
  expect(await shown()).toEqual([
    [1, 2, 'delivered', 204],
    [2, 3, 'delivered', 204],
  ]);
});

test('an attempt of a worker that vanished is told as interrupted, once, and what the worker says later is told nowhere', async () => {
  const { leases, deliveries } = world.notifications.stores;
  const endpointId = await world.setAddress(receiver.url);
  await world.happen({}, {});
  const [one, two] = await until((all) => all.length === 2);
  if (!one || !two) throw new Error('two callbacks were made');
  const stale = await leases.acquire(endpointId, newId(), 50);
  if (!stale) throw new Error('the lease is free');
  const at = world.clock.now();
  expect(await leases.claim(stale, [{ at, callbackIds: [one.callbackId, two.callbackId] }])).toBe(true);
  expect(await leases.renew(endpointId, stale.fence, 1)).toBe(true);
  world.startCallbacks();
  await until(closed);
  const outcomes = [one, two].map((callback) => failedAttempt(callback, at));
  await deliveries.recordTold(outcomes, stale.fence, at);
  await deliveries.recordTold(
    outcomes.map((outcome) => ({ ...outcome, attempt: { ...outcome.attempt, number: 3 } })),
    stale.fence,
    at,
  );
  expect((await shown()).sort()).toEqual([
    [1, 1, 'interrupted', null],
    [1, 1, 'interrupted', null],
    [2, 2, 'delivered', 204],
    [2, 2, 'delivered', 204],
  ]);
  expect(await attemptFaults(database())).toEqual([]);
});

test('where a redelivery is asked for meanwhile the attempt is added, told, and the callback stays due', async () => {
  const asked = new Promise<void>((resolve) => {
    receiver.answer((_request, response) => {
      if (receiver.received.length > 1) return void response.writeHead(204).end();
      void (async () => {
        const [callback] = await world.callbacks();
        await redeliver(callback?.callbackId).catch(() => undefined);
        response.writeHead(500).end();
        resolve();
      })();
    });
  });
  world.startCallbacks();
  await world.happen({});
  await asked;
  await until((all) => closed(all) && attemptsOf(all).length === 2);
  expect(await shown()).toEqual([
    [1, 1, 'httpError', 500],
    [2, 2, 'delivered', 204],
  ]);
  expect(await attemptFaults(database())).toEqual([]);
});

test('a worker that cannot write them writes both as soon as it can', async () => {
  answerWith(500, 204);
  const { validator, put } = await validatorIn(database(), 'events');
  await put({ $and: [validator, { aggregateType: { $ne: 'callback' } }] });
  world.startCallbacks();
  await world.happen({});
  await eventually(() => receiver.received.length === 1);
  await put(validator);
  await until((all) => attemptsOf(all).length > 0);
  expect((await shown())[0]).toEqual([1, 1, 'httpError', 500]);
  expect(await attemptFaults(database())).toEqual([]);
});

test('many that fail at once are told in a few transactions, each once', async () => {
  answerWith(500);
  const accounts = Array.from({ length: 8 }, (_, index) => `many-${index}`);
  for (const accountId of accounts) {
    await world.notifications.seedEndpoint({ accountId, kind: 'notify-update', secret: world.secret });
    await world.setAddress(receiver.url, accountId);
  }
  const worker = world.startCallbacks();
  await world.happen(...accounts.flatMap((accountId) => Array.from({ length: 30 }, () => ({ accountId }))));
  await until((all) => all.length === 240 && all.every(({ attempts }) => attempts.length > 0));
  // Retries go on meanwhile: rows and events are compared when nothing is written any more.
  await worker.stop();
  expect((await told()).length).toBeGreaterThanOrEqual(240);
  expect(await attemptFaults(database())).toEqual([]);
  const segments = await database().collection('event_segments').countDocuments({ 'heads.aggregateType': 'callback' });
  expect(segments).toBeLessThan(120);
});
