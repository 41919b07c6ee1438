// Proof: processes and databases are frozen for seconds and go on, while calls of all three documents are under way; nobody pays for it, and all is well again by itself.
import { setTimeout as wait } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { paymentServiceOf, shopOf } from '../support/checkout';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import type { Topology, World } from '../support/world';
import { auditApprovals } from './approval-audit';
import { createAttempts, printOutcomes } from './attempts';
import { audit, type ClockMoves, openDatabase, settled } from './audit';
import { pointCallbacks } from './callback-targets';
import { followOperations } from './follower';
import { kindsOf } from './killing';
import { startLives } from './lives';
import { applicationLives, type MerchantLife, merchantFaults, merchantLives, readerLives } from './merchant-lives';
import { type MoneyLife, moneyFaults, moneyLives, openOrders } from './money-lives';
import { auditPayments, paymentsSettled } from './payment-audit';
import { expectNone, type Figures, namedProof, type ProofRun, proof, timeLimitMs } from './proof';
import type { Random } from './random';
import { openReceiver, type Receiver } from './receivers';
import { startTraffic } from './traffic';
import { withWorld } from './with-world';

const frozenMsMin = 500;
const frozenMsMax = 12_000;
const smokeFrozenMsMax = 4_000;
const actors = 3;
/** Steps and lives that must come to their end between two freezes. */
const stepsBetween = 6;
/** Begun right before each freeze: commits are under way when it comes. */
const ordersAtOnce = 24;
const burstMs = 120;
/** As in `outage`, and as long again as a process was frozen that held the answer. */
const answerMsMax = 20_000 + frozenMsMax;
const healthyMsMax = 10_000;
/** All of them together end no build: one that is left alone is cancelled after half an hour, in the midst of the audit. */
const nearMoves: ClockMoves = { byMs: 6 * 60_000, movesMax: 4 };

async function isReady(world: World): Promise<boolean> {
  const answers = await Promise.all(
    [world.urls.rest, world.urls.pay].map((url) => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })),
  );
  return answers.every(({ status }) => status === 200);
}

interface Frozen {
  role: string;
  frozenMs: number;
  healthyMs: number;
}

/** Holds one process still and lets it go on; how long it took until all was ready afterwards. */
async function freeze(world: World, role: string, frozenMs: number): Promise<Frozen> {
  const { pid } = world.kill(role, 'SIGSTOP');
  try {
    await wait(frozenMs);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const startedMs = performance.now();
  await eventually(() => isReady(world), { timeoutMs: 60_000, everyMs: 100 });
  return { role, frozenMs, healthyMs: Math.round(performance.now() - startedMs) };
}

interface Receivers {
  alpha: Receiver;
  beta: Receiver;
  shop: Receiver;
  partner: Receiver;
}

/** Callers of all three documents at work, and what they were told. */
async function startActors(world: World, random: Random, receivers: Receivers) {
  const attempts = createAttempts();
  const others = createAttempts({ isDocumented: false });
  const payments: MoneyLife[] = [];
  const merchants: MerchantLife[] = [];
  const money = {
    world,
    attempts,
    others,
    shop: shopOf(world, 'alpha', 'explicit'),
    service: await paymentServiceOf(world, 'alpha'),
    notificationUrl: `${receivers.shop.url}/shop`,
  };
  const tokens = await startTraffic(world, { random: random.branch('tokens'), actors, attempts });
  const start = (name: string, count: number, live: (own: Random) => Promise<void>) =>
    startLives({ random: random.branch(name), actors: count }, live);
  const lives = [
    start('money', 2 * actors, moneyLives(money, payments)),
    start('merchants', 1, merchantLives(world, attempts, merchants)),
    start('applications', 1, applicationLives(world, attempts, `${receivers.partner.url}/approved`)),
    start('readers', 1, readerLives(world, attempts, others)),
  ];
  return {
    tokens,
    payments,
    merchants,
    burst: () => openOrders(money, ordersAtOnce),
    count: () => lives.reduce((sum, { count }) => sum + count(), 0) + tokens.count(),
    faults: () => [...attempts.faults, ...others.faults],
    longestMs: () => Math.max(attempts.longestMs, others.longestMs),
    clients: () => printOutcomes(attempts.outcomes),
    stop: () => Promise.all([tokens.stop(), ...lives.map((each) => each.stop())]),
  };
}

type Actors = Awaited<ReturnType<typeof startActors>>;

/** Freezes one process of each kind in each round, each once the load has got on. */
async function freezeUnderLoad(
  world: World,
  actors: Pick<Actors, 'count' | 'burst'>,
  { size, isSmoke, random }: ProofRun<{ rounds: number }>,
): Promise<Frozen[]> {
  const frozen: Frozen[] = [];
  const kinds = [...kindsOf(world), 'launcher'];
  for (const kind of Array.from({ length: size.rounds }, () => random.shuffled(kinds)).flat()) {
    const goal = actors.count() + stepsBetween;
    await eventually(() => actors.count() >= goal, { timeoutMs: 60_000 });
    const orders = actors.burst();
    await wait(random.between(0, burstMs));
    const longest = isSmoke ? smokeFrozenMsMax : frozenMsMax;
    frozen.push(await freeze(world, roleOf(world, kind, random), random.between(frozenMsMin, longest)));
    await orders;
  }
  return frozen;
}

/** Reads MongoDB itself and the receivers: every success has its effect once, every effect its events and callbacks. */
async function checkBooks(world: World, actors: Actors, receivers: Receivers, followed: readonly string[]) {
  const { tokens, payments, merchants } = actors;
  // Outcomes that a freeze left open are asked for a minute later by the one clock.
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
  const client = await openDatabase(world);
  try {
    await settled(world, client, nearMoves);
    await paymentsSettled(client);
    expectNone('operations that differ from what was acknowledged', await moneyFaults(client.db(), payments));
    expectNone('merchants that differ from what was acknowledged', await merchantFaults(client.db(), merchants));
    const { applications = 0 } = await auditApprovals(client.db(), receivers.partner);
    const { operations: steps = 0, events = 0 } = await audit(client, { lives: tokens.lives, receivers });
    const paid = await auditPayments(client, receivers.shop);
    await allFollowed(client, world.credentials.tenants.alpha.merchantId, followed);
    const { payments: paymentsMade = 0, operations = 0 } = paid;
    return { steps, payments: paymentsMade, operations, merchants: merchants.length, applications, events };
  } finally {
    await client.close();
  }
}

async function run(topology: Topology, context: ProofRun<{ rounds: number }>): Promise<Figures> {
  const [alpha, beta, shop, partner] = [
    await openReceiver(),
    await openReceiver(),
    await openReceiver(),
    await openReceiver(),
  ];
  const receivers = { alpha, beta, shop, partner };
  return withWorld({ topology, databases: 'own' }, async (world) => {
    await pointCallbacks(world, { alpha: alpha.url, beta: beta.url });
    const follower = await followOperations(world, world.credentials.tenants.alpha.merchantId);
    try {
      const actors = await startActors(world, context.random.branch('actors'), receivers);
      const before = world.processes();
      const frozen = await freezeUnderLoad(world, actors, context);
      await actors.stop();
      const slow = frozen.filter(({ healthyMs }) => healthyMs > timeLimitMs(healthyMsMax));
      process.stdout.write(`${JSON.stringify(frozen)}\n`);
      expectNone(`faults that clients saw (${actors.clients()})`, actors.faults());
      expectNone('freezes after which it was not ready in time', slow);
      expect(world.processes()).toEqual(before);
      expect(actors.longestMs()).toBeLessThan(timeLimitMs(answerMsMax));
      const books = await checkBooks(world, actors, receivers, follower.seen);
      return {
        topology,
        freezes: frozen.length,
        ...books,
        followed: follower.seen.length,
        'follower came back': follower.returns(),
        'double or missing': 0,
        'longest answer ms': actors.longestMs(),
        'ready again after ms': Math.max(...frozen.map(({ healthyMs }) => healthyMs)),
        clients: actors.clients(),
      };
    } finally {
      await follower.stop();
    }
  }).finally(() => Promise.all(Object.values(receivers).map((each) => each.close())));
}

function roleOf(world: World, kind: string, random: Random): string {
  const members = world.processes().filter(({ role }) => role === kind || role.replace(/-\d+$/, '') === kind);
  return random.pick(members).role;
}

/** Waits until the dashboard has seen every operation's event of the log, once and in order. */
async function allFollowed(client: MongoClient, merchantId: string, seen: readonly string[]): Promise<void> {
  const events = await client
    .db()
    .collection<{ _id: string }>('events')
    .find({ merchantId, aggregateType: 'payment', type: { $in: ['operation.recorded', 'operation.resultChanged'] } })
    .sort({ position: 1 })
    .toArray();
  const ids = events.map(({ _id }) => _id);
  await eventually(() => seen.length >= ids.length, { timeoutMs: 60_000 }).catch(() => undefined);
  expect(seen).toEqual(ids);
}

const sizes = { smoke: { rounds: 1 }, full: { rounds: 50 } };

proof('freeze', sizes, (context) => run('embedded', context));
// By name alone: beside the other shape it shows too little to lengthen every test run.
namedProof('freeze-split', sizes, (context) => run('split', context));
