// Proof: Redis is emptied several times under load and the processes that send callbacks are replaced; every callback still arrives.
import { openRedis } from '../../subgraphs/shared/store/redis';
import { eventually } from '../support/stores';
import { printOutcomes } from './attempts';
import { auditSettled } from './audit';
import { pointCallbacks } from './callback-targets';
import { expectNone, proof } from './proof';
import { openReceiver } from './receivers';
import { startTraffic } from './traffic';
import { withWorld } from './with-world';

const sizes = { smoke: { flushes: 3, between: 15, actors: 6 }, full: { flushes: 10, between: 1_000, actors: 8 } };

proof('redis-flush', sizes, ({ size, random }) =>
  withWorld({ topology: 'embedded', databases: 'own' }, async (world) => {
    let isDown = false;
    const receivers = { alpha: await openReceiver(() => (isDown ? 503 : 204)), beta: await openReceiver() };
    const redis = openRedis(`redis://127.0.0.1:${world.process('redis-server').port}/0`, 'workers');
    try {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      const traffic = await startTraffic(world, { random, actors: size.actors });
      const progress = async () => {
        const goal = traffic.count() + size.between;
        await eventually(() => traffic.count() >= goal, { timeoutMs: 120_000 });
      };
      for (let flush = 0; flush < size.flushes; flush += 1) {
        isDown = flush % 2 === 0;
        await progress();
        await redis.flushall();
        const { role, pid } = world.kill(random.pick(['app-1', 'app-2']));
        await world.replaced(role, pid);
        isDown = false;
      }
      await progress();
      await traffic.stop();
      expectNone('faults that clients saw', traffic.attempts.faults);
      const startedMs = performance.now();
      const figures = await auditSettled(world, { lives: traffic.lives, receivers });
      return {
        flushes: size.flushes,
        ...figures,
        'settled after ms': Math.round(performance.now() - startedMs),
        clients: printOutcomes(traffic.attempts.outcomes),
      };
    } finally {
      redis.disconnect();
      await Promise.all([receivers.alpha.close(), receivers.beta.close()]);
    }
  }),
);
