// Proof: without MongoDB the answer is 503 with Retry-After in bounded time and service comes back by itself; without Redis the API goes on and callbacks follow later.
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { createAttempts, printOutcomes } from './attempts';
import { auditSettled } from './audit';
import { pointCallbacks } from './callback-targets';
import { expectNone, type Figures, proof, timeLimitMs } from './proof';
import { openReceiver } from './receivers';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

/** Without Redis no call is refused; among all the other tests of a run a few may be, by the machine. */
const refusedMax = { byName: 0, smoke: 5 };
/** Longest time that a client waits for its 503: the program's own limit of 10 s for one request, twice for what comes before it. */
const answerMsMax = 20_000;

const dependencies = async (world: World): Promise<Record<string, string>> => {
  const answer = await fetch(`${world.urls.rest}/readyz`, { signal: AbortSignal.timeout(5_000) });
  return ((await answer.json()) as { dependencies: Record<string, string> }).dependencies;
};
const isReady = (world: World) =>
  eventually(async () => (await fetch(`${world.urls.rest}/readyz`)).status === 200, { timeoutMs: 60_000 });

/** Holds a database still, as a machine that swaps or a network that drops would; `meanwhile` must leave it held. */
async function held(world: World, role: string, meanwhile: () => Promise<void>): Promise<void> {
  const { pid } = world.kill(role, 'SIGSTOP');
  try {
    await meanwhile();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

const seen = (traffic: Traffic, outcome: string) => traffic.attempts.outcomes.get(outcome) ?? 0;

async function withoutMongo(world: World, traffic: Traffic): Promise<Figures> {
  const unavailable = seen(traffic, '503');
  await held(world, 'mongod', async () => {
    await eventually(async () => (await dependencies(world))['mongodb'] === 'down', { timeoutMs: 30_000 });
    await eventually(() => seen(traffic, '503') >= unavailable + 5, { timeoutMs: 60_000 });
  });
  const startedMs = performance.now();
  const goal = traffic.count() + 5;
  await eventually(() => traffic.count() >= goal, { timeoutMs: 60_000 });
  const backMs = Math.round(performance.now() - startedMs);
  await isReady(world);
  const { role, pid } = world.kill('mongod');
  await world.replaced(role, pid);
  await isReady(world);
  return { 'back after ms (mongod)': backMs };
}

async function withoutRedis(world: World, traffic: Traffic, steps: number, isSmoke: boolean): Promise<Figures> {
  const unavailable = seen(traffic, '503');
  await held(world, 'redis-server', async () => {
    await eventually(async () => (await dependencies(world))['redis'] === 'down', { timeoutMs: 30_000 });
    const goal = traffic.count() + steps;
    await eventually(() => traffic.count() >= goal, { timeoutMs: 60_000 });
  });
  await eventually(async () => (await dependencies(world))['redis'] === 'up', { timeoutMs: 30_000 });
  const { role, pid } = world.kill('redis-server');
  const goal = traffic.count() + steps;
  await eventually(() => traffic.count() >= goal, { timeoutMs: 60_000 });
  await world.replaced(role, pid);
  const refused = seen(traffic, '503') - unavailable;
  expect(refused).toBeLessThanOrEqual(isSmoke ? refusedMax.smoke : refusedMax.byName);
  return { 'served without Redis': 2 * steps };
}

const sizes = { smoke: { rounds: 1, steps: 20, actors: 6 }, full: { rounds: 10, steps: 500, actors: 8 } };

proof('outage', sizes, ({ size, random, isSmoke }) =>
  withWorld({ topology: 'embedded', databases: 'own' }, async (world) => {
    const receivers = { alpha: await openReceiver(), beta: await openReceiver() };
    try {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      await eventually(async () => Object.values(await dependencies(world)).join() === 'up,up');
      const attempts = createAttempts();
      const traffic = await startTraffic(world, { random, actors: size.actors, attempts });
      let figures: Figures = {};
      for (let round = 0; round < size.rounds; round += 1) {
        const redis = await withoutRedis(world, traffic, size.steps, isSmoke);
        figures = { ...redis, ...(await withoutMongo(world, traffic)) };
      }
      await traffic.stop();
      expectNone(`faults that clients saw (${printOutcomes(attempts.outcomes)})`, attempts.faults);
      expect(attempts.longestMs).toBeLessThan(timeLimitMs(answerMsMax));
      const audited = await auditSettled(world, { lives: traffic.lives, receivers });
      return {
        ...audited,
        ...figures,
        'longest answer ms': attempts.longestMs,
        clients: printOutcomes(attempts.outcomes),
      };
    } finally {
      await Promise.all([receivers.alpha.close(), receivers.beta.close()]);
    }
  }),
);
