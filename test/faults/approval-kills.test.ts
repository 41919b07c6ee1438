// Proof: processes are killed while applications are approved; each becomes one merchant with one number and one terminal, and is told of once.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Answer } from '../support/client';
import { type OnboardingPartner, onboardingOf } from '../support/onboarding';
import { eventually } from '../support/stores';
import type { Topology, World } from '../support/world';
import { auditApprovals } from './approval-audit';
import { type Attempts, createAttempts, printOutcomes } from './attempts';
import { openDatabase } from './audit';
import { withoutPlace } from './places';
import { expectNone, type Figures, namedProof, proof } from './proof';
import type { Random } from './random';
import { openReceiver } from './receivers';
import { withWorld } from './with-world';

/** Applications that were signed, each to be approved. */
async function signed(partner: OnboardingPartner, url: string, count: number): Promise<string[]> {
  const one = async () => {
    const webhook = { eventName: 'onboarding.approved', url: `${url}/approved`, authorization: 'secret12' };
    const { body } = await partner.create({ notifications: { webhooks: [webhook] } });
    await partner.lever(body.id, 'OPEN', 'SIGN');
    return String(body.id);
  };
  return Promise.all(Array.from({ length: count }, one));
}

const victims = {
  embedded: ['app-1', 'app-2'],
  split: ['rest-facade-1', 'subgraph-onboarding', 'subgraph-merchants', 'worker-janitor-1'],
} as const;

interface Round {
  world: World;
  attempts: Attempts;
  database: Db;
}

/** Kills one process in the midst of the approvals; what was written down goes on by itself, the rest is asked for again. Returns the broken promises. */
async function killAndGoOn({ world, attempts, database }: Round, ids: string[], random: Random): Promise<string[]> {
  const url = world.urls.rest;
  const headers = { 'X-Sandbox-Key': world.credentials.sandboxKey };
  const callOf = (id: string) => ({
    method: 'POST',
    path: `/sandbox/onboarding/${id}/events`,
    options: { headers, body: { event: 'APPROVE' } },
  });
  const firsts = ids.map((id) => attempts.once(url, callOf(id)));
  await wait(random.next() * 80);
  const { role, pid } = world.kill(random.pick(victims[world.topology]));
  const answers = await Promise.all(firsts);
  await world.replaced(role, pid);
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, { timeoutMs: 60_000 });
  // Nobody asks again: the janitor alone finishes what was begun.
  const open = { status: 'PROCESSING', approval: { $ne: null } };
  const applications = database.collection('onboarding_applications');
  await eventually(async () => (await applications.countDocuments(open)) === 0, { timeoutMs: 60_000, everyMs: 200 });
  const seconds = await Promise.all(ids.map(async (id) => (await attempts.persist(url, callOf(id))).answer));
  return ids.flatMap((id, index) => faultsOf(id, answers[index] ?? null, seconds[index] ?? null));
}

function faultsOf(id: string, first: Answer | null, second: Answer | null): string[] {
  const isBroken = first?.status === 200 && first.body.status !== 'APPROVED';
  return [
    ...(isBroken ? [`${id}: the first answer was ${first.body.status}`] : []),
    ...(second?.body?.status === 'APPROVED' ? [] : [`${id}: the last answer was ${second?.text ?? 'none'}`]),
  ];
}

async function run(
  topology: Topology,
  { rounds, perRound }: Record<'rounds' | 'perRound', number>,
  random: Random,
): Promise<Figures> {
  const receiver = await openReceiver();
  return withWorld({ topology, databases: 'own' }, async (world) => {
    const partner = onboardingOf(world);
    const attempts = createAttempts();
    const client = await openDatabase(world);
    try {
      const database = client.db();
      const faults: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const ids = await signed(partner, receiver.url, perRound);
        faults.push(...(await killAndGoOn({ world, attempts, database }, ids, random)));
      }
      expectNone('broken promises', faults);
      expectNone('faults that clients saw', attempts.faults);
      const open = () => database.collection('deliveries').countDocuments({ open: true });
      const unplaced = () => withoutPlace(database);
      // Events first: what becomes a webhook between the two looks is seen by the second.
      await eventually(async () => (await unplaced()) + (await open()) === 0, { timeoutMs: 90_000, everyMs: 250 });
      return {
        topology,
        kills: rounds,
        ...(await auditApprovals(database, receiver)),
        clients: printOutcomes(attempts.outcomes),
      };
    } finally {
      await client.close();
    }
  }).finally(() => receiver.close());
}

const sizes = { smoke: { rounds: 1, perRound: 6 }, full: { rounds: 100, perRound: 12 } };

proof('approval-kills', sizes, ({ size, random }) => run('embedded', size, random));
// By name alone: beside the other shape it shows too little to lengthen every test run.
namedProof('approval-kills-split', sizes, ({ size, random }) => run('split', size, random));
