// The checker of the proof of rolling restarts: databases, receivers and dashboards held against what keep-alive clients were told, before the program's stop and after it.
import type { MongoClient } from 'mongodb';
import { closeCodes } from '../../gateway/subscriptions/subscription-connection';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { audit, type ClockMoves, settled } from './audit';
import type { Follower } from './follower';
import { eventOf } from './histories';
import { moneyFaults } from './money-lives';
import { auditPayments, paymentsSettled } from './payment-audit';
import { expectNone, type Figures } from './proof';
import type { Receiver } from './receivers';
import type { Load } from './rolling-load';
import type { Life } from './traffic';

export type Receivers = Record<'alpha' | 'beta' | 'shop', Receiver>;

/** What a socket is told when its process drains. */
export const restart = `${closeCodes.restart.code} ${closeCodes.restart.reason}`;
/** All of them together end no access token and no payment that waits. */
const nearMoves: ClockMoves = { byMs: 5 * 60_000, movesMax: 4 };

/** Token events of the merchant in the order of the log; the last before a stop may still be without a place, and nobody is told of those. */
export async function tokenEventsOf(client: MongoClient, merchantId: string): Promise<string[]> {
  const events = client.db().collection<{ _id: string; position: number | null }>('events');
  const placed = { merchantId, aggregateType: 'virtualAccount', position: { $ne: null } };
  const found = await events.find(placed).sort({ position: 1 }).toArray();
  return found.map(({ _id }) => _id);
}

/** Each dashboard has seen every event once and in order, and was told why each time that it had to come back. */
export async function checkFollowers(
  followers: readonly Follower[],
  events: readonly string[],
  rolls: number,
): Promise<void> {
  for (const { seen, closes, troubles, returns } of followers) {
    await eventually(() => seen.length >= events.length, { timeoutMs: 60_000 }).catch(() => undefined);
    expect(seen).toEqual(events);
    expectNone('connections that could not be opened or broke', troubles);
    expectNone(
      'sockets that were closed for another reason',
      closes.filter((close) => close !== restart),
    );
    expect(returns()).toBeGreaterThanOrEqual(rolls);
  }
}

/** With nothing under way: each success has its effect once, each effect its events, callbacks and notifications. */
export async function checkBooks(
  world: World,
  client: MongoClient,
  load: Load,
  receivers: Receivers,
): Promise<Figures> {
  await settled(world, client, nearMoves);
  await paymentsSettled(client);
  const { operations: writes = 0, events = 0 } = await audit(client, { lives: load.tokens(), receivers });
  expectNone('operations that differ from what was acknowledged', await moneyFaults(client.db(), load.payments));
  const { operations = 0 } = await auditPayments(client, receivers.shop);
  return { writes, operations, events };
}

/** After the stop: each success has its effect, and what was turned away at a closed door has none, so that nothing was taken and then cut. */
export async function checkLeft(client: MongoClient, known: readonly Load[]): Promise<void> {
  const lives = known.flatMap((load) => load.tokens());
  const payments = known.flatMap((load) => load.payments);
  const accounts = await client.db().collection<{ _id: string }>('virtual_accounts').find().toArray();
  const told = new Set(lives.map(({ virtualAccountId }) => virtualAccountId));
  expectNone(
    'accounts that no client was told of',
    accounts.filter(({ _id }) => !told.has(_id)),
  );
  const events = client.db().collection<{ aggregateId: string; type: string }>('events');
  const found = await events.find({ aggregateType: 'virtualAccount' }).sort({ sequence: 1 }).toArray();
  const byAccount = new Map<string, string[]>();
  for (const { aggregateId, type } of found) byAccount.set(aggregateId, [...(byAccount.get(aggregateId) ?? []), type]);
  const differs = (life: Life) => {
    const steps = life.steps.filter(({ isAcknowledged }) => isAcknowledged);
    const expected = steps.flatMap(({ name }) => eventOf[name] ?? []);
    return expected.join() !== (byAccount.get(life.virtualAccountId ?? '') ?? []).join();
  };
  expectNone('lives that differ from what was acknowledged', lives.filter(differs));
  const transactions = client.db().collection<{ transactionId: string }>('card_transactions');
  const paid = (await transactions.find().toArray()).map(({ transactionId }) => transactionId).sort();
  const steps = lives.flatMap((life) => life.steps).filter(({ isAcknowledged }) => isAcknowledged);
  expect(paid).toEqual(steps.flatMap(({ transactionId }) => transactionId ?? []).sort());
  expectNone('operations that differ from what was acknowledged', await moneyFaults(client.db(), payments));
}
