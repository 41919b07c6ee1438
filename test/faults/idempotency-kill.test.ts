// Proof: a process is killed between taking a request and answering it; the repetition with the same Idempotency-Key gives the first result, and one effect is all there is.
import { setTimeout as wait } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { newId } from '../../subgraphs/shared/ids';
import type { Answer } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import type { ProcessEntry, World } from '../support/world';
import { type Attempts, type Call, createAttempts, printOutcomes } from './attempts';
import { openDatabase } from './audit';
import { auditOrder } from './order-audit';
import { expectNone, type Figures, proof, quantile, timeLimitMs } from './proof';
import type { Random } from './random';
import { newTransactionInfo, type Seal, sealerOf } from './traffic';
import { withWorld } from './with-world';

/** How long a key whose first request died may stay taken, plus what the next process needs to come up. */
const takenOverMsMax = 20_000;

interface Asked {
  call: Call;
  first: Answer | null;
  second: Answer | null;
  third: Answer | null;
  waitedMs: number;
}

const roles = ['app-1', 'app-2'] as const;
/** How long both may go on between two looks for an effect. */
const sliceMsMax = 6;
const halfOfRound = 2;
/** Rounds beyond those of the size, until a kill came between an effect and its answer. */
const moreRoundsMax = 8;

interface Round {
  world: World;
  client: MongoClient;
  attempts: Attempts;
  random: Random;
  calls: Call[];
  /** Whether the kill waits for an effect without an answer, or comes at any moment. */
  isAimed: boolean;
}

/** Sends all calls, kills while they run, and repeats each until it is answered, twice; counts the effects whose callers had not been answered. */
async function killAndRepeat(round: Round): Promise<{ asked: Asked[]; unanswered: number }> {
  const { world, client, attempts, calls, isAimed } = round;
  const url = world.urls.rest;
  const before = await effectsIn(client);
  const firsts = calls.map((call) => attempts.once(url, call));
  const killed = await (isAimed ? killBetween(round, { firsts, before }) : killAnytime(round));
  const answered = (await Promise.all(firsts)).filter((first) => first?.status === 201).length;
  const unanswered = (await effectsIn(client)) - before - answered;
  // Where nobody is left to serve, the wait that was promised begins when somebody is back.
  if (isAimed) await isBack(world, killed);
  const asked = await Promise.all(
    calls.map(async (call, index): Promise<Asked> => {
      const first = (await firsts[index]) ?? null;
      const startedMs = performance.now();
      const second = (await attempts.persist(url, call)).answer;
      const waitedMs = performance.now() - startedMs;
      return { call, first, second, third: (await attempts.persist(url, call)).answer, waitedMs };
    }),
  );
  await isBack(world, killed);
  return { asked, unanswered };
}

async function isBack(world: World, killed: readonly ProcessEntry[]): Promise<void> {
  await Promise.all(killed.map(({ role, pid }) => world.replaced(role, pid)));
  await eventually(async () => (await fetch(`${world.urls.rest}/readyz`)).status === 200, { timeoutMs: 60_000 });
}

/** Kills one process at some moment after the calls were sent. */
async function killAnytime({ world, random }: Round): Promise<ProcessEntry[]> {
  await wait(random.next() * 60);
  return [world.kill(random.pick(roles))];
}

interface Sent {
  firsts: Promise<Answer | null>[];
  /** Effects that were there before. */
  before: number;
}

/** Lets both processes go on for a few milliseconds at a time until there is an effect whose caller has no answer, or all calls have ended; then kills both. */
async function killBetween({ world, client, random }: Round, { firsts, before }: Sent): Promise<ProcessEntry[]> {
  let [answered, ended] = [0, 0];
  for (const first of firsts)
    first.then((answer) => {
      ended += 1;
      if (answer?.status === 201) answered += 1;
    });
  const isBetween = async () => (await effectsIn(client)) - before > answered;
  for (;;) {
    await wait(random.between(1, sliceMsMax));
    for (const role of roles) world.kill(role, 'SIGSTOP');
    // The second look is for answers that were on their way at the first.
    const isTime = (await isBetween()) && (await isBetween());
    if (isTime || ended === firsts.length) return roles.map((role) => world.kill(role));
    for (const role of roles) world.kill(role, 'SIGCONT');
  }
}

/** How much all calls together have brought about so far. */
async function effectsIn(client: MongoClient): Promise<number> {
  const names = ['virtual_accounts', 'card_transactions'];
  const counts = await Promise.all(names.map((name) => client.db().collection(name).countDocuments()));
  return counts.reduce((sum, count) => sum + count, 0);
}

function createCall(partner: Partner, path: string, body: unknown): Call {
  return { method: 'POST', path, options: { headers: partner.headers({ 'Idempotency-Key': newId() }), body } };
}

async function tokenCall(partner: Partner, seal: Seal): Promise<Call> {
  const { merchantId } = partner.credentials;
  const encryptedData = await seal({ account: freshCardNumber(), accountExpiry });
  return createCall(partner, '/virtual-accounts/token', {
    merchantInfo: { merchantId },
    accountInfo: { encryptedData },
  });
}

function faultsOf({ first, second, third, waitedMs }: Asked): string[] {
  const isAnswered = first !== null && first.status === 201;
  return [
    ...(second?.status === 201
      ? []
      : [`the repetition ended with ${second?.status ?? 'nothing'} ${second?.text ?? ''}`]),
    ...(isAnswered && first.text !== second?.text ? ['the repetition differs from the first answer'] : []),
    ...(second?.text === third?.text ? [] : ['the second repetition differs from the first']),
    ...(waitedMs <= timeLimitMs(takenOverMsMax) ? [] : [`taken over after ${Math.round(waitedMs)} ms`]),
  ];
}

const sizes = { smoke: { rounds: 2 }, full: { rounds: 125 } };

/** Half of the calls of a round create a token each, half a transaction of the account. */
async function newCalls(partner: Partner, seal: Seal, accountPath: string): Promise<Call[]> {
  const { merchantId } = partner.credentials;
  const tokens = Array.from({ length: halfOfRound }, () => tokenCall(partner, seal));
  const transactions = Array.from({ length: halfOfRound }, () =>
    createCall(partner, `${accountPath}/transaction`, {
      merchantInfo: { merchantId },
      transactionInfo: newTransactionInfo(),
    }),
  );
  return [...(await Promise.all(tokens)), ...transactions];
}

/** Each call has had one effect, and each account one event. */
async function expectOneEffectEach(client: MongoClient, all: readonly Asked[]): Promise<void> {
  const tokens = all.filter(({ call }) => call.path.endsWith('/token')).length + 1;
  expect({
    accounts: await client.db().collection('virtual_accounts').countDocuments(),
    created: await client.db().collection('events').countDocuments({ type: 'virtualAccount.created' }),
    transactions: await client.db().collection('card_transactions').countDocuments(),
  }).toEqual({ accounts: tokens, created: tokens, transactions: all.length - tokens + 1 });
}

proof('idempotency-kill', sizes, ({ size, random }) =>
  withWorld({ topology: 'embedded', databases: 'own' }, async (world) => {
    const partner = await partnerOf(world, 'alpha');
    const seal = await sealerOf(world);
    const attempts = createAttempts();
    const account = (await attempts.persist(world.urls.rest, await tokenCall(partner, seal))).answer;
    const accountPath = `/virtual-accounts/${account?.body.virtualAccountId}`;
    const all: Asked[] = [];
    let [rounds, unanswered] = [0, 0];
    let order: Figures = {};
    const client = await openDatabase(world);
    try {
      for (; rounds < size.rounds || (unanswered === 0 && rounds < size.rounds + moreRoundsMax); rounds += 1) {
        const calls = await newCalls(partner, seal, accountPath);
        const isAimed = rounds % 2 === 1 || rounds >= size.rounds;
        const round = await killAndRepeat({ world, client, attempts, random, calls, isAimed });
        all.push(...round.asked);
        unanswered += round.unanswered;
      }
      expectNone('broken promises', all.flatMap(faultsOf));
      expectNone('faults that clients saw', attempts.faults);
      await expectOneEffectEach(client, all);
      order = await auditOrder(client.db());
    } finally {
      await client.close();
    }
    if (unanswered < 1) throw new Error('no kill came between an effect and its answer');
    const broken = all.filter(({ first }) => first === null || first.status !== 201);
    return {
      rounds,
      tries: all.length,
      'first request died': broken.length,
      'effects without an answer': unanswered,
      'second effects': 0,
      ...order,
      'longest wait ms': Math.round(Math.max(...all.map(({ waitedMs }) => waitedMs))),
      'median wait ms': quantile(
        broken.map(({ waitedMs }) => waitedMs),
        0.5,
      ),
      clients: printOutcomes(attempts.outcomes),
    };
  }),
);
