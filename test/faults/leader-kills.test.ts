// Proof: the leader of the log is killed again and again under load, and each time what waits has its place within seconds: nothing is lost, nothing out of order.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { eventually } from '../support/stores';
import type { Topology, World } from '../support/world';
import { createAttempts, printOutcomes } from './attempts';
import { auditSettled, openDatabase } from './audit';
import { pointCallbacks } from './callback-targets';
import { goOn } from './killing';
import { untilPlaced, withoutPlace } from './places';
import { expectNone, type Figures, namedProof, proof, quantile, whileTimeLasts } from './proof';
import type { Random } from './random';
import { openReceiver } from './receivers';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

const everyMs = 5_000;

/** The process that leads the log now, or the first lane of it, as the lease names it. */
async function leaderOf(world: World, database: Db): Promise<{ role: string; pid: number }> {
  const leases = database.collection<{ _id: string; owner: string }>('leases');
  return eventually(
    async () => {
      const pid = Number(
        (await leases.findOne({ _id: /^outbox:\d+:0$/ }, { sort: { until: -1 } }))?.owner.split(' ')[1],
      );
      return world.processes().find((entry) => entry.pid === pid);
    },
    { timeoutMs: 120_000 },
  );
}

/** Kills the leader, with events on their way; resolves with the longest time that any of them waited for its place from then on. */
async function killLeader(world: World, database: Db, traffic: Traffic, number: number): Promise<number> {
  await goOn(traffic, 5);
  const { role, pid } = await leaderOf(world, database);
  process.kill(pid, 'SIGKILL');
  const startedMs = performance.now();
  await eventually(() => withoutPlace(database), { timeoutMs: 120_000 });
  const placedMs = await untilPlaced(database, `after kill ${number}, of ${role}`);
  const next = await world.replaced(role, pid);
  // Until it serves nobody could take over from the other.
  await eventually(() => world.log(role).includes(`"pid":${next.pid},"msg":"ready"`), { timeoutMs: 120_000 });
  await wait(Math.max(0, everyMs - (performance.now() - startedMs)));
  return placedMs;
}

function run(topology: Topology, size: Record<'kills' | 'actors', number>, random: Random): Promise<Figures> {
  return withWorld({ topology, databases: 'own' }, async (world) => {
    const receivers = { alpha: await openReceiver(), beta: await openReceiver() };
    const client = await openDatabase(world);
    let traffic: Traffic | undefined;
    try {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      const attempts = createAttempts();
      traffic = await startTraffic(world, { random, actors: size.actors, pauseMsMax: 5, attempts });
      const startedMs = performance.now();
      const waits: number[] = [];
      for (const number of whileTimeLasts(Array.from({ length: size.kills }, (_, index) => index + 1)))
        waits.push(await killLeader(world, client.db(), traffic, number));
      const perSecond = Math.round((traffic.count() * 1_000) / (performance.now() - startedMs));
      await goOn(traffic, 10);
      await traffic.stop();
      expectNone(`faults that clients saw (${printOutcomes(attempts.outcomes)})`, attempts.faults);
      const figures = await auditSettled(world, { lives: traffic.lives, receivers });
      return {
        topology,
        kills: waits.length,
        'operations a second': perSecond,
        ...figures,
        'longest wait for a place ms': Math.max(...waits),
        'median wait for a place ms': quantile(waits, 0.5),
        clients: printOutcomes(attempts.outcomes),
      };
    } finally {
      void traffic?.stop();
      await client.close();
      await Promise.all([receivers.alpha.close(), receivers.beta.close()]);
    }
  });
}

const smoke = { kills: 1, actors: 6 };
/** A tenth of a run has no fewer calls at once than a smoke one. */
const enough = ({ kills, actors }: typeof smoke) => ({ kills, actors: Math.max(smoke.actors, actors) });

// The full size is ten minutes where a process starts within five seconds, with as many operations as the machine does between them.
proof('leader-kills', { smoke, full: { kills: 120, actors: 16 } }, ({ size, random }) =>
  run('embedded', enough(size), random),
);

// By name alone: here the leader is a worker, and no client notices that it died.
namedProof('leader-kills-split', { smoke, full: { kills: 120, actors: 32 } }, ({ size, random }) =>
  run('split', enough(size), random),
);
