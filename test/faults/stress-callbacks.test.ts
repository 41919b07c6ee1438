// Proof: receivers that fail, hang or reset cost the others nothing, and no attempt leaves the published schedule, however many days it takes.
import type { Attempt } from '../../subgraphs/notifications';
import { waitsMs } from '../../workers/retry';
import { eventually } from '../support/stores';
import { openWorld, type World } from '../workers/world';
import { expectNone, proof, quantile, timeLimitMs } from './proof';
import { type Behaviour, openReceiver, type Receiver } from './receivers';

/** The published jitter: only ever added. */
const jitterMax = 0.1;
/** How much later than due an attempt may begin on a busy machine, real time. */
const latenessMsMax = timeLimitMs(5_000);
const firstAttemptMsMax = 5_000;

interface Endpoint {
  accountId: string;
  receiver: Receiver;
  behaviour: Behaviour;
}

/** Of twenty receivers two answer 500, one hangs and one resets. */
function behaviourOf(index: number): Behaviour {
  const ill: Behaviour[] = [500, 500, 'hang', 'reset'];
  return ill[index % 20] ?? 204;
}

async function openEndpoints(world: World, count: number): Promise<Endpoint[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const accountId = `receiver-${index}`;
      const endpoint: Endpoint = {
        accountId,
        behaviour: behaviourOf(index),
        receiver: await openReceiver(() => endpoint.behaviour),
      };
      await world.notifications.seedEndpoint({ accountId, kind: 'notify-update', secret: world.secret });
      await world.setAddress(endpoint.receiver.url, accountId);
      return endpoint;
    }),
  );
}

/** Events for all endpoints in turn; returns from commit to first byte at the healthy ones, in ms. */
async function firstAttempts(world: World, endpoints: readonly Endpoint[], perEndpoint: number): Promise<number[]> {
  const healthy = endpoints.filter(({ behaviour }) => behaviour === 204);
  const before = new Map(healthy.map(({ accountId, receiver }) => [accountId, receiver.deliveries.length]));
  const happenedAt = new Map<string, number>();
  for (let round = 0; round < perEndpoint; round += 1) {
    const partials = endpoints.map(({ accountId }) => ({ accountId }));
    const committed = await world.happen(...partials);
    for (const { _id } of committed) happenedAt.set(_id, Date.now());
  }
  await eventually(
    () =>
      healthy.every(
        ({ accountId, receiver }) => receiver.deliveries.length >= (before.get(accountId) ?? 0) + perEndpoint,
      ),
    { timeoutMs: 60_000 },
  );
  return healthy.flatMap(({ receiver, accountId }) =>
    receiver.deliveries
      .slice(before.get(accountId))
      .map(({ eventId, atMs }) => Math.max(0, atMs - (happenedAt.get(eventId) ?? atMs))),
  );
}

async function untilNoneIsOnItsWay({ notifications, staff }: World): Promise<void> {
  const claimed = () => notifications.stores.leases.claimsOf(staff);
  await eventually(async () => (await claimed()).length === 0, { timeoutMs: 60_000 });
}

/** Moves the clock from one due time to the next until that many attempts were made everywhere. */
async function walkSchedule(world: World, attempts: number): Promise<void> {
  const deliveries = world.stores.connection.collection('deliveries');
  for (;;) {
    // One on its way keeps its former time: it is waited for, not read.
    await untilNoneIsOnItsWay(world);
    const waiting = { status: 'PENDING', attemptsMade: { $lt: attempts } };
    const next = await deliveries.findOne(waiting, { sort: { dueAt: 1 } });
    if (!next) return;
    const { _id, dueAt, attemptsMade } = next as unknown as { _id: string; dueAt: Date; attemptsMade: number };
    world.clock.advance(Math.max(0, dueAt.getTime() - world.clock.now().getTime()));
    const done = { _id, $or: [{ open: false }, { attemptsMade: { $gt: attemptsMade } }] };
    await eventually(() => deliveries.findOne(done as never), { timeoutMs: 60_000, everyMs: 50 });
  }
}

/** Attempts that began before their time or too long after it. */
function outsideSchedule(attempts: readonly Attempt[]): string[] {
  return attempts.slice(1).flatMap((attempt, index) => {
    const former = attempts[index];
    const planned = waitsMs[index + 1];
    if (!former || planned === undefined) return [`attempt ${attempt.number} is one too many`];
    const waitedMs = attempt.at.getTime() - former.at.getTime() - (former.durationMs ?? 0);
    const isInside = waitedMs >= planned - 50 && waitedMs <= planned * (1 + jitterMax) + latenessMsMax;
    return isInside ? [] : [`attempt ${attempt.number} came after ${waitedMs} ms; planned were ${planned}`];
  });
}

const sizes = { smoke: { endpoints: 20, events: 4, attempts: 4 }, full: { endpoints: 20, events: 100, attempts: 10 } };

proof('stress-callbacks', sizes, async ({ size }) => {
  const world = await openWorld();
  const endpoints = await openEndpoints(world, size.endpoints);
  try {
    world.startOutbox();
    world.startCallbacks({ sweepEveryMs: 100 });
    const ill = endpoints.filter(({ behaviour }) => behaviour !== 204);
    const alone = await firstAttempts(
      world,
      endpoints.filter(({ behaviour }) => behaviour === 204),
      size.events,
    );
    const among = await firstAttempts(world, endpoints, size.events);
    expect(Math.max(...among)).toBeLessThan(timeLimitMs(firstAttemptMsMax));
    // A receiver that hangs costs ten seconds of real time per attempt: it has shown what it does to others.
    for (const endpoint of ill) if (endpoint.behaviour === 'hang') endpoint.behaviour = 500;
    await untilNoneIsOnItsWay(world);
    await walkSchedule(world, Math.min(size.attempts, waitsMs.length));
    const callbacks = await world.callbacks();
    const failing = callbacks.filter(({ attempts }) => attempts.some(({ result }) => result !== 'delivered'));
    expectNone(
      'attempts outside the published schedule',
      failing.flatMap(({ attempts }) => outsideSchedule(attempts)),
    );
    expectNone(
      'attempts that no plan asked for',
      callbacks.filter(({ attempts }) => attempts.length > waitsMs.length),
    );
    return {
      endpoints: endpoints.length,
      ill: ill.length,
      events: size.events * (2 * endpoints.length - ill.length),
      'p50 alone ms': quantile(alone, 0.5),
      'p50 among ill ones ms': quantile(among, 0.5),
      'p99 alone ms': quantile(alone, 0.99),
      'p99 among ill ones ms': quantile(among, 0.99),
      'attempts checked': failing.flatMap(({ attempts }) => attempts).length,
      outside: 0,
    };
  } finally {
    await world.close();
    await Promise.all(endpoints.map(({ receiver }) => receiver.close()));
  }
});
