// Money core, after the charge: capture, refund, void, cancel on a real database: results and refusals (payment interface; 2.2-A, 2.2-B and 2.6 of the decision register).
import { newId } from '../../subgraphs/shared/ids';
import { chargeFresh, contextOf, hourMs, type MoneyWorld, openMoneyWorld, openPayment, refusal } from './money-world';

let world: MoneyWorld;
beforeAll(async () => {
  world = await openMoneyWorld();
});
afterAll(() => world.close());

const alpha = () => contextOf(world.alpha);

describe('capture', () => {
  it('takes parts until nothing is left', async () => {
    const { payment, operation } = await chargeFresh(world);
    const { operationId } = operation;
    const first = await world.money.capture(alpha(), { operationId, amountMinor: 4_000n });
    expect(first.operation).toMatchObject({
      type: 'CAPTURE',
      result: 'EXECUTED',
      parentOperationId: operationId,
      channel: 'BACKOFFICE',
      amountMinor: 4_000n,
      instrumentInfo: '424242******4242',
    });
    expect(first.payment.state).toBe('PartiallyCaptured');
    expect(await refusal(world.money.capture(alpha(), { operationId, amountMinor: 6_001n }))).toBe(
      'amountAboveAuthorized',
    );
    const rest = await world.money.capture(alpha(), { paymentId: payment.paymentId });
    expect(rest.operation.amountMinor).toBe(6_000n);
    expect(rest.payment).toMatchObject({ state: 'Captured', capturedMinor: 10_000n, sequence: 3 });
    expect(await refusal(world.money.capture(alpha(), { operationId }))).toBe('operationCaptured');
    expect(await refusal(world.money.capture(alpha(), { paymentId: payment.paymentId }))).toBe('invalidState');
  });

  it('is refused on what is no live authorization', async () => {
    const { operation, payment } = await chargeFresh(world);
    const { operationId } = operation;
    expect(await refusal(world.money.capture(contextOf(world.beta), { operationId }))).toBe('notFound');
    expect(await refusal(world.money.capture(alpha(), { operationId: newId() }))).toBe('notFound');
    expect(await refusal(world.money.capture(alpha(), { operationId, currency: 'USD' }))).toBe('currencyMismatch');
    expect(await refusal(world.money.capture(alpha(), { operationId, amountMinor: 0n }))).toBe('amountInvalid');
    await world.money.voidAuthorization(alpha(), { operationId });
    expect(await refusal(world.money.capture(alpha(), { operationId }))).toBe('operationVoided');
    expect(await refusal(world.money.capture(alpha(), { paymentId: payment.paymentId }))).toBe('invalidState');
    const fresh = await openPayment(world);
    expect(await refusal(world.money.capture(alpha(), { paymentId: fresh.paymentId }))).toBe('invalidState');
    const sold = await chargeFresh(world, { captureNow: true });
    await world.money.refund(alpha(), { paymentId: sold.payment.paymentId });
    expect(await refusal(world.money.capture(alpha(), { operationId: sold.operation.operationId }))).toBe(
      'operationRefunded',
    );
  });
});

it('an authorization and the capture that came with it have one time, and ids in their order', async () => {
  for (let count = 0; count < 8; count += 1) {
    const { payment } = await chargeFresh(world, { captureNow: true });
    const [authorization, capture] = payment.entries;
    expect([authorization?.type, capture?.type, capture?.time]).toEqual([
      'AUTHORIZATION',
      'CAPTURE',
      authorization?.time,
    ]);
    expect([payment.entries.map(({ operationId }) => operationId).sort()[0]]).toEqual([authorization?.operationId]);
  }
});

describe('refund', () => {
  it('gives back parts of a capture until nothing is left', async () => {
    const { operation } = await chargeFresh(world);
    const { operation: capture } = await world.money.capture(alpha(), { operationId: operation.operationId });
    const { operationId } = capture;
    const part = await world.money.refund(alpha(), { operationId, amountMinor: 2_500n, reason: 'damaged' });
    expect(part.operation).toMatchObject({
      type: 'REFUND',
      result: 'REFUNDED',
      parentOperationId: operationId,
      reason: 'damaged',
    });
    expect(part.payment.state).toBe('PartiallyRefunded');
    expect(await refusal(world.money.refund(alpha(), { operationId, amountMinor: 7_501n }))).toBe(
      'amountAboveCaptured',
    );
    const rest = await world.money.refund(alpha(), { operationId });
    expect(rest.payment).toMatchObject({ state: 'Refunded', refundedMinor: 10_000n });
    expect(await refusal(world.money.refund(alpha(), { operationId }))).toBe('alreadyRefunded');
  });

  it('of one capture leaves the other one whole', async () => {
    const { operation } = await chargeFresh(world);
    const { operationId } = operation;
    const first = await world.money.capture(alpha(), { operationId, amountMinor: 3_000n });
    const second = await world.money.capture(alpha(), { operationId, amountMinor: 7_000n });
    const target = { operationId: first.operation.operationId };
    expect(await refusal(world.money.refund(alpha(), { ...target, amountMinor: 3_001n }))).toBe('amountAboveCaptured');
    await world.money.refund(alpha(), target);
    expect(await refusal(world.money.refund(alpha(), target))).toBe('alreadyRefunded');
    const last = await world.money.refund(alpha(), { operationId: second.operation.operationId });
    expect(last.payment.state).toBe('Refunded');
  });

  it('of an authorization that was not captured voids it', async () => {
    const { operation } = await chargeFresh(world);
    const { operationId } = operation;
    expect(await refusal(world.money.refund(alpha(), { operationId, amountMinor: 1n }))).toBe('amountAboveCaptured');
    const undone = await world.money.refund(alpha(), { operationId });
    expect(undone.operation).toMatchObject({ type: 'VOID', result: 'VOIDED', cancelledOperationId: operationId });
    expect(undone.payment.state).toBe('Cancelled');
    expect(await refusal(world.money.refund(alpha(), { operationId }))).toBe('alreadyVoided');
  });

  it('by payment is refused before anything was captured', async () => {
    const { payment } = await chargeFresh(world);
    expect(await refusal(world.money.refund(alpha(), { paymentId: payment.paymentId }))).toBe('invalidState');
  });
});

describe('void', () => {
  it('undoes a whole authorization, once', async () => {
    const { payment, operation } = await chargeFresh(world);
    const { paymentId } = payment;
    const undone = await world.money.voidAuthorization(alpha(), { paymentId });
    expect(undone.operation).toMatchObject({ type: 'VOID', result: 'VOIDED', amountMinor: 10_000n });
    expect(undone.payment.state).toBe('Cancelled');
    expect(await refusal(world.money.voidAuthorization(alpha(), { paymentId }))).toBe('invalidState');
    const again = world.money.voidAuthorization(alpha(), { operationId: operation.operationId });
    expect(await refusal(again)).toBe('alreadyVoided');
  });

  it('is refused once money moved, and before there is an authorization', async () => {
    const { payment } = await chargeFresh(world);
    const { paymentId } = payment;
    await world.money.capture(alpha(), { paymentId, amountMinor: 1n });
    expect(await refusal(world.money.voidAuthorization(alpha(), { paymentId }))).toBe('alreadyCaptured');
    const fresh = await openPayment(world);
    expect(await refusal(world.money.voidAuthorization(alpha(), { paymentId: fresh.paymentId }))).toBe('invalidState');
  });
});

describe('cancelling a capture', () => {
  it('brings the authorization back, which can then be voided', async () => {
    const { payment } = await chargeFresh(world, { captureNow: true });
    const operationId = payment.entries[1]?.operationId ?? '';
    const undone = await world.money.cancelCapture(alpha(), { operationId });
    expect(undone.operation).toMatchObject({ type: 'CANCEL', result: 'VOIDED', cancelledOperationId: operationId });
    expect(undone.payment).toMatchObject({ state: 'Authorized', capturedMinor: 0n });
    expect(undone.payment.authorizationExpiresAt).not.toBeNull();
    expect(await refusal(world.money.cancelCapture(alpha(), { operationId }))).toBe('alreadyVoided');
    const { payment: over } = await world.money.voidAuthorization(alpha(), { paymentId: payment.paymentId });
    expect(over.state).toBe('Cancelled');
  });

  it('is refused for an authorization, and for a capture that was refunded from', async () => {
    const { payment, operation } = await chargeFresh(world, { captureNow: true });
    const { operationId } = operation;
    expect(await refusal(world.money.cancelCapture(alpha(), { operationId }))).toBe('invalidState');
    await world.money.refund(alpha(), { paymentId: payment.paymentId, amountMinor: 1n });
    const capture = payment.entries[1]?.operationId ?? '';
    expect(await refusal(world.money.cancelCapture(alpha(), { operationId: capture }))).toBe('operationRefunded');
  });

  it('is refused after its own day at +01:00', async () => {
    const { payment } = await chargeFresh(world, { captureNow: true });
    world.clock.advance(13 * hourMs - 1);
    const operationId = payment.entries[1]?.operationId ?? '';
    const later = await chargeFresh(world, { captureNow: true });
    world.clock.advance(1);
    expect(world.clock.now().toISOString()).toBe('2026-11-21T23:00:00.000Z');
    for (const id of [operationId, later.payment.entries[1]?.operationId ?? ''])
      expect(await refusal(world.money.cancelCapture(alpha(), { operationId: id }))).toBe('cancelTooLate');
  });
});
