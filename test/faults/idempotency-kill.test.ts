// Proof: a process is killed between taking a request and answering it; the repetition with the same Idempotency-Key gives the first result, and one effect is all there is.
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../subgraphs/shared/ids';
import type { Answer } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { type Attempts, type Call, createAttempts, printOutcomes } from './attempts';
import { openDatabase } from './audit';
import { expectNone, proof, quantile, timeLimitMs } from './proof';
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

interface Round {
  world: World;
  attempts: Attempts;
  random: Random;
  calls: Call[];
}

/** Sends all calls, kills a process while they run, and repeats each until it is answered, twice. */
async function killAndRepeat({ world, attempts, random, calls }: Round): Promise<Asked[]> {
  const url = world.urls.rest;
  const firsts = calls.map((call) => attempts.once(url, call));
  await wait(random.next() * 60);
  const { role, pid } = world.kill(random.pick(['app-1', 'app-2']));
  const asked = await Promise.all(
    calls.map(async (call, index): Promise<Asked> => {
      const first = (await firsts[index]) ?? null;
      const startedMs = performance.now();
      const second = (await attempts.persist(url, call)).answer;
      const waitedMs = performance.now() - startedMs;
      return { call, first, second, third: (await attempts.persist(url, call)).answer, waitedMs };
    }),
  );
  await world.replaced(role, pid);
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, { timeoutMs: 60_000 });
  return asked;
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

const sizes = { smoke: { rounds: 2, perRound: 4 }, full: { rounds: 125, perRound: 4 } };

proof('idempotency-kill', sizes, ({ size, random }) =>
  withWorld({ topology: 'embedded', databases: 'own' }, async (world) => {
    const partner = await partnerOf(world, 'alpha');
    const seal = await sealerOf(world);
    const attempts = createAttempts();
    const { merchantId } = partner.credentials;
    const account = (await attempts.persist(world.urls.rest, await tokenCall(partner, seal))).answer;
    const transactionPath = `/virtual-accounts/${account?.body.virtualAccountId}/transaction`;
    const all: Asked[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const tokens = Array.from({ length: size.perRound / 2 }, () => tokenCall(partner, seal));
      const transactions = Array.from({ length: size.perRound / 2 }, () =>
        createCall(partner, transactionPath, { merchantInfo: { merchantId }, transactionInfo: newTransactionInfo() }),
      );
      all.push(
        ...(await killAndRepeat({ world, attempts, random, calls: [...(await Promise.all(tokens)), ...transactions] })),
      );
    }
    expectNone('broken promises', all.flatMap(faultsOf));
    expectNone('faults that clients saw', attempts.faults);
    const client = await openDatabase(world);
    try {
      const tokens = all.filter(({ call }) => call.path.endsWith('/token')).length + 1;
      expect({
        accounts: await client.db().collection('virtual_accounts').countDocuments(),
        created: await client.db().collection('events').countDocuments({ type: 'virtualAccount.created' }),
        transactions: await client.db().collection('card_transactions').countDocuments(),
      }).toEqual({ accounts: tokens, created: tokens, transactions: all.length - tokens + 1 });
    } finally {
      await client.close();
    }
    const broken = all.filter(({ first }) => first === null || first.status !== 201);
    return {
      tries: all.length,
      'first request died': broken.length,
      'second effects': 0,
      'longest wait ms': Math.round(Math.max(...all.map(({ waitedMs }) => waitedMs))),
      'median wait ms': quantile(
        broken.map(({ waitedMs }) => waitedMs),
        0.5,
      ),
      clients: printOutcomes(attempts.outcomes),
    };
  }),
);
