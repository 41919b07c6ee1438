// Proof: every kind of process and both databases are killed under load, and afterwards nothing is missing, lost, invented or out of order.
import type { Topology } from '../support/world';
import { printOutcomes } from './attempts';
import { auditSettled } from './audit';
import { goOn, killUnderLoad, kindsOf } from './killing';
import { expectNone, type Figures, proof } from './proof';
import type { Random } from './random';
import { openReceiver } from './receivers';
import { pointCallbacks } from './tra';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

function run(
  topology: Topology,
  size: Record<'kills' | 'between' | 'actors', number>,
  random: Random,
): Promise<Figures> {
  return withWorld({ topology, databases: 'own' }, async (world) => {
    const failing = random.branch('receiver');
    const receivers = {
      alpha: await openReceiver(),
      beta: await openReceiver((_delivery, repetition) => (repetition === 0 && failing.next() < 0.3 ? 500 : 204)),
    };
    let traffic: Traffic | undefined;
    try {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      traffic = await startTraffic(world, { random: random.branch('traffic'), actors: size.actors });
      const kinds = kindsOf(world);
      const rounds = Array.from({ length: size.kills }, () => random.shuffled(kinds)).flat();
      await killUnderLoad(world, { kinds: rounds, random, traffic, between: size.between });
      await goOn(traffic, size.between);
      await traffic.stop();
      const clients = printOutcomes(traffic.attempts.outcomes);
      expectNone(`faults that clients saw (${clients})`, traffic.attempts.faults);
      const figures = await auditSettled(world, { lives: traffic.lives, receivers });
      return { topology, kinds: kinds.length, kills: rounds.length, ...figures, clients };
    } finally {
      // After a failure nobody else ends it.
      void traffic?.stop();
      await Promise.all([receivers.alpha.close(), receivers.beta.close()]);
    }
  });
}

const smoke = { kills: 1, between: 10, actors: 6 };

// 50 kills of each kind over 100,000 operations: of four kinds of process, and of the seventeen of the spread-out shape.
proof('kills', { smoke, full: { kills: 50, between: 500, actors: 8 } }, ({ size, random }) =>
  run('embedded', size, random),
);
proof('kills-split', { smoke, full: { kills: 50, between: 120, actors: 8 } }, ({ size, random }) =>
  run('split', size, random),
);
