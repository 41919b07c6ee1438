// The one table of payment states: it drives the code, the documentation and the tests (payment service, States; 2.2-A of the decision register).
import type { Payment, PaymentState } from './payment';

/** Facts about a payment that move it from one state to another. */
const paymentTriggers = [
  'PAGE_OPENED',
  'CHALLENGE_SHOWN',
  'METHOD_COLLECTED',
  'VERIFIED',
  'AUTHORIZED',
  'DECLINED',
  'FAILED',
  'PAYER_CANCELLED',
  'CAPTURED_IN_PART',
  'CAPTURED_IN_FULL',
  'REFUNDED_IN_PART',
  'REFUNDED_IN_FULL',
  'VOIDED',
  'EXPIRED',
  'OUTCOME_UNKNOWN',
] as const;
export type PaymentTrigger = (typeof paymentTriggers)[number];

/** Where a payment waits for its payer: nothing was charged yet. */
const beforeCharge = {
  PAGE_OPENED: 'PendingCustomer',
  CHALLENGE_SHOWN: 'PendingAuthentication',
  METHOD_COLLECTED: 'PendingCustomer',
  VERIFIED: 'Verified',
  AUTHORIZED: 'Authorized',
  CAPTURED_IN_FULL: 'Captured',
  DECLINED: 'Declined',
  FAILED: 'Failed',
  PAYER_CANCELLED: 'Cancelled',
  OUTCOME_UNKNOWN: 'Unknown',
} as const satisfies Partial<Record<PaymentTrigger, PaymentState>>;

/** State × trigger -> state. A trigger that is missing in a row is refused there; a row that is empty is final. */
export const transitions: Readonly<Record<PaymentState, Readonly<Partial<Record<PaymentTrigger, PaymentState>>>>> = {
  Created: beforeCharge,
  PendingCustomer: beforeCharge,
  // The page may be opened again beside the challenge; that takes nothing back.
  PendingAuthentication: { ...beforeCharge, PAGE_OPENED: 'PendingAuthentication' },
  Verified: {},
  Authorized: {
    AUTHORIZED: 'Authorized',
    CAPTURED_IN_PART: 'PartiallyCaptured',
    CAPTURED_IN_FULL: 'Captured',
    VOIDED: 'Cancelled',
    EXPIRED: 'Expired',
    OUTCOME_UNKNOWN: 'Unknown',
  },
  PartiallyCaptured: {
    AUTHORIZED: 'Authorized',
    CAPTURED_IN_PART: 'PartiallyCaptured',
    CAPTURED_IN_FULL: 'Captured',
    REFUNDED_IN_PART: 'PartiallyRefunded',
    REFUNDED_IN_FULL: 'Refunded',
    OUTCOME_UNKNOWN: 'Unknown',
  },
  Captured: {
    AUTHORIZED: 'Authorized',
    CAPTURED_IN_PART: 'PartiallyCaptured',
    REFUNDED_IN_PART: 'PartiallyRefunded',
    REFUNDED_IN_FULL: 'Refunded',
    OUTCOME_UNKNOWN: 'Unknown',
  },
  PartiallyRefunded: {
    REFUNDED_IN_PART: 'PartiallyRefunded',
    REFUNDED_IN_FULL: 'Refunded',
    OUTCOME_UNKNOWN: 'Unknown',
  },
  Refunded: {},
  Cancelled: {},
  Declined: {},
  Failed: {},
  Expired: {},
  // What the acquirer says in the end: the outcome of the call, or the money as it stood before it.
  Unknown: {
    VERIFIED: 'Verified',
    AUTHORIZED: 'Authorized',
    DECLINED: 'Declined',
    FAILED: 'Failed',
    PAYER_CANCELLED: 'Cancelled',
    CAPTURED_IN_PART: 'PartiallyCaptured',
    CAPTURED_IN_FULL: 'Captured',
    REFUNDED_IN_PART: 'PartiallyRefunded',
    REFUNDED_IN_FULL: 'Refunded',
    VOIDED: 'Cancelled',
    OUTCOME_UNKNOWN: 'Unknown',
  },
};

/** Null: the state does not allow it. */
export function decideTransition(state: PaymentState, trigger: PaymentTrigger): PaymentState | null {
  return transitions[state][trigger] ?? null;
}

/** What the amounts alone say about a payment whose authorization succeeded. */
export function moneyTrigger({
  authorizedMinor,
  capturedMinor,
  refundedMinor,
}: Pick<Payment, 'authorizedMinor' | 'capturedMinor' | 'refundedMinor'>): PaymentTrigger {
  if (refundedMinor > 0n) return refundedMinor >= capturedMinor ? 'REFUNDED_IN_FULL' : 'REFUNDED_IN_PART';
  if (capturedMinor > 0n) return capturedMinor >= authorizedMinor ? 'CAPTURED_IN_FULL' : 'CAPTURED_IN_PART';
  return 'AUTHORIZED';
}
