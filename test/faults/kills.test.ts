// Proof: every kind of process and both databases are killed under load of tokens and payments, and afterwards nothing is missing, lost, invented or out of order.
import { shopOf } from '../support/checkout';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import type { Topology, World } from '../support/world';
import { createAttempts, printOutcomes } from './attempts';
import { auditSettled, openDatabase } from './audit';
import { pointCallbacks } from './callback-targets';
import { followOperations } from './follower';
import { goOn, killUnderLoad, kindsOf } from './killing';
import { auditFollowed } from './order-audit';
import { auditPayments, paymentsSettled } from './payment-audit';
import { expectNone, type Figures, namedProof, proof } from './proof';
import type { Random } from './random';
import { openReceiver, type Receiver } from './receivers';
import { startShop } from './shop-lives';
import { startTraffic, type Traffic } from './traffic';
import { withWorld } from './with-world';

const shopActors = 3;

function run(
  topology: Topology,
  size: Record<'kills' | 'between' | 'actors', number>,
  random: Random,
): Promise<Figures> {
  return withWorld({ topology, databases: 'own' }, async (world) => {
    const failing = random.branch('receiver');
    const receivers = {
      alpha: await openReceiver(),
      shop: await openReceiver(),
      beta: await openReceiver((_delivery, repetition) => (repetition === 0 && failing.next() < 0.3 ? 500 : 204)),
    };
    let traffic: Traffic | undefined;
    let load: Awaited<ReturnType<typeof startPayments>> | undefined;
    try {
      await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
      traffic = await startTraffic(world, { random: random.branch('traffic'), actors: size.actors });
      load = await startPayments(world, receivers.shop, random.branch('payments'));
      const { seen } = load.follower;
      // Before its first event a follower has no cursor to come back with.
      await eventually(() => seen.length > 0, { timeoutMs: 60_000 });
      const kinds = kindsOf(world);
      const rounds = Array.from({ length: size.kills }, () => random.shuffled(kinds)).flat();
      const kills = await killUnderLoad(world, { kinds: rounds, random, traffic, between: size.between });
      await goOn(traffic, size.between);
      await Promise.all([traffic.stop(), load.payments.stop()]);
      const clients = printOutcomes(traffic.attempts.outcomes);
      expectNone(`faults that clients saw (${clients})`, [...traffic.attempts.faults, ...load.attempts.faults]);
      await load.checkFollower();
      const figures = await auditSettled(world, { lives: traffic.lives, receivers });
      const paid = await load.checkMoney();
      return { topology, kinds: kinds.length, kills, ...figures, ...paid, clients };
    } finally {
      // After a failure nobody else ends it.
      void traffic?.stop();
      void load?.payments.stop();
      await load?.follower.stop();
      await Promise.all(Object.values(receivers).map((each) => each.close()));
    }
  });
}

/** A shop at work, and a dashboard that follows its operations whatever dies. */
async function startPayments(world: World, receiver: Receiver, random: Random) {
  const attempts = createAttempts({ isDocumented: false });
  const shop = shopOf(world, 'alpha', 'explicit');
  const { merchantId } = world.credentials.tenants.alpha;
  const follower = await followOperations(world, merchantId);
  const payments = startShop({ world, attempts, shop, notificationUrl: `${receiver.url}/shop` }, random, shopActors);
  return {
    attempts,
    follower,
    payments,
    /** Before the clock moves: it ends access tokens. */
    async checkFollower() {
      const client = await openDatabase(world);
      await auditFollowed(client.db(), merchantId, follower.seen).finally(() => client.close());
    },
    async checkMoney(): Promise<Figures> {
      // Outcomes that a kill left open are asked for a minute later by the one clock.
      await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
      const client = await openDatabase(world);
      try {
        await paymentsSettled(client);
        const { payments: paid = 0, operations = 0 } = await auditPayments(client, receiver);
        return { payments: paid, 'operations of payments': operations, followed: follower.seen.length };
      } finally {
        await client.close();
      }
    },
  };
}

const smoke = { kills: 1, between: 10, actors: 6 };

// 50 kills of each kind over 100,000 operations: of four kinds of process, and of the seventeen of the spread-out shape.
proof('kills', { smoke, full: { kills: 50, between: 500, actors: 8 } }, ({ size, random }) =>
  run('embedded', size, random),
);
// By name alone: each kind of process of that shape is one start more.
namedProof('kills-split', { smoke, full: { kills: 50, between: 120, actors: 8 } }, ({ size, random }) =>
  run('split', size, random),
);

// The same with few operations between two kills, so that many kills fit in an hour: 200 of them in each shape.
namedProof('order-kills', { smoke, full: { kills: 50, between: 6, actors: 6 } }, ({ size, random }) =>
  run('embedded', { ...size, between: 6, actors: 6 }, random),
);
namedProof('order-kills-split', { smoke, full: { kills: 12, between: 6, actors: 6 } }, ({ size, random }) =>
  run('split', { ...size, between: 6, actors: 6 }, random),
);
