// Whether a capture may be taken back on its own day (2.2-B and 2.2-D of the decision register).
import { DomainError } from '../../shared/errors';
import { printFixedOffset } from '../../shared/time';
import type { PlannedCall } from '../payment/acquirer-call';
import {
  type Asked,
  checkCurrency,
  checkWhole,
  isCapture,
  isUndone,
  planned,
  refundableOf,
  wrongState,
  wrongTarget,
} from './post-operation';

/** Takes back a whole capture of today (+01:00). Refuses with invalidState, cancelTooLate, alreadyVoided, operationRefunded, invalidInput, currencyMismatch. */
export function decideCancelCapture({ payment, target, input, now }: Asked): PlannedCall {
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

/** Calendar day at +01:00. */
function dayOf(date: Date): string {
  return printFixedOffset(date).slice(0, 10);
}
