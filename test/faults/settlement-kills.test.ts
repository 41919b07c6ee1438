// Proof: processes are killed while days are closed, captures are due and entries are booked; what was asked for is repeated, each capture is made once, every unit is paid once, and the books agree with the event log.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { dueDay } from '../../subgraphs/reporting/payouts/schedule.service';
import { payWithFields, shopOf } from '../support/checkout';
import { sandboxCall } from '../support/partner';
import { askGraph, bookEntry, settleDay, today } from '../support/reports';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { openDatabase } from './audit';
import { kindsOf } from './killing';
import { allLed, holderOf, resize } from './lanes';
import { auditOrder } from './order-audit';
import { expectNone, type Figures, proof } from './proof';
import type { Random } from './random';
import { withWorld } from './with-world';

const sizes = { smoke: { kills: 2, entries: 12 }, full: { kills: 200, entries: 60 } };
const dayMs = 86_400_000;
const tenants = ['alpha', 'beta'] as const;
const currencies = ['EUR', 'SEK'] as const;

/** Repeats a call that a killed process may have left without an answer. */
async function persist(call: () => Promise<unknown>): Promise<void> {
  await eventually(() => call().then(() => true), { timeoutMs: 60_000, everyMs: 100 });
}

/** Closes the day that it is then, and all before it: midnight may pass in a long run. */
const closeToday = (world: World) => persist(async () => settleDay(world, await today(world)));

/** Asks for a settlement, kills a process in the middle of it, and asks again until it is done. */
async function settleUnderKill(world: World, random: Random): Promise<boolean> {
  const date = await eventually(() => today(world));
  const role = random.pick(world.processes().filter(({ role: name }) => kindsOf(world).includes(name))).role;
  const first = sandboxCall(world, 'POST', '/sandbox/settlement', { date }).then(
    ({ status }) => status === 200,
    () => false,
  );
  await wait(random.between(0, 250));
  const { pid } = world.kill(role);
  const isAnswered = await first;
  await world.replaced(role, pid);
  await closeToday(world);
  return isAnswered;
}

interface Booked {
  events: number;
  order: Figures;
  sum: bigint;
}

/** What the log says was booked by hand, whatever the clients heard. */
async function bookedInLog(world: World): Promise<Booked> {
  const client = await openDatabase(world);
  try {
    const events = await client
      .db()
      .collection('events')
      .find({ type: /^ledger\.(deposit|adjustment)Booked$/ })
      .toArray();
    const order = await auditOrder(client.db());
    return { order, events: events.length, sum: events.reduce((sum, { data }) => sum + BigInt(data['amount']), 0n) };
  } finally {
    await client.close();
  }
}

interface PayoutNode {
  payoutId: string;
  amount: string;
  reconciled: boolean;
  sums: { actionCount: number };
}

/** Every payout and day of every merchant: what was paid, and what does not agree. */
async function audit(world: World): Promise<{ paid: bigint; payouts: number; actions: number; faults: string[] }> {
  const nodes: PayoutNode[] = [];
  for (let after: string | null = null; ; ) {
    const { payouts } = await askGraph(
      world,
      'query P($after: String) { payouts(first: 100, after: $after) { edges { node { payoutId amount reconciled sums { actionCount } } } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    nodes.push(...payouts.edges.map(({ node }: { node: PayoutNode }) => node));
    if (!payouts.pageInfo.hasNextPage) break;
    after = payouts.pageInfo.endCursor;
  }
  const days = await Promise.all(
    tenants.map(async (tenant) => {
      const id = world.credentials.tenants[tenant].merchantId;
      const { balances } = await askGraph(
        world,
        'query B($id: ID!) { balances(merchantId: $id) { day currency closing reconciled } }',
        { id },
      );
      return balances as { day: string; currency: string; closing: string; reconciled: boolean }[];
    }),
  );
  return {
    paid: nodes.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    payouts: nodes.length,
    actions: nodes.reduce((sum, { sums }) => sum + sums.actionCount, 0),
    faults: [
      ...nodes.filter(({ reconciled }) => !reconciled).map(({ payoutId }) => `payout ${payoutId}`),
      ...days
        .flat()
        .filter(({ reconciled }) => !reconciled)
        .map(({ day, currency }) => `${day} ${currency}`),
      ...days
        .flat()
        .filter(({ closing }) => closing !== '0')
        .map(({ day, currency, closing }) => `${day} ${currency} closes with ${closing}`),
    ],
  };
}

proof('settlement-kills', sizes, ({ size, random }) =>
  withWorld({ databases: 'own' }, async (world): Promise<Figures> => {
    let answered = 0;
    for (let kill = 0; kill < size.kills; kill += 1) {
      for (let index = 0; index < size.entries; index += 1) {
        const entry = {
          tenant: random.pick(tenants),
          currency: random.pick(currencies),
          amount: random.between(1, 9_999),
        };
        await persist(() => bookEntry(world, { ...entry, action: 'DEPOSIT' }));
      }
      if (await settleUnderKill(world, random)) answered += 1;
    }
    await closeToday(world);
    const booked = await bookedInLog(world);
    const found = await agreed(world);
    expect({ paid: found.paid, actions: found.actions }).toEqual({ paid: booked.sum, actions: booked.events });
    return {
      topology: world.topology,
      kills: size.kills,
      'settlements answered': answered,
      entries: booked.events,
      payouts: found.payouts,
      'paid twice': 0,
      missing: 0,
      'units off': 0,
      ...booked.order,
    };
  }),
);

/** What the books hold once they agree with the log; fails with what does not in time. */
async function agreed(world: World) {
  const found = await eventually(
    async () => {
      const now = await audit(world);
      return now.faults.length === 0 ? now : null;
    },
    { timeoutMs: 30_000 },
  ).catch(() => audit(world));
  expectNone('things that do not agree', found.faults);
  return found;
}

const nights = { smoke: { kills: 2, payments: 4 }, full: { kills: 60, payments: 30 } };
const laneKinds = ['janitor-payments', 'settlement'] as const;
/** Of the lanes, one after the other, again and again. */
const layouts = [8, 3, 1];

/** Authorizations that are captured by the janitor, of both tenants. */
async function authorizeDeferred(world: World, count: number): Promise<void> {
  const shops = tenants.map((tenant) => shopOf(world, tenant, 'explicit'));
  for (let index = 0; index < count; index += 1)
    for (const shop of shops) {
      const { finalized } = await payWithFields(world, shop, { paymentSession: { captureType: 'DEFERRED' } });
      expect(finalized.body.operation.operationResult).toBe('AUTHORIZED');
    }
}

/** All captures are due and a night comes; whoever holds a lane of such work is killed in the middle of it. Resolves when everything is done and every lane has a holder. */
async function nightUnderKill(world: World, database: Db, random: Random, lanes: number): Promise<void> {
  const waiting = { captureDueAt: { $type: 'date' } } as const;
  await resize(world, lanes);
  const { role, pid } = await holderOf(world, database, random.pick(laneKinds));
  await database.collection('payments').updateMany(waiting, { $set: { captureDueAt: new Date(0) } });
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: dayMs });
  await wait(random.between(0, 1_500));
  process.kill(pid, 'SIGKILL');
  await world.replaced(role, pid);
  const { body } = await eventually(() => sandboxCall(world, 'GET', '/sandbox/clock'), { timeoutMs: 60_000 });
  const day = dueDay(new Date(body.now));
  await eventually(
    async () => {
      const closed = await database
        .collection<{ _id: string; day: string }>('settlement_schedule')
        .findOne({ _id: 'sandbox' });
      return closed?.day === day && (await database.collection('payments').countDocuments(waiting)) === 0;
    },
    { timeoutMs: 180_000 },
  );
  await allLed(database, laneKinds);
}

// By the holders of lanes themselves, in the night: nobody asks for it.
proof('night-kills', nights, ({ size, random }) =>
  withWorld({ databases: 'own', env: { LANES: '2' } }, async (world): Promise<Figures> => {
    const client = await openDatabase(world);
    try {
      const database = client.db();
      for (let kill = 0; kill < size.kills; kill += 1) {
        await authorizeDeferred(world, size.payments);
        await nightUnderKill(world, database, random, layouts[kill % layouts.length] as number);
      }
      // What was captured in the last night is paid in the next.
      await persist(async () => settleDay(world, await today(world)));
      const captures = await database.collection('operations').find({ type: 'CAPTURE' }).toArray();
      const captured = new Set(captures.map(({ paymentId }) => String(paymentId)));
      expect(captures).toHaveLength(size.kills * size.payments * tenants.length);
      expect(captured.size).toBe(captures.length);
      const found = await agreed(world);
      expect(found.actions).toBe(captures.length);
      return {
        topology: world.topology,
        kills: size.kills,
        captures: captures.length,
        payouts: found.payouts,
        'captured twice': 0,
        'paid twice': 0,
        missing: 0,
        'lanes without a holder': 0,
        ...(await auditOrder(database)),
      };
    } finally {
      await client.close();
    }
  }),
);
