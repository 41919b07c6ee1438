// Proof: processes are killed while finalizes, authorizations and captures run; each is repeated, money moves once, nothing is lost, and every sum adds up.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  cards,
  enterCard,
  type PaymentService,
  paymentServiceOf,
  paymentsPath,
  payOnPage,
  type Shop,
  shopOf,
} from '../support/checkout';
import type { Answer } from '../support/client';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import type { Topology, World } from '../support/world';
import { type Attempts, type Call, createAttempts, printOutcomes } from './attempts';
import { openDatabase } from './audit';
import { auditPayments, paymentsSettled } from './payment-audit';
import { expectNone, type Figures, namedProof, proof, quantile } from './proof';
import type { Random } from './random';
import { openReceiver, type Receiver } from './receivers';
import { withWorld } from './with-world';

interface Merchant {
  shop: Shop;
  service: PaymentService;
  notificationUrl: string;
}

interface Asked {
  what: string;
  first: Answer | null;
  second: Answer | null;
  third: Answer | null;
  waitedMs: number;
}

/** What a killed process can have been doing with money. */
interface Money {
  what: 'finalize' | 'authorize' | 'capture';
  call: Call;
}

/** One payment of each kind, made ready so that a single call moves its money. */
async function ready(world: World, { shop, service, notificationUrl }: Merchant, random: Random): Promise<Money[]> {
  const number = random.pick([cards.visa, cards.visa, cards.mastercard, cards.declined]);
  const build = async () => {
    const { body } = await shop.build({ paymentSession: { notificationUrl } });
    return body.sessionId as string;
  };
  const key = () => ({ 'Idempotency-Key': randomUUID() });
  const [toFinalize, toCapture] = [await build(), await build()];
  await enterCard(world, toFinalize, number);
  await enterCard(world, toCapture, cards.visa);
  const { operation } = (await shop.finalize(toCapture)).body;
  const { paymentId } = (await service.create()).body;
  await payOnPage(world, paymentId, number);
  const post = (path: string, body: object, headers: Record<string, string>): Call => ({
    method: 'POST',
    path,
    options: { headers, body },
  });
  return [
    { what: 'finalize', call: post('/api/v1/build/finalize_payment', { sessionId: toFinalize }, shop.headers()) },
    {
      what: 'capture',
      call: post(
        `/api/v1/operations/${operation.operationId}/captures`,
        { amount: String(random.between(1, 5_000)) },
        shop.headers(key()),
      ),
    },
    { what: 'authorize', call: post(`${paymentsPath}/${paymentId}/Authorize`, {}, service.headers(key())) },
  ];
}

async function killAndRepeat(
  world: World,
  attempts: Attempts,
  { random, roles, money }: { random: Random; roles: string[]; money: Money[] },
): Promise<Asked[]> {
  const url = world.urls.rest;
  const firsts = money.map(({ call }) => attempts.once(url, call));
  await wait(random.next() * 60);
  const { role, pid } = world.kill(random.pick(roles));
  const asked = await Promise.all(
    money.map(async ({ what, call }, index): Promise<Asked> => {
      const first = (await firsts[index]) ?? null;
      const startedMs = performance.now();
      const { answer: second } = await attempts.persist(url, call);
      const waitedMs = performance.now() - startedMs;
      return { what, first, second, third: (await attempts.persist(url, call)).answer, waitedMs };
    }),
  );
  await world.replaced(role, pid);
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, { timeoutMs: 60_000 });
  return asked;
}

/** What an answer says was done: the operation, or the refusal. */
function effectOf(answer: Answer | null): string {
  if (!answer) return 'nothing';
  const { operation, operationId, transactionRef, type } = answer.body ?? {};
  return String(operation?.operationId ?? operationId ?? transactionRef ?? `${answer.status} ${type}`);
}

function faultsOf({ what, first, second, third }: Asked): string[] {
  const [one, two, three] = [first, second, third].map(effectOf);
  const isDone = second !== null && (second.status === 200 || second.status === 422);
  return [
    ...(isDone ? [] : [`${what}: the repetition ended with ${second?.status ?? 'nothing'} ${second?.text ?? ''}`]),
    ...(first && first.status < 500 && first.status !== 409 && one !== two
      ? [`${what}: first ${one}, repeated ${two}`]
      : []),
    ...(two === three ? [] : [`${what}: repeated ${two}, again ${three}`]),
  ];
}

async function run(topology: Topology, size: Record<'rounds' | 'perRound', number>, random: Random): Promise<Figures> {
  const receiver: Receiver = await openReceiver((_delivery, repetition) =>
    repetition === 0 && random.branch(_delivery.webhookId).next() < 0.2 ? 500 : 204,
  );
  return withWorld({ topology, databases: 'own' }, async (world) => {
    const merchant = {
      shop: shopOf(world, 'alpha', 'explicit'),
      service: await paymentServiceOf(world, 'alpha'),
      notificationUrl: `${receiver.url}/shop`,
    };
    const roles =
      topology === 'embedded' ? ['app-1', 'app-2'] : ['rest-facade-1', 'rest-facade-2', 'subgraph-payments'];
    const attempts = createAttempts();
    const all: Asked[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const money: Money[] = [];
      for (let index = 0; index < size.perRound; index += 1) money.push(...(await ready(world, merchant, random)));
      all.push(...(await killAndRepeat(world, attempts, { random, roles, money })));
    }
    expectNone('broken promises', all.flatMap(faultsOf));
    expectNone('faults that clients saw', attempts.faults);
    // Outcomes that a kill left open are asked for a minute later by the one clock.
    await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
    const client = await openDatabase(world);
    try {
      await paymentsSettled(client);
      const figures = await auditPayments(client, receiver);
      const died = all.filter(({ first }) => first === null || first.status >= 500);
      return {
        topology,
        kills: size.rounds,
        calls: all.length,
        'first request died': died.length,
        ...figures,
        'median wait ms': quantile(
          died.map(({ waitedMs }) => waitedMs),
          0.5,
        ),
        clients: printOutcomes(attempts.outcomes),
      };
    } finally {
      await client.close();
    }
  }).finally(() => receiver.close());
}

const sizes = { smoke: { rounds: 2, perRound: 2 }, full: { rounds: 100, perRound: 4 } };

proof('payment-kills', sizes, ({ size, random }) => run('embedded', size, random));
namedProof('payment-kills-split', sizes, ({ size, random }) => run('split', size, random));
