// The independent checker: reads MongoDB itself and the receivers' logs, and holds them against what clients were told.
import { MongoClient } from 'mongodb';
import { attemptFaults } from '../support/attempt-oracle';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { historyFaults } from './histories';
import { auditOrder } from './order-audit';
import { withoutPlace } from './places';
import { expectNone, type Figures } from './proof';
import { type Delivery, isAccepted, type Receiver } from './receivers';
import type { Life, Tenant } from './traffic';

interface StoredEvent {
  _id: string;
  accountId: string;
  aggregateType: string;
  aggregateId: string;
  sequence: number;
  type: string;
  slot: number;
  position: number | null;
  data: { by?: string };
}

/** The database that a program brought by itself, read past the program. */
export async function openDatabase(world: World): Promise<MongoClient> {
  const { port } = world.process('mongod');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/payments?directConnection=true`, {
    serverSelectionTimeoutMS: 20_000,
  });
  return client.connect();
}

/** Waits until all has settled, then audits. */
export async function auditSettled(world: World, evidence: Evidence): Promise<Figures> {
  const client = await openDatabase(world);
  try {
    await settled(world, client);
    return await audit(client, evidence);
  } finally {
    await client.close();
  }
}

const clockMovedEveryMs = 6_000;

export interface ClockMoves {
  byMs: number;
  movesMax: number;
}

/** A callback whose receiver was away for longer is made again minutes later: the clock is moved there, again and again. */
const farMoves: ClockMoves = { byMs: 35 * 60_000, movesMax: Number.POSITIVE_INFINITY };

/** Waits until nothing is on its way any more: every event has its place, every callback its end. */
export async function settled(world: World, client: MongoClient, { byMs, movesMax } = farMoves): Promise<void> {
  const database = client.db();
  let movedAtMs = performance.now();
  let moves = 0;
  await eventually(
    async () => {
      // Events first: what becomes a callback between two looks is seen by the second.
      const waiting = [
        await withoutPlace(database),
        await database.collection('deliveries').countDocuments({ open: true }),
      ];
      if (waiting.every((count) => count === 0)) return true;
      if (moves < movesMax && performance.now() - movedAtMs > clockMovedEveryMs) {
        movedAtMs = performance.now();
        moves += 1;
        await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: byMs });
      }
      throw new Error(`${waiting[0]} events without a place and ${waiting[1]} open callbacks`);
    },
    { timeoutMs: 180_000, everyMs: 250 },
  );
}

export interface Evidence {
  lives: readonly Life[];
  receivers: Record<Tenant, Receiver>;
}

/** Throws at the first broken promise; returns what was counted. */
export async function audit(client: MongoClient, { lives, receivers }: Evidence): Promise<Figures> {
  const database = client.db();
  const events = await database.collection<StoredEvent>('events').find().sort({ sequence: 1 }).toArray();
  const accounts = await database.collection<{ _id: string; sequence: number }>('virtual_accounts').find().toArray();
  const transactions = await database.collection<{ transactionId: string }>('card_transactions').find().toArray();
  const byAccount = new Map<string, StoredEvent[]>();
  for (const event of events) byAccount.set(event.aggregateId, [...(byAccount.get(event.aggregateId) ?? []), event]);

  expectNone('gaps in the sequences of aggregates', gaps(byAccount));
  expectNone(
    'events without a position',
    events.filter(({ position }) => position === null),
  );
  const order = await auditOrder(database);
  expectNone('accounts that no client was told of', strangers(lives, accounts));
  expectNone(
    'histories that differ from what was acknowledged',
    lives.flatMap((life) => historyFaults(life, byAccount)),
  );
  const last = new Map(accounts.map(({ _id, sequence }) => [_id, sequence]));
  const ahead = events.filter(
    ({ aggregateType, aggregateId, sequence }) =>
      aggregateType === 'virtualAccount' && (last.get(aggregateId) ?? 0) < sequence,
  );
  expectNone('events without the change that they tell of', ahead);
  expectNone('transactions that differ from what was acknowledged', transactionFaults(lives, transactions));

  expectNone('attempts told otherwise than recorded', await attemptFaults(database));
  const deliveries = { alpha: receivers.alpha.deliveries, beta: receivers.beta.deliveries };
  const expected = events.filter(isTold);
  expectNone('lost callbacks', lost(expected, deliveries));
  expectNone('invented callbacks', invented(expected, deliveries));
  const repeated = repeats([...deliveries.alpha, ...deliveries.beta]);
  expectNone('repetitions with another body or path', repeated.different);
  const steps = lives.flatMap(({ steps: own }) => own);
  return {
    operations: steps.filter(({ isAcknowledged }) => isAcknowledged).length,
    events: events.length,
    callbacks: expected.length,
    repeated: repeated.count,
    missing: 0,
    lost: 0,
    invented: 0,
    gaps: 0,
    ...order,
  };
}

/** The events that a token requestor is told of. */
function isTold({ type, data }: StoredEvent): boolean {
  if (type === 'virtualAccount.deleted') return data.by === 'issuer';
  return ['virtualAccount.suspended', 'virtualAccount.resumed', 'virtualAccount.cardUpdated'].includes(type);
}

function gaps(byAccount: Map<string, StoredEvent[]>): string[] {
  return [...byAccount].flatMap(([aggregateId, events]) => {
    const numbers = events.map(({ sequence }) => sequence);
    return numbers.every((number, index) => number === index + 1) ? [] : [`${aggregateId}: ${numbers.join(' ')}`];
  });
}

function strangers(lives: readonly Life[], accounts: readonly { _id: string }[]): string[] {
  const told = new Set(lives.map(({ virtualAccountId }) => virtualAccountId));
  const open = lives.filter(({ steps }) =>
    steps.some(({ name, isAcknowledged }) => name === 'CREATE' && !isAcknowledged),
  );
  const unknown = accounts.filter(({ _id }) => !told.has(_id)).map(({ _id }) => _id);
  return unknown.length <= open.length ? [] : unknown;
}

function transactionFaults(lives: readonly Life[], stored: readonly { transactionId: string }[]): string[] {
  const steps = lives.flatMap(({ steps: own }) => own).filter(({ transactionId }) => transactionId !== undefined);
  const counts = new Map<string, number>();
  for (const { transactionId } of stored) counts.set(transactionId, (counts.get(transactionId) ?? 0) + 1);
  const missing = steps.filter(
    ({ transactionId = '', isAcknowledged }) => isAcknowledged && counts.get(transactionId) !== 1,
  );
  const asked = new Set(steps.map(({ transactionId }) => transactionId));
  return [
    ...missing.map(({ transactionId = '' }) => `${transactionId}: ${counts.get(transactionId) ?? 0} times`),
    ...[...counts.keys()].filter((id) => !asked.has(id)).map((id) => `${id}: asked for by nobody`),
  ];
}

function lost(expected: readonly StoredEvent[], deliveries: Record<string, Delivery[]>): string[] {
  const accepted = new Map(
    Object.entries(deliveries).map(([tenant, all]) => [
      tenant,
      new Set(all.filter(isAccepted).map(({ eventId }) => eventId)),
    ]),
  );
  return expected
    .filter(({ _id, accountId }) => !accepted.get(accountId)?.has(_id))
    .map(({ _id, type }) => `${_id} ${type}`);
}

function invented(expected: readonly StoredEvent[], deliveries: Record<string, Delivery[]>): string[] {
  const known = new Map(expected.map((event) => [event._id, event]));
  return Object.entries(deliveries).flatMap(([tenant, all]) =>
    all.flatMap(({ eventId, webhookId, path }) => {
      const event = known.get(eventId);
      const isRight = event?.accountId === tenant && webhookId === eventId && path.includes(event.aggregateId);
      return isRight ? [] : [`${tenant} ${path} ${eventId} ${webhookId}`];
    }),
  );
}

/** How often something came again, and what did not come again the same. */
export function repeats(deliveries: readonly Delivery[]): { count: number; different: string[] } {
  const first = new Map<string, Delivery>();
  let count = 0;
  const different: string[] = [];
  for (const delivery of deliveries) {
    const known = first.get(delivery.eventId);
    if (!known) first.set(delivery.eventId, delivery);
    else if (known.body !== delivery.body || known.path !== delivery.path) different.push(delivery.eventId);
    if (known && isAccepted(known)) count += 1;
  }
  return { count, different };
}
