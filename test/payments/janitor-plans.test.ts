// What the janitor of payments asks for again and again reads what is due and nothing else, however much there is that is not.
import { createPaymentRepository } from '../../subgraphs/payments/payment/payment.repository';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { type CheckoutWorld, card, openCheckoutWorld } from './checkout-world';

/** Of each kind: paid sessions, open ones, and payments whose capture comes by itself later. */
const each = 20;
/** Rows that a question may look at without giving them out. */
const inVainMax = 3;

interface Profiled {
  op: string;
  ns: string;
  planSummary?: string;
  docsExamined?: number;
  keysExamined?: number;
  nreturned?: number;
}

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
  for (const captureType of ['EXPLICIT', 'DEFERRED'])
    await Promise.all(Array.from({ length: each }, () => pay(captureType)));
  await Promise.all(Array.from({ length: each }, () => world.build({}, {}, { caller: world.explicit })));
});
afterAll(() => world?.close());

async function pay(captureType: string): Promise<void> {
  const options = { caller: world.explicit };
  const { data, code } = await world.build({}, { captureType }, options);
  expect(code).toBeNull();
  const { sessionId } = data;
  await world.run('FillCheckoutCard', { sessionId, card: card() });
  const paid = await world.run('FinalizeCheckout', { sessionId }, options);
  expect(paid.data.operation.operationResult).toBe('AUTHORIZED');
}

/** What the database did for `act`, in the collections of payments. */
async function profiled(act: () => Promise<unknown>): Promise<Profiled[]> {
  const database = world.stores.connection.db;
  await database?.command({ profile: 2 });
  await act();
  await database?.command({ profile: 0 });
  const rows = (await world.documents('system.profile', {})) as unknown as Profiled[];
  await database?.dropCollection('system.profile');
  return rows.filter(({ ns, planSummary }) => planSummary !== undefined && !ns.endsWith('system.profile'));
}

/** Without the slot of the merchant that all of it belongs to: the first lane, and one of the others. */
const [first, others] = [
  { from: 0, to: 255 },
  { from: 256, to: 511 },
];
const rounds: Record<string, () => Promise<unknown>> = {
  'settle payments': () => world.payments.settle(new AbortController().signal),
  'expire checkout sessions': () => world.payments.expireSessions(new AbortController().signal),
  'settle payments of a lane': () => world.payments.settle(new AbortController().signal, others),
  'settle payments of the first lane': () => world.payments.settle(new AbortController().signal, first),
  'expire checkout sessions of a lane': () => world.payments.expireSessions(new AbortController().signal, others),
};

test.each(Object.keys(rounds))('%s', async (name) => {
  const rows = await profiled(rounds[name] as () => Promise<unknown>);
  expect(rows).not.toEqual([]);
  const walks = rows.filter(
    ({ planSummary, docsExamined = 0, keysExamined = 0, nreturned = 0 }) =>
      planSummary?.includes('COLLSCAN') || Math.max(docsExamined, keysExamined) > nreturned + inVainMax,
  );
  expect(walks).toEqual([]);
});

test('what is due in other lanes is left by the key alone', async () => {
  const payments = world.stores.connection.collection('payments');
  const waiting = await payments.find({ captureDueAt: { $type: 'date' } }).toArray();
  // At moments of their own, so that each has a place of its own among what is due.
  for (const [at, { _id }] of waiting.entries())
    await payments.updateOne({ _id }, { $set: { captureDueAt: new Date(at), slot: others.to + 1 } });
  const rows = await profiled(async () => {
    for (const lane of [first, others]) await world.payments.settle(new AbortController().signal, lane);
  });
  expect(Math.max(...rows.map(({ keysExamined = 0 }) => keysExamined))).toBeGreaterThanOrEqual(each);
  expect(rows.filter(({ docsExamined = 0 }) => docsExamined > inVainMax)).toEqual([]);
});

test('the capture batch reads what waits for it', async () => {
  await Promise.all(Array.from({ length: 3 }, () => pay('FILE')));
  const { listForBatch } = createPaymentRepository(world.stores.connection);
  const staff = systemCaller('sandbox', 'money');
  for (const caller of [staff, { ...staff, accountId: 'alpha' }, { ...staff, accountId: 'beta' }]) {
    const found: string[] = [];
    const rows = await profiled(async () => {
      found.push(...(await listForBatch(caller, '', 2)).map(({ paymentId }) => paymentId));
      found.push(...(await listForBatch(caller, found.at(-1) ?? '', 2)).map(({ paymentId }) => paymentId));
    });
    expect(found).toHaveLength(caller.accountId === 'beta' ? 0 : 3);
    expect(found).toEqual([...found].sort());
    expect(Math.max(...rows.map(({ docsExamined = 0 }) => docsExamined))).toBeLessThanOrEqual(3);
  }
});
