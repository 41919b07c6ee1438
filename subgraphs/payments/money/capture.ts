// Whether an authorization may be captured, whole or in part, and what the acquirer is asked then (payment service, ordering rules; 2.2-B of the decision register).
import { DomainError } from '../../shared/errors';
import type { PlannedCall } from '../payment/acquirer-call';
import { type Payment, type PaymentEntry, takingOver } from '../payment/payment';
import { isExpired } from './expire';
import {
  type Asked,
  authorizationOf,
  checkCurrency,
  isCharge,
  planned,
  postOperationAmountOf,
  wrongState,
  wrongTarget,
} from './post-operation';

/** Refuses with invalidState, amountInvalid, amountAboveAuthorized, authorizationExpired, operationVoided, operationCaptured, operationRefunded, currencyMismatch. */
export function decideCapture({ payment, target, input, now }: Asked): PlannedCall {
  checkCurrency(payment, input);
  if (target) checkCaptureTarget(payment, target);
  const isOpen = payment.state === 'Authorized' || payment.state === 'PartiallyCaptured';
  if (payment.state === 'Expired' || (isOpen && isExpired(payment, now))) throw new DomainError('authorizationExpired');
  const isLeft = input.isAutomatic && payment.entries.some(({ type }) => takingOver.has(type));
  if (!isOpen || isLeft) throw wrongState(payment, 'captured');
  const left = payment.authorizedMinor - payment.capturedMinor;
  // The amount of a capture is without the fee, which goes with the first one.
  const feeMinor = payment.capturedMinor === 0n && input.amountMinor ? payment.feeMinor : 0n;
  const amountMinor = postOperationAmountOf(input, left) + feeMinor;
  if (amountMinor > left) throw new DomainError('amountAboveAuthorized', undefined, { field: 'amount' });
  const parent = target ?? authorizationOf(payment);
  return planned(payment, input, 'capture', {
    type: 'CAPTURE',
    amountMinor,
    parentOperationId: parent?.operationId ?? null,
    cancelledOperationId: null,
  });
}

function checkCaptureTarget(payment: Payment, target: PaymentEntry): void {
  if (!isCharge(target)) throw wrongTarget(target, 'captured');
  if (payment.state === 'Cancelled') throw new DomainError('operationVoided');
  if (payment.state === 'PartiallyRefunded' || payment.state === 'Refunded') throw new DomainError('operationRefunded');
  if (payment.state === 'Captured') throw new DomainError('operationCaptured');
}
