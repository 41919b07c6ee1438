// Every pair of operationType and operationResult that can occur, and how it comes about: drives a test and is printed in docs/payments.md (hosted checkout, Operation object; 2.6 of the decision register).
import { type AcquirerResult, acquirerResults } from '../../subgraphs/payments/connectors/acquirer';
import type { PaymentState } from '../../subgraphs/payments/payment/payment';
import type { OperationResult, OperationType } from '../../subgraphs/shared/vocabulary/operation';

/** How the result is learned: by an answer of the acquirer, by one of an alternative method, or without asking anybody. */
export type How =
  | { by: 'acquirer' | 'method'; answer: AcquirerResult }
  | { by: 'record'; because: 'the payer gives up' | 'the authentication failed' | 'the card was checked' };

export interface ResultRow {
  type: OperationType;
  how: How;
  result: OperationResult;
  from: PaymentState;
  to: PaymentState;
}

type Said = Partial<Record<AcquirerResult, [OperationResult, PaymentState]>>;

/** What an acquirer may say to a first charge; only its success differs by type. */
const charged = (success: PaymentState): Said => ({
  APPROVED: ['AUTHORIZED', success],
  DECLINED: ['DECLINED', 'Declined'],
  DENIED_BY_RISK: ['DENIED_BY_RISK', 'Declined'],
  FAILED: ['FAILED', 'Failed'],
  CANCELLED: ['CANCELED', 'Cancelled'],
  PENDING: ['PENDING', 'Unknown'],
});

/** What it may say to whatever acts on an authorization: unless it succeeds, the payment stays as it was. */
const acted = (from: PaymentState, success: [OperationResult, PaymentState], refused: OperationResult): Said => ({
  APPROVED: success,
  DECLINED: [refused, from],
  DENIED_BY_RISK: ['DENIED_BY_RISK', from],
  FAILED: ['FAILED', from],
  CANCELLED: ['CANCELED', from],
  PENDING: ['PENDING', 'Unknown'],
});

const rowsOf = (type: OperationType, from: PaymentState, said: Said, by: 'acquirer' | 'method' = 'acquirer') =>
  acquirerResults.flatMap((answer): ResultRow[] => {
    const [result, to] = said[answer] ?? [];
    return result && to ? [{ type, how: { by, answer }, result, from, to }] : [];
  });

const failedAuthentication = (type: OperationType): ResultRow => ({
  type,
  how: { by: 'record', because: 'the authentication failed' },
  result: 'THREEDS_FAILED',
  from: 'Created',
  to: 'Failed',
});

export const resultRows: readonly ResultRow[] = [
  ...rowsOf('AUTHORIZATION', 'Created', charged('Authorized')),
  ...rowsOf('AUTHORIZATION', 'Created', { ...charged('Captured'), APPROVED: ['EXECUTED', 'Captured'] }, 'method'),
  failedAuthentication('AUTHORIZATION'),
  ...rowsOf('CARD_VERIFICATION', 'Created', charged('Verified')),
  failedAuthentication('CARD_VERIFICATION'),
  {
    type: 'CARD_CHECK',
    how: { by: 'record', because: 'the card was checked' },
    result: 'THREEDS_VALIDATED',
    from: 'Created',
    to: 'PendingCustomer',
  },
  failedAuthentication('CARD_CHECK'),
  ...rowsOf('NOSHOW', 'Created', charged('Authorized')),
  ...rowsOf('DELAY_CHARGE', 'Created', charged('Authorized')),
  ...rowsOf('INCREMENTAL', 'Authorized', acted('Authorized', ['AUTHORIZED', 'Authorized'], 'DECLINED')),
  ...rowsOf('CAPTURE', 'Authorized', acted('Authorized', ['EXECUTED', 'Captured'], 'DENIED')),
  ...rowsOf('REFUND', 'Captured', acted('Captured', ['REFUNDED', 'Refunded'], 'DENIED')),
  ...rowsOf('VOID', 'Authorized', acted('Authorized', ['VOIDED', 'Cancelled'], 'DENIED')),
  ...rowsOf('CANCEL', 'Captured', acted('Captured', ['VOIDED', 'Authorized'], 'DENIED')),
  {
    type: 'CANCEL',
    how: { by: 'record', because: 'the payer gives up' },
    result: 'CANCELED',
    from: 'Created',
    to: 'Cancelled',
  },
];

export function printHow(how: How): string {
  return how.by === 'record' ? how.because : `the ${how.by} answers ${how.answer}`;
}
