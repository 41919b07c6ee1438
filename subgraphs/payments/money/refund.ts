// Whether captured money may be given back, whole or in part, and of which capture; of an authorization that was not captured it is a void (payment service, ordering rules; 2.2-B of the decision register).
import { DomainError } from '../../shared/errors';
import type { PlannedCall } from '../payment/acquirer-call';
import type { Payment, PaymentEntry } from '../payment/payment';
import {
  type Asked,
  authorizationOf,
  checkCurrency,
  isCapture,
  isCharge,
  isUndone,
  planned,
  postOperationAmountOf,
  refundableOf,
  wrongState,
  wrongTarget,
} from './post-operation';
import { decideVoid } from './void';

/** A refund, or a void when nothing was captured yet. Refuses with invalidState, amountInvalid, amountAboveCaptured, alreadyRefunded, alreadyVoided, currencyMismatch. */
export function decideRefund(asked: Asked): PlannedCall {
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
  const amountMinor = postOperationAmountOf(input, left);
  if (amountMinor > left) throw new DomainError('amountAboveCaptured', undefined, { field: 'amount' });
  const parent = target && isCapture(target) ? target : captureFor(payment, amountMinor);
  return planned(payment, input, 'refund', {
    type: 'REFUND',
    amountMinor,
    parentOperationId: parent?.operationId ?? null,
    cancelledOperationId: null,
  });
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

/** The capture that a refund of the whole payment is booked on: the first that holds the amount; none when only several together do. */
function captureFor(payment: Payment, amountMinor: bigint): PaymentEntry | null {
  const captures = payment.entries.filter((entry) => isCapture(entry) && !isUndone(payment, entry));
  if (captures.length === 0) return authorizationOf(payment);
  return captures.find((entry) => refundableOf(payment, entry) >= amountMinor) ?? null;
}

function min(a: bigint, b: bigint | null): bigint {
  return b !== null && b < a ? b : a;
}
