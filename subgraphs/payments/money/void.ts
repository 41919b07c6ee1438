// Whether a whole authorization may be given back before anything was captured (payment service, Cancel; 2.2-B of the decision register).
import { DomainError } from '../../shared/errors';
import type { PlannedCall } from '../payment/acquirer-call';
import { isExpired } from './expire';
import {
  type Asked,
  authorizationOf,
  checkCurrency,
  checkWhole,
  isCharge,
  planned,
  wrongState,
  wrongTarget,
} from './post-operation';

/** Refuses with invalidState, alreadyCaptured, alreadyVoided, authorizationExpired, invalidInput, currencyMismatch. */
export function decideVoid({ payment, target, input, now }: Asked): PlannedCall {
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
