// Proof: processes are killed while days are closed and entries are booked; each is repeated, every unit is paid once, and the books agree with the event log.
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxCall } from '../support/partner';
import { askGraph, bookEntry, settleDay, today } from '../support/reports';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { openDatabase } from './audit';
import { kindsOf } from './killing';
import { auditOrder } from './order-audit';
import { expectNone, type Figures, proof } from './proof';
import type { Random } from './random';
import { withWorld } from './with-world';

const sizes = { smoke: { kills: 2, entries: 12 }, full: { kills: 200, entries: 60 } };
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
    const found = await eventually(
      async () => {
        const now = await audit(world);
        return now.faults.length === 0 ? now : null;
      },
      { timeoutMs: 30_000 },
    ).catch(() => audit(world));
    expectNone('things that do not agree', found.faults);
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
