// What the merchant does after the checkout: capture types by terminal, captures, refunds, cancels, stored contracts, order reuse and session ends (hosted checkout).
import { randomUUID } from 'node:crypto';
import {
  cards,
  enterCard,
  newOrderId,
  type OrderChanges,
  openInbox,
  payWithFields,
  type Shop,
  shopOf,
} from '../support/checkout';
import { judged } from '../support/client';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

const dayMs = 86_400_000;
let world: World;
let implicit: Shop;
let explicit: Shop;

// A world of its own: these journeys move the clock by days.
beforeAll(async () => {
  world = await startWorld();
  implicit = shopOf(world, 'alpha', 'implicit');
  explicit = shopOf(world, 'alpha', 'explicit');
});
afterAll(() => world?.stop());

const advance = async (advanceMs: number) => {
  const answer = await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs });
  expect([answer.status, answer.body]).toEqual([200, { now: expect.any(String) }]);
  return answer;
};
const typesOf = async (shop: Shop, orderId: string): Promise<string[]> =>
  (await shop.operations({ orderId, sortIn: 'ASC' })).body.operations.map(
    ({ operationType, operationResult }: Record<string, string>) => `${operationType} ${operationResult}`,
  );
const codeOf = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) => [
  status,
  body.errors?.[0]?.code,
];

async function authorization(changes: OrderChanges = {}): Promise<{ orderId: string; operationId: string }> {
  const { finalized, orderId } = await payWithFields(world, explicit, changes);
  expect(finalized.body.operation.operationResult).toBe('AUTHORIZED');
  return { orderId, operationId: finalized.body.operation.operationId };
}

describe('captureType', () => {
  const authorized = ['AUTHORIZATION AUTHORIZED'];
  const captured = ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED'];

  it.each([
    ['explicit', 'EXPLICIT', authorized],
    ['explicit', undefined, authorized],
    ['explicit', null, authorized],
    ['explicit', 'IMPLICIT', captured],
    ['implicit', undefined, captured],
    ['implicit', null, captured],
    ['implicit', 'IMPLICIT', captured],
  ] as const)('terminal %s and %s sent', async (terminal, captureType, expected) => {
    const shop = terminal === 'implicit' ? implicit : explicit;
    const { orderId } = await payWithFields(world, shop, { paymentSession: { captureType } });
    expect((await typesOf(shop, orderId)).sort()).toEqual(expected);
  });

  it.each(['EXPLICIT', 'DEFERRED', 'FILE'])('terminal implicit refuses %s', async (captureType) => {
    expect(codeOf(await implicit.build({ paymentSession: { captureType } }))).toEqual([400, 'PS0026']);
  });

  it('DEFERRED captures after a day of the one clock, FILE with the next batch', async () => {
    const deferred = await payWithFields(world, explicit, { paymentSession: { captureType: 'DEFERRED' } });
    const filed = await payWithFields(world, explicit, { paymentSession: { captureType: 'FILE' } });
    expect(await typesOf(explicit, deferred.orderId)).toEqual(authorized);
    await advance(dayMs + 60_000);
    await eventually(async () => (await typesOf(explicit, deferred.orderId)).length === 2);
    expect((await typesOf(explicit, deferred.orderId)).sort()).toEqual(captured);
    expect(await typesOf(explicit, filed.orderId)).toEqual(authorized);
    expect((await sandboxCall(world, 'POST', '/sandbox/capture-batch')).status).toBe(200);
    expect((await typesOf(explicit, filed.orderId)).sort()).toEqual(captured);
  });
});

describe('captures, refunds and cancels', () => {
  it('captures in parts, refunds what was captured, and is notified of each', async () => {
    const inbox = openInbox(world);
    const { orderId, operationId } = await authorization({ paymentSession: { notificationUrl: inbox.url } });
    const part = await explicit.post('captures', operationId, {
      amount: '2000',
      currency: 'EUR',
      description: 'first parcel',
    });
    expect([part.status, Object.keys(part.body).sort()]).toEqual([200, ['operationId', 'operationTime']]);
    expect(part.body.operationTime).toMatch(/\+01:00$/);
    expect(codeOf(await explicit.post('captures', operationId, { amount: '3001' }))).toEqual([400, 'PS0026']);
    const withScript = { description: '<script>alert(1)</script>' };
    expect(codeOf(await explicit.post('captures', operationId, withScript))).toEqual([400, 'PS0041']);
    expect((await explicit.post('captures', operationId)).status).toBe(200);
    expect(codeOf(await explicit.post('captures', operationId, { amount: '1' }))).toEqual([400, 'PS0023']);
    expect(codeOf(await explicit.post('refunds', part.body.operationId, { amount: '2001' }))).toEqual([400, 'PS0029']);
    expect((await explicit.post('refunds', part.body.operationId, { amount: '500' })).status).toBe(200);
    expect((await explicit.post('refunds', part.body.operationId)).status).toBe(200);
    expect(codeOf(await explicit.post('refunds', part.body.operationId))).toEqual([400, 'PS0027']);
    const { orderStatus } = (await explicit.order(orderId)).body;
    expect(orderStatus).toMatchObject({
      authorizedAmount: '5000',
      capturedAmount: '5000',
      lastOperationType: 'REFUND',
    });
    const notified = await inbox.atLeast(5);
    // Notifications may overtake one another; each says which operation it is about.
    const told = notified.map(({ body }) => `${body.operation.operationType} ${body.operation.operationAmount}`);
    expect(told.sort()).toEqual(['AUTHORIZATION 5000', 'CAPTURE 2000', 'CAPTURE 3000', 'REFUND 1500', 'REFUND 500']);
  });

  it('a refund of an uncaptured authorization voids it, and nothing follows', async () => {
    const { orderId, operationId } = await authorization();
    expect((await explicit.post('refunds', operationId)).status).toBe(200);
    expect((await typesOf(explicit, orderId)).sort()).toEqual(['AUTHORIZATION AUTHORIZED', 'VOID VOIDED']);
    expect(codeOf(await explicit.post('captures', operationId))).toEqual([400, 'PS0022']);
    expect(codeOf(await explicit.post('refunds', operationId))).toEqual([400, 'PS0028']);
  });

  it('a capture is cancelled on its own day only', async () => {
    const today = await authorization();
    const captured = (await explicit.post('captures', today.operationId)).body;
    const cancelled = await explicit.post('cancels', captured.operationId);
    expect(cancelled.status).toBe(200);
    const { body } = await explicit.call('GET', `/api/v1/operations/${cancelled.body.operationId}`);
    expect(body).toMatchObject({
      operationType: 'CANCEL',
      operationResult: 'VOIDED',
      cancelledOperationId: captured.operationId,
    });
    expect(codeOf(await explicit.post('cancels', captured.operationId))).toEqual([400, 'PS0028']);
    const late = await authorization();
    const old = (await explicit.post('captures', late.operationId)).body;
    await advance(dayMs);
    expect(codeOf(await explicit.post('cancels', old.operationId))).toEqual([400, 'PS0002']);
  });

  it('need an Idempotency-Key that stays with its request', async () => {
    const { operationId } = await authorization();
    const path = `/api/v1/operations/${operationId}/captures`;
    const without = await explicit.call('POST', path, {});
    expect(codeOf(without)).toEqual([400, 'PS0025']);
    expect(String(without.headers['x-error-detail']).split('; ').slice(0, 2)).toEqual([
      'idempotencyKeyMissing',
      'field=Idempotency-Key',
    ]);
    const key = randomUUID();
    const [first, again] = [
      await explicit.post('captures', operationId, { amount: '10' }, key),
      await explicit.post('captures', operationId, { amount: '10' }, key),
    ];
    expect(again.body).toEqual(first.body);
    expect(codeOf(await explicit.post('captures', operationId, { amount: '11' }, key))).toEqual([400, 'PS0025']);
  });

  it('of 24 captures of everything at once one succeeds', async () => {
    const { orderId, operationId } = await authorization();
    const answers = judged(await Promise.all(Array.from({ length: 24 }, () => explicit.post('captures', operationId))));
    expect(answers.map(codeOf).sort()).toEqual([
      [200, undefined],
      ...Array.from({ length: answers.length - 1 }, () => [400, 'PS0023']),
    ]);
    expect((await typesOf(explicit, orderId)).sort()).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
  });

  it('an authorization expires after seven days of the one clock', async () => {
    const { orderId, operationId } = await authorization();
    await advance(7 * dayMs + 60_000);
    expect(codeOf(await explicit.post('captures', operationId))).toEqual([400, 'PS0022']);
    expect(await typesOf(explicit, orderId)).toEqual(['AUTHORIZATION AUTHORIZED']);
  });
});

describe('sessions', () => {
  it('sixteen finalizes at once pay once', async () => {
    const orderId = newOrderId();
    const { sessionId } = (await implicit.build({ order: { orderId } })).body;
    await enterCard(world, sessionId, cards.visa);
    const answers = judged(await Promise.all(Array.from({ length: 16 }, () => implicit.finalize(sessionId))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.operation.operationId)).size).toBe(1);
    expect((await typesOf(implicit, orderId)).sort()).toEqual(['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']);
  });

  it('end by build/cancel and by half an hour of silence', async () => {
    for (const end of [(id: string) => implicit.endSession(id), () => advance(31 * 60_000)]) {
      const orderId = newOrderId();
      const { sessionId } = (await implicit.build({ order: { orderId } })).body;
      expect((await end(sessionId)).status).toBe(200);
      const { body } = await implicit.state(sessionId);
      expect(body).toMatchObject({
        state: 'PAYMENT_COMPLETE',
        operation: { operationType: 'CANCEL', operationResult: 'CANCELED' },
      });
      await eventually(async () => (await typesOf(implicit, orderId)).join() === 'CANCEL CANCELED');
    }
  });

  it('version 3 waits for the page, version 2 does not exist', async () => {
    expect(codeOf(await implicit.build({ more: { version: '2' } }))).toEqual([400, 'PS0026']);
    const { finalized } = await payWithFields(world, implicit, { more: { version: '3' } });
    expect(finalized.body).toMatchObject({ state: 'PAYMENT_COMPLETE', operation: { operationResult: 'AUTHORIZED' } });
  });

  it('an orderId is free again only after a failure', async () => {
    const orderId = newOrderId();
    await payWithFields(world, implicit, { number: cards.declined, order: { orderId } });
    await payWithFields(world, implicit, { order: { orderId } });
    expect(codeOf(await implicit.build({ order: { orderId } }))).toEqual([400, 'GW0007']);
    expect(codeOf(await implicit.hostedPage({ order: { orderId } }))).toEqual([400, 'GW0007']);
    expect(await typesOf(implicit, orderId)).toHaveLength(3);
  });

  it('a contract made at the first payment is charged without the payer', async () => {
    const contractId = `c-${randomUUID().slice(0, 8)}`;
    await payWithFields(world, implicit, {
      paymentSession: { recurrence: { action: 'CONTRACT_CREATION', contractId, contractType: 'MIT_UNSCHEDULED' } },
    });
    const later = await implicit.build({
      paymentSession: { recurrence: { action: 'SUBSEQUENT_PAYMENT', contractId, contractType: 'MIT_UNSCHEDULED' } },
    });
    expect(later.body.state).toBe('READY_FOR_PAYMENT');
    const { body } = await implicit.finalize(later.body.sessionId);
    expect(body.operation).toMatchObject({ operationResult: 'AUTHORIZED', channel: 'BACKOFFICE' });
    const { operations } = (await implicit.operations({ contractId })).body;
    expect(operations.length).toBeGreaterThanOrEqual(2);
    const unknown = await implicit.build({
      paymentSession: { recurrence: { action: 'SUBSEQUENT_PAYMENT', contractId: 'nobody' } },
    });
    expect(codeOf(unknown)).toEqual([400, 'PS0017']);
  });

  it('VERIFY checks a card without money', async () => {
    const { finalized } = await payWithFields(world, implicit, { paymentSession: { actionType: 'VERIFY' } });
    expect(finalized.body.operation).toMatchObject({
      operationType: 'CARD_VERIFICATION',
      operationResult: 'AUTHORIZED',
      operationAmount: '0',
    });
  });
});
