// The independent checker of money: reads MongoDB itself and the merchant's receiver, and holds payments, operations, events, the acquirer's book and notifications against each other.
import type { Db, MongoClient } from 'mongodb';
import { eventually } from '../support/stores';
import { repeats } from './audit';
import { auditOrder } from './order-audit';
import { withoutPlace } from './places';
import { expectNone, type Figures } from './proof';
import { isAccepted, type Receiver } from './receivers';

interface StoredPayment {
  _id: string;
  orderId: string | null;
  state: string;
  sequence: number;
  authorizedMinor: unknown;
  capturedMinor: unknown;
  refundedMinor: unknown;
  activeCallId: string | null;
}

interface StoredOperation {
  _id: string;
  paymentId: string;
  type: string;
  result: string;
  amountMinor: unknown;
  /** Of a call that did not have to be asked about. */
  call?: { callId: string };
}

interface StoredEvent {
  _id: string;
  aggregateType: string;
  aggregateId: string;
  sequence: number;
  position: number | null;
  type: string;
  data: { operationId?: string; operationResult?: string; notificationUrl?: string };
}

/** Whether a stored amount comes as a number, a bigint or the driver's long, it is whole minor units. */
const minor = (stored: unknown): bigint => BigInt(String(stored));
const reserving = ['AUTHORIZATION', 'INCREMENTAL', 'NOSHOW', 'DELAY_CHARGE'];

/** Waits until nothing is open: no call at the acquirer, no outcome, no event without a place, no notification on its way. */
export async function paymentsSettled(client: MongoClient, timeoutMs = 90_000): Promise<void> {
  const database = client.db();
  // In the order in which one becomes the next: what moves on between two looks is seen by the later one.
  const counts = async () => [
    await database.collection('payments').countDocuments({ activeCallId: { $ne: null } }),
    await database.collection('operations').countDocuments({ result: 'PENDING' }),
    await withoutPlace(database),
    await database.collection('deliveries').countDocuments({ open: true }),
  ];
  await eventually(
    async () => {
      const open = await counts();
      if (open.some((count) => count > 0))
        throw new Error(`${open[0]} calls, ${open[1]} outcomes, ${open[2]} events and ${open[3]} callbacks are open`);
      return true;
    },
    { timeoutMs, everyMs: 250 },
  );
}

/** Throws at the first broken promise; returns what was counted. */
export async function auditPayments(client: MongoClient, receiver: Receiver): Promise<Figures> {
  const { events, ...counts } = await auditMoney(client.db());
  expectNone('notifications lost or invented', notificationFaults(events, receiver));
  const repeated = repeats(receiver.deliveries);
  expectNone('notifications that came again with another body or path', repeated.different);
  return {
    ...counts,
    events: events.length,
    notifications: events.filter(({ data }) => data.notificationUrl).length,
    repeated: repeated.count,
    'double charges': 0,
    lost: 0,
    'units off': 0,
    ...(await auditOrder(client.db())),
  };
}

/** Payments, operations, events and the acquirer's book against each other, without any receiver. */
export async function auditMoney(
  database: Db,
): Promise<{ payments: number; operations: number; events: StoredEvent[] }> {
  const payments = await database.collection<StoredPayment>('payments').find().toArray();
  const operations = await database.collection<StoredOperation>('operations').find().toArray();
  const events = await database
    .collection<StoredEvent>('events')
    .find({ aggregateType: 'payment' })
    .sort({ sequence: 1 })
    .toArray();
  const byPayment = groupBy(operations, ({ paymentId }) => paymentId);
  const eventsBy = groupBy(events, ({ aggregateId }) => aggregateId);

  expectNone(
    'payments whose sums differ from their operations',
    payments.flatMap((each) => sumFaults(each, byPayment.get(each._id) ?? [])),
  );
  expectNone(
    'gaps in the sequences of payments',
    payments.flatMap((each) => sequenceFaults(each, eventsBy.get(each._id) ?? [])),
  );
  expectNone('operations without their event, or events without their operation', eventFaults(operations, events));
  expectNone('movements at the acquirer that are nobody’s operation', await bookFaults(database, operations));
  return { payments: payments.length, operations: operations.length, events };
}

function groupBy<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function sumFaults(payment: StoredPayment, operations: readonly StoredOperation[]): string[] {
  const sum = (types: readonly string[], result: string) =>
    operations
      .filter((each) => types.includes(each.type) && each.result === result)
      .reduce((total, each) => total + minor(each.amountMinor), 0n);
  const cancelled = sum(['CANCEL'], 'VOIDED');
  const facts = {
    authorized: [minor(payment.authorizedMinor), sum(reserving, 'AUTHORIZED')],
    captured: [minor(payment.capturedMinor), sum(['CAPTURE'], 'EXECUTED') - cancelled],
    refunded: [minor(payment.refundedMinor), sum(['REFUND'], 'REFUNDED')],
  } as const;
  const off = Object.entries(facts).filter(([name, [kept, added]]) => name !== 'authorized' && kept !== added);
  const { authorized, captured, refunded } = facts;
  const isWithin = captured[0] <= authorized[1] && refunded[0] <= captured[0] + cancelled;
  const charges = operations.filter(({ type, result }) => type === 'AUTHORIZATION' && result === 'AUTHORIZED').length;
  return [
    ...off.map(([name, [kept, added]]) => `${payment._id}: ${name} ${kept}, operations say ${added}`),
    ...(isWithin ? [] : [`${payment._id}: captured ${captured[0]} of ${authorized[1]}, refunded ${refunded[0]}`]),
    ...(charges <= 1 ? [] : [`${payment._id}: authorized ${charges} times`]),
  ];
}

function sequenceFaults(payment: StoredPayment, events: readonly StoredEvent[]): string[] {
  const numbers = events.map(({ sequence }) => sequence);
  const isWhole = numbers.every((number, index) => number === index + 1) && payment.sequence === numbers.length;
  return isWhole ? [] : [`${payment._id} (${payment.sequence}): ${numbers.join(' ')}`];
}

/** Each operation is told of once as new; one that was PENDING once more, with what it is now. */
function eventFaults(operations: readonly StoredOperation[], events: readonly StoredEvent[]): string[] {
  const told = groupBy(
    events.filter(({ data }) => data.operationId !== undefined && data.operationId !== null),
    ({ data }) => data.operationId ?? '',
  );
  const known = new Set(operations.map(({ _id }) => _id));
  const wrong = operations.flatMap(({ _id, result }) => {
    const [first, second, ...more] = (told.get(_id) ?? []).filter(({ type }) => type !== 'payment.expired');
    const last = second ?? first;
    const isRight =
      first !== undefined &&
      more.length === 0 &&
      last?.data.operationResult === result &&
      (!second || first.data.operationResult === 'PENDING');
    return isRight
      ? []
      : [
          `${_id} ${result}: ${(told.get(_id) ?? []).map(({ type, data }) => `${type} ${data.operationResult}`).join(', ')}`,
        ];
  });
  return [...wrong, ...[...told.keys()].filter((id) => !known.has(id)).map((id) => `${id}: an event only`)];
}

/** Notifications that no receiver took, and those that no event asked for. */
function notificationFaults(events: readonly StoredEvent[], { deliveries }: Receiver): string[] {
  const expected = new Set(events.filter(({ data }) => data.notificationUrl).map(({ _id }) => _id));
  const taken = new Set(deliveries.filter(isAccepted).map(({ webhookId }) => webhookId));
  const lost = [...expected].filter((id) => !taken.has(id)).map((id) => `${id} never came`);
  const invented = deliveries.filter(
    ({ webhookId, body }) => !expected.has(webhookId) || JSON.parse(body).eventId !== webhookId,
  );
  return [...lost, ...invented.map(({ webhookId }) => `${webhookId} came without an event`)];
}

interface BookedOrder {
  _id: string;
  kind: string;
  answer: { result: string } | null;
}

/** The sandbox acquirer keeps a book of its own: what it approved and what our operations say must be the same movements. */
async function bookFaults(database: Db, operations: readonly StoredOperation[]): Promise<string[]> {
  const book = await database.collection<BookedOrder>('sandbox_acquirer_orders').find().toArray();
  const open = await database.collection<{ _id: string; operationId: string }>('acquirer_calls').find().toArray();
  const calls = [
    ...open,
    ...operations.flatMap(({ _id, call }) => (call ? [{ _id: call.callId, operationId: _id }] : [])),
  ];
  const operationOf = new Map(calls.map(({ _id, operationId }) => [_id, operationId]));
  const results = new Map(operations.map(({ _id, result }) => [_id, result]));
  const moved = ['AUTHORIZED', 'EXECUTED', 'REFUNDED', 'VOIDED'];
  const approved = book.filter(({ answer }) => answer?.result === 'APPROVED');
  const booked = new Set(approved.map(({ _id }) => operationOf.get(_id) ?? ''));
  const wrong = approved.flatMap(({ _id, kind }) => {
    const result = results.get(operationOf.get(_id) ?? '');
    return result !== undefined && moved.includes(result)
      ? []
      : [`${kind} ${_id} was approved, its operation is ${result ?? 'missing'}`];
  });
  const twice = approved.length - booked.size;
  // An operation that the acquirer has not booked was invented here.
  const invented = calls
    .filter(({ operationId }) => moved.includes(results.get(operationId) ?? '') && !booked.has(operationId))
    .map(({ _id }) => `${_id} was never booked, and its operation says that money moved`);
  return [...wrong, ...invented, ...(twice > 0 ? [`${twice} operations were booked twice`] : [])];
}
