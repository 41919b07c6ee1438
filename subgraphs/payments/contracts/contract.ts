// Stored consents: a card that may be charged again, under a contractId of family B or a token with its secret of family A (payment interface, recurrence and PaymentWithToken).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { printFixedOffset } from '../../shared/time';
import type { PaymentFamily } from '../operations/operation';
import type { Instrument } from '../payment/instrument';
import type { Payment, PaymentState } from '../payment/payment';

export const contractTypes = ['MIT_UNSCHEDULED', 'MIT_SCHEDULED', 'CIT'] as const;
export type ContractType = (typeof contractTypes)[number];
export const contractStatuses = ['ACTIVE', 'PENDING'] as const;

/** What a payment that stores a contract, or changes it, settles. */
interface AgreedByPayment {
  type: ContractType;
  /** ISO date after which nothing is charged any more. */
  expiryDate: string | null;
  frequencyDays: number | null;
  instrument: Instrument;
  /** The payment by which the payer agreed. */
  originPaymentId: string;
}

export interface Contract extends AgreedByPayment {
  /** The merchant's own in family B, a UUID in family A; unique within the merchant. */
  contractId: string;
  environment: Environment;
  accountId: string;
  merchantId: string;
  family: PaymentFamily;
  /** PENDING: the outcome of the payment by which the payer agreed was not known; that payment tells it. */
  status: (typeof contractStatuses)[number];
  /** What a later payment changes, if it succeeds: its outcome was not known. */
  pending: AgreedByPayment | null;
  /** Family A: how the consent is found, and what its holder is shown. */
  tokenHash: string | null;
  secretHash: string | null;
  /** JSON `{ token, tokenSecret }`. */
  shown: Sealed | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

/** What a visit may be about beside its payment. */
export const sessionRecurrences = ['SUBSEQUENT_PAYMENT', 'CONTRACT_CREATION', 'CARD_SUBSTITUTION'] as const;
/** What an order may ask for. */
export const recurrenceActions = ['NO_RECURRING', ...sessionRecurrences] as const;

/** What an order asks about later charges of the same card. */
export interface RecurrenceRequest {
  action: (typeof sessionRecurrences)[number];
  contractId: string | null;
  contractType: ContractType | null;
  /** ISO date. */
  expiryDate: string | null;
  frequencyDays: number | null;
}

/** What was said about later charges of the same card (recurrence). */
export interface Recurrence {
  action: (typeof sessionRecurrences)[number];
  contractId: string;
  contractType: ContractType;
  /** ISO date; MIT_SCHEDULED only. */
  expiryDate: string | null;
  /** Days; MIT_SCHEDULED only. */
  frequencyDays: number | null;
}

/** Whether the payer's bank agreed to the payment, whatever became of its money since. */
export function isAgreed({ state, entries }: Pick<Payment, 'state' | 'entries'>): boolean {
  const hasSucceeded = entries.some(
    ({ type, result }) => type !== 'CARD_CHECK' && (result === 'AUTHORIZED' || result === 'EXECUTED'),
  );
  return hasSucceeded || state === 'Verified';
}

const refused: ReadonlySet<PaymentState> = new Set(['Declined', 'Failed', 'Cancelled', 'Expired']);

/** Whether it never did, and never will. */
export function isRefused(payment: Pick<Payment, 'state' | 'entries'>): boolean {
  return refused.has(payment.state) && !isAgreed(payment);
}

/** How a contract is charged. Refuses with `merchantInitiatedRefused` what its terms do not allow at `now`. */
export function decideContractUse(
  contract: Contract,
  { contractType }: Pick<RecurrenceRequest, 'contractType'>,
  now: Date,
): { contractType: ContractType; isMerchantInitiated: boolean } {
  const asked = contractType ?? contract.type;
  const refuse = (reason: string) =>
    new DomainError('merchantInitiatedRefused', reason, { field: 'paymentSession.recurrence' });
  if (contract.type === 'CIT' && asked !== 'CIT') throw refuse('The contract is for payments with the payer only.');
  if (asked !== 'CIT' && asked !== contract.type) throw refuse(`The contract is ${contract.type}.`);
  if (contract.expiryDate !== null && contract.expiryDate.slice(0, 10) < printFixedOffset(now).slice(0, 10))
    throw refuse('The contract has expired.');
  return { contractType: asked, isMerchantInitiated: asked !== 'CIT' };
}
