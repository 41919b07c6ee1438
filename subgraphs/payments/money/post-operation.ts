// What may be done with an authorization afterwards: capture, refund, void, cancel; whole or in part (document 2 A, ordering rules; 2.2-B and 2.2-D of the decision register).
import { DomainError } from '../../shared/errors';
import { printFixedOffset } from '../../shared/time';
import type { AcquirerOrderKind } from '../connectors/acquirer';
import type { OperationType } from '../operations/operation';
import type { Payment, PaymentEntry } from '../payment/payment';
import { chargeTypes, kindFor, type OperationPlan, type PlannedCall } from './acquirer-call';
import { isExpired } from './charging';
import type { PostOperation } from './money';

/** A post-operation and, when the caller named one, the operation that it acts on. */
interface Asked {
  payment: Payment;
  target: PaymentEntry | null;
  input: PostOperation;
  now: Date;
}

/** Refuses with invalidState, amountInvalid, amountAboveAuthorized, authorizationExpired, operationVoided, operationCaptured, operationRefunded, currencyMismatch. */
function decideCapture({ payment, target, input, now }: Asked): PlannedCall {
  checkCurrency(payment, input);
  if (target) checkCaptureTarget(payment, target);
  const isOpen = payment.state === 'Authorized' || payment.state === 'PartiallyCaptured';
  if (payment.state === 'Expired' || (isOpen && isExpired(payment, now))) throw new DomainError('authorizationExpired');
  if (!isOpen) throw wrongState(payment, 'captured');
  const left = payment.authorizedMinor - payment.capturedMinor;
  // The amount of a capture is without the fee, which goes with the first one.
  const feeMinor = payment.capturedMinor === 0n && input.amountMinor ? payment.feeMinor : 0n;
  const amountMinor = amountOf(input, left) + feeMinor;
  if (amountMinor > left) throw new DomainError('amountAboveAuthorized', undefined, { field: 'amount' });
  const parent = target ?? authorizationOf(payment);
  return planned(payment, input, 'capture', {
    type: 'CAPTURE',
    amountMinor,
    parentOperationId: parent?.operationId ?? null,
    cancelledOperationId: null,
  });
}

/** A refund, or a void when nothing was captured yet. Refuses with invalidState, amountInvalid, amountAboveCaptured, alreadyRefunded, alreadyVoided, currencyMismatch. */
function decideRefund(asked: Asked): PlannedCall {
  const { payment, target, input } = asked;
  checkCurrency(payment, input);
  if (target && isUndone(payment, target)) throw new DomainError('alreadyVoided');
  if (target && isCharge(target) && payment.state === 'Authorized') return voidInstead(asked);
  if (target && !isCharge(target) && !isCapture(target)) throw wrongTarget(target, 'refunded');
  if (payment.state === 'Refunded') throw new DomainError('alreadyRefunded');
  if (!['PartiallyCaptured', 'Captured', 'PartiallyRefunded'].includes(payment.state))
    throw wrongState(payment, 'refunded');
  const left = min(
    payment.capturedMinor - payment.refundedMinor,
    target && isCapture(target) ? refundableOf(payment, target) : null,
  );
  if (left === 0n) throw new DomainError('alreadyRefunded');
  const amountMinor = amountOf(input, left);
  if (amountMinor > left) throw new DomainError('amountAboveCaptured', undefined, { field: 'amount' });
  const parent = target && isCapture(target) ? target : captureFor(payment, amountMinor);
  return planned(payment, input, 'refund', {
    type: 'REFUND',
    amountMinor,
    parentOperationId: parent?.operationId ?? null,
    cancelledOperationId: null,
  });
}

/** Refuses with invalidState, alreadyCaptured, alreadyVoided, authorizationExpired, invalidInput, currencyMismatch. */
function decideVoid({ payment, target, input, now }: Asked): PlannedCall {
  checkCurrency(payment, input);
  if (target && !isCharge(target)) throw wrongTarget(target, 'voided');
  if (target && payment.state === 'Cancelled') throw new DomainError('alreadyVoided');
  if (payment.capturedMinor > 0n && payment.state !== 'Unknown') throw new DomainError('alreadyCaptured');
  if (payment.state === 'Expired') throw new DomainError('authorizationExpired');
  if (payment.state !== 'Authorized') throw wrongState(payment, 'cancelled');
  if (isExpired(payment, now)) throw new DomainError('authorizationExpired');
  const amountMinor = payment.authorizedMinor;
  checkWhole(input, amountMinor);
  const operationId = (target ?? authorizationOf(payment))?.operationId ?? null;
  return planned(payment, input, 'void', {
    type: 'VOID',
    amountMinor,
    parentOperationId: operationId,
    cancelledOperationId: operationId,
  });
}

/** Takes back a whole capture of today (+01:00). Refuses with invalidState, cancelTooLate, alreadyVoided, operationRefunded, invalidInput, currencyMismatch. */
function decideCancelCapture({ payment, target, input, now }: Asked): PlannedCall {
  checkCurrency(payment, input);
  if (!target || !isCapture(target)) throw target ? wrongTarget(target, 'cancelled') : wrongState(payment, 'cancelled');
  if (isUndone(payment, target)) throw new DomainError('alreadyVoided');
  const isNeeded = payment.capturedMinor - target.amountMinor < payment.refundedMinor;
  if (isNeeded || refundableOf(payment, target) < target.amountMinor) throw new DomainError('operationRefunded');
  if (!['PartiallyCaptured', 'Captured', 'PartiallyRefunded'].includes(payment.state))
    throw wrongState(payment, 'cancelled');
  if (dayOf(target.time) !== dayOf(now)) throw new DomainError('cancelTooLate');
  checkWhole(input, target.amountMinor);
  return planned(payment, input, 'cancelCapture', {
    type: 'CANCEL',
    amountMinor: target.amountMinor,
    parentOperationId: target.parentOperationId,
    cancelledOperationId: target.operationId,
  });
}

/** What can still be done with an operation, for whoever shows choices (2.2-B of the decision register, Post-operations). */
export function possibleActions(payment: Payment, operationId: string, now: Date): PostAction[] {
  const target = payment.entries.find((entry) => entry.operationId === operationId) ?? null;
  if (!target) return [];
  const asked = { payment, target, input: { operationId }, now };
  return (Object.keys(decisions) as PostAction[]).filter((action) => isAllowed(() => decisions[action](asked)));
}

/** Every post-operation by name. */
export const decisions = {
  capture: decideCapture,
  refund: decideRefund,
  void: decideVoid,
  cancelCapture: decideCancelCapture,
} as const;
export type PostAction = keyof typeof decisions;

function isAllowed(decide: () => PlannedCall): boolean {
  try {
    decide();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

function checkCaptureTarget(payment: Payment, target: PaymentEntry): void {
  if (!isCharge(target)) throw wrongTarget(target, 'captured');
  if (payment.state === 'Cancelled') throw new DomainError('operationVoided');
  if (payment.state === 'PartiallyRefunded' || payment.state === 'Refunded') throw new DomainError('operationRefunded');
  if (payment.state === 'Captured') throw new DomainError('operationCaptured');
}

function voidInstead(asked: Asked): PlannedCall {
  const { payment, input } = asked;
  const { amountMinor } = input;
  if (amountMinor !== null && amountMinor !== undefined && amountMinor !== payment.authorizedMinor)
    throw new DomainError(
      'amountAboveCaptured',
      'Nothing was captured yet: only the whole authorization can be given back.',
      {
        field: 'amount',
      },
    );
  return decideVoid(asked);
}

/** An entry that holds a reservation: what captures act on. */
function isCharge({ type, result }: PaymentEntry): boolean {
  return chargeTypes.has(type) && type !== 'CARD_VERIFICATION' && (result === 'AUTHORIZED' || result === 'EXECUTED');
}

function isCapture({ type, result }: PaymentEntry): boolean {
  return type === 'CAPTURE' && result === 'EXECUTED';
}

function isUndone(payment: Payment, { operationId }: PaymentEntry): boolean {
  return payment.entries.some((entry) => entry.result === 'VOIDED' && entry.cancelledOperationId === operationId);
}

function refundableOf(payment: Payment, { operationId, amountMinor }: PaymentEntry): bigint {
  return payment.entries
    .filter((entry) => entry.result === 'REFUNDED' && entry.parentOperationId === operationId)
    .reduce((left, entry) => left - entry.amountMinor, amountMinor);
}

function authorizationOf(payment: Payment): PaymentEntry | null {
  return payment.entries.find(isCharge) ?? null;
}

/** The capture that a refund of the whole payment is booked on: the first that holds the amount; none when only several together do. */
function captureFor(payment: Payment, amountMinor: bigint): PaymentEntry | null {
  const captures = payment.entries.filter((entry) => isCapture(entry) && !isUndone(payment, entry));
  if (captures.length === 0) return authorizationOf(payment);
  return captures.find((entry) => refundableOf(payment, entry) >= amountMinor) ?? null;
}

function planned(
  payment: Payment,
  input: PostOperation,
  kind: AcquirerOrderKind,
  what: Pick<OperationPlan, 'amountMinor' | 'parentOperationId' | 'cancelledOperationId'> & { type: OperationType },
): PlannedCall {
  const { instrument, contractId, sessionId } = payment;
  return {
    kind: kindFor(instrument, kind),
    plan: {
      ...what,
      method: instrument?.method ?? 'CARD',
      circuit: instrument?.circuit ?? null,
      instrument,
      contractId,
      sessionId,
      channel: input.channel ?? 'BACKOFFICE',
      channelDetail: input.channelDetail ?? 'POST_OPERATION',
      description: input.description ?? null,
      reason: input.reason ?? null,
      warnings: input.warnings ?? [],
      additionalData: input.additionalData ?? {},
    },
    captureNow: false,
    isMerchantInitiated: true,
  };
}

function amountOf({ amountMinor }: PostOperation, left: bigint): bigint {
  const amount = amountMinor ?? left;
  if (amount <= 0n) throw new DomainError('amountInvalid', 'amount is zero', { field: 'amount' });
  return amount;
}

function checkWhole({ amountMinor }: PostOperation, whole: bigint): void {
  if (amountMinor !== null && amountMinor !== undefined && amountMinor !== whole)
    throw new DomainError('invalidInput', 'amount differs from the whole amount, and a part cannot be undone', {
      field: 'amount',
    });
}

function checkCurrency(payment: Payment, { currency }: PostOperation): void {
  if (currency && currency !== payment.currency)
    throw new DomainError('currencyMismatch', 'currency differs from that of the payment', { field: 'currency' });
}

function wrongState({ state }: Payment, participle: string): DomainError {
  return new DomainError('invalidState', `The payment is ${state} and cannot be ${participle}.`);
}

function wrongTarget({ type, result }: PaymentEntry, participle: string): DomainError {
  return new DomainError('invalidState', `An operation ${type} with result ${result} cannot be ${participle}.`);
}

function min(a: bigint, b: bigint | null): bigint {
  return b !== null && b < a ? b : a;
}

/** Calendar day at +01:00. */
function dayOf(date: Date): string {
  return printFixedOffset(date).slice(0, 10);
}
