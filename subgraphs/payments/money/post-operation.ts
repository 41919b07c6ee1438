// What capture, refund, void and cancel have in common: what is asked, the entries that it is about, and the operation that it becomes (payment service, ordering rules; 2.2-B and 2.2-D of the decision register).
import { DomainError } from '../../shared/errors';
import type { OperationType } from '../../shared/vocabulary/operation';
import type { AcquirerOrderKind } from '../connectors/acquirer';
import { chargeTypes, kindFor, type OperationPlan, type PlannedCall } from '../payment/acquirer-call';
import type { Payment, PaymentEntry } from '../payment/payment';
import type { PostOperation } from './money';

/** A post-operation and, when the caller named one, the operation that it acts on. */
export interface Asked {
  payment: Payment;
  target: PaymentEntry | null;
  input: PostOperation;
  now: Date;
}

/** An entry that holds a reservation: what captures act on. */
export function isCharge({ type, result }: PaymentEntry): boolean {
  return chargeTypes.has(type) && type !== 'CARD_VERIFICATION' && (result === 'AUTHORIZED' || result === 'EXECUTED');
}

export function isCapture({ type, result }: PaymentEntry): boolean {
  return type === 'CAPTURE' && result === 'EXECUTED';
}

export function isUndone(payment: Payment, { operationId }: PaymentEntry): boolean {
  return payment.entries.some((entry) => entry.result === 'VOIDED' && entry.cancelledOperationId === operationId);
}

export function refundableOf(payment: Payment, { operationId, amountMinor }: PaymentEntry): bigint {
  return payment.entries
    .filter((entry) => entry.result === 'REFUNDED' && entry.parentOperationId === operationId)
    .reduce((left, entry) => left - entry.amountMinor, amountMinor);
}

export function authorizationOf(payment: Payment): PaymentEntry | null {
  return payment.entries.find(isCharge) ?? null;
}

export function planned(
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

export function postOperationAmountOf({ amountMinor }: PostOperation, left: bigint): bigint {
  const amount = amountMinor ?? left;
  if (amount <= 0n) throw new DomainError('amountInvalid', 'amount is zero', { field: 'amount' });
  return amount;
}

export function checkWhole({ amountMinor }: PostOperation, whole: bigint): void {
  if (amountMinor !== null && amountMinor !== undefined && amountMinor !== whole)
    throw new DomainError('invalidInput', 'amount differs from the whole amount, and a part cannot be undone', {
      field: 'amount',
    });
}

export function checkCurrency(payment: Payment, { currency }: PostOperation): void {
  if (currency && currency !== payment.currency)
    throw new DomainError('currencyMismatch', 'currency differs from that of the payment', { field: 'currency' });
}

export function wrongState({ state }: Payment, participle: string): DomainError {
  return new DomainError('invalidState', `The payment is ${state} and cannot be ${participle}.`);
}

export function wrongTarget({ type, result }: PaymentEntry, participle: string): DomainError {
  return new DomainError('invalidState', `An operation ${type} with result ${result} cannot be ${participle}.`);
}
