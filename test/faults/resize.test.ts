// Proof: the number of lanes of the log goes up and down while processes are killed under load; each slot keeps its row of positions, and nothing is lost or out of order.
import type { Topology } from '../support/world';
import { createAttempts, printOutcomes } from './attempts';
import { auditSettled, openDatabase } from './audit';
import { pointCallbacks } from './callback-targets';
import { goOn, killUnderLoad, kindsOf } from './killing';
import { allLed, resize } from './lanes';
import { untilPlaced } from './places';
import { expectNone, type Figures, namedProof, proof, whileTimeLasts } from './proof';
import type { Random } from './random';
import { openReceiver } from './receivers';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

/** One after the other, again and again. */
const layouts = [8, 3, 1];

function run(topology: Topology, size: Record<'rounds' | 'actors', number>, random: Random): Promise<Figures> {
  return withWorld({ topology, databases: 'own' }, async (world) => {
    const receivers = { alpha: await openReceiver(), beta: await openReceiver() };
    const client = await openDatabase(world);
    let traffic: Traffic | undefined;
    try {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      const attempts = createAttempts();
      traffic = await startTraffic(world, { random: random.branch('traffic'), actors: size.actors, attempts });
      // Databases are killed by other proofs; here whoever leads a lane is.
      const kinds = kindsOf(world).filter((kind) => !['mongod', 'redis-server', 'redis'].includes(kind));
      const waits: number[] = [];
      let kills = 0;
      let resizes = 0;
      for (const _round of whileTimeLasts(Array.from({ length: size.rounds }))) {
        for (const lanes of layouts) {
          await goOn(traffic, 10);
          await resize(world, lanes);
          resizes += 1;
          kills += await killUnderLoad(world, { kinds: [random.pick(kinds)], random, traffic, between: 5 });
          waits.push(await untilPlaced(client.db(), `after a change to ${lanes} lanes`));
        }
        await allLed(client.db(), ['outbox', 'janitor-payments', 'settlement']);
      }
      await goOn(traffic, 10);
      await traffic.stop();
      expectNone(`faults that clients saw (${printOutcomes(attempts.outcomes)})`, attempts.faults);
      const figures = await auditSettled(world, { lives: traffic.lives, receivers });
      const longest = { 'longest wait for a place ms': Math.max(...waits) };
      return { topology, resizes, kills, ...figures, ...longest, clients: printOutcomes(attempts.outcomes) };
    } finally {
      void traffic?.stop();
      await client.close();
      await Promise.all([receivers.alpha.close(), receivers.beta.close()]);
    }
  });
}

const smoke = { rounds: 1, actors: 6 };

proof('resize', { smoke, full: { rounds: 30, actors: 8 } }, ({ size, random }) => run('embedded', size, random));
namedProof('resize-split', { smoke, full: { rounds: 30, actors: 8 } }, ({ size, random }) =>
  run('split', size, random),
);
