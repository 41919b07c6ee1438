// When an authorization has died, and what that makes of its payment (2.2-A of the decision register; the janitor looks for them).
import type { Payment, PaymentEntry } from '../payment/payment';
import { decideTransition } from '../payment/transitions';

export function isExpired({ authorizationExpiresAt }: Payment, now: Date): boolean {
  return authorizationExpiresAt !== null && authorizationExpiresAt <= now;
}

/** The payment afterwards, and the authorization that its event tells of; null when nothing of it can expire any more. */
export function decideExpiry(payment: Payment, now: Date): { next: Payment; authorization: PaymentEntry } | null {
  const state = decideTransition(payment.state, 'EXPIRED');
  const authorization = payment.entries.find(({ result }) => result === 'AUTHORIZED');
  if (!state || !authorization) return null;
  return {
    authorization,
    next: {
      ...payment,
      state,
      captureDueAt: null,
      updatedAt: now,
      version: payment.version + 1,
      sequence: payment.sequence + 1,
    },
  };
}
