// The load of the proof of rolling restarts: keep-alive clients that write with all three families' calls and read at every address of the program.
import { setTimeout as wait } from 'node:timers/promises';
import { paymentServiceOf, shopOf } from '../support/checkout';
import { accessTokenOf } from '../support/partner';
import type { World } from '../support/world';
import { type Judge, keepAliveAttempts } from './keep-alive';
import { startLives } from './lives';
import { type MoneyLife, moneyLives } from './money-lives';
import type { Random } from './random';
import { type Life, startTraffic } from './traffic';

const pauseMsMax = 40;

export interface LoadOptions {
  random: Random;
  judge: Judge;
  /** Clients that live tokens; half as many live payments. */
  clients: number;
  /** Where shops hear of their operations. */
  notificationUrl: string;
}

export interface Load {
  /** What each client did and was told, to be held against the databases. */
  tokens(): Life[];
  payments: MoneyLife[];
  /** Lets every life end its present step. */
  stop(): Promise<void>;
}

/** Each client has one connection to itself; each write of a life carries an Idempotency-Key of its own and is made once. */
export async function startLoad(world: World, { random, judge, clients, notificationUrl }: LoadOptions): Promise<Load> {
  const each = <T>(count: number, start: (index: number) => T) => Array.from({ length: count }, (_, at) => start(at));
  const tokens = await Promise.all(
    each(clients, (index) =>
      startTraffic(world, {
        random: random.branch(`tokens ${index}`),
        actors: 1,
        pauseMsMax,
        attempts: keepAliveAttempts(judge),
      }),
    ),
  );
  const payments: MoneyLife[] = [];
  const service = await paymentServiceOf(world, 'alpha');
  const money = each(Math.ceil(clients / 2), (index) => {
    const attempts = keepAliveAttempts(judge);
    const others = keepAliveAttempts(judge, { isDocumented: false });
    const shop = shopOf(world, 'alpha', 'explicit');
    return startLives(
      { random: random.branch(`money ${index}`), actors: 1 },
      moneyLives({ world, attempts, others, shop, service, notificationUrl }, payments),
    );
  });
  const readers = await startReaders(world, judge);
  const parts = [...tokens, ...money, readers];
  return {
    tokens: () => tokens.flatMap(({ lives }) => lives),
    payments,
    stop: async () => void (await Promise.all(parts.map((part) => part.stop()))),
  };
}

/** A client for each address: key set, access tokens, the graph and the payment pages, asked again and again. */
async function startReaders(world: World, judge: Judge): Promise<{ stop(): Promise<void> }> {
  const { urls, credentials } = world;
  const { clientId, clientSecret } = credentials.tenants.alpha.payments;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const bearer = `Bearer ${await accessTokenOf(world, credentials.graph.viewer)}`;
  const form = { authorization: basic };
  const query = `{ merchant(merchantId: "${credentials.tenants.alpha.merchantId}") { name } }`;
  const calls = [
    [urls.rest, { method: 'GET', path: '/.well-known/jwks.json', options: {} }],
    [urls.auth, { method: 'POST', path: '/token', options: { headers: form, body: 'grant_type=client_credentials' } }],
    [
      urls.graph,
      { method: 'POST', path: '/graphql', options: { headers: { authorization: bearer }, body: { query } } },
    ],
    [urls.pay, { method: 'GET', path: '/sdk.js', options: {} }],
  ] as const;
  let isStopping = false;
  const running = calls.map(async ([url, call]) => {
    const attempts = keepAliveAttempts(judge, { isDocumented: url === urls.rest });
    while (!isStopping) {
      await attempts.once(url, call);
      await wait(pauseMsMax / 2);
    }
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
