// Events of reporting, ready for the log: what staff books, where payouts go, and payouts that were closed (reporting interface).
import type { Environment } from '../shared/callers/caller';
import { withoutUndefined } from '../shared/present-members';
import { type NewEvent, newEventId } from '../shared/store/unit-of-work';
import { type Book, bookId } from './journal/journal';
import type { Payout, PayoutSums } from './payouts/payout';

const ledgerEventTypes = {
  DEPOSIT: 'ledger.depositBooked',
  CHARGEBACK: 'ledger.chargebackBooked',
  ADJUSTMENT: 'ledger.adjustmentBooked',
} as const;
export type LedgerAction = keyof typeof ledgerEventTypes;

export interface Origin {
  environment: Environment;
  accountId: string;
  merchantId: string;
  requestId: string;
  /** On the one clock. */
  at: Date;
}

export interface LedgerBooking {
  ledgerEntryId: string;
  action: LedgerAction;
  amountMinor: bigint;
  currency: string;
  reason: string;
  paymentId: string | null;
  reference: string | null;
}

export function ledgerEvent(origin: Origin, booking: LedgerBooking): NewEvent {
  const { ledgerEntryId, action, amountMinor, currency, reason, paymentId, reference } = booking;
  return {
    ...eventOf(origin),
    aggregateType: 'ledger',
    aggregateId: ledgerEntryId,
    sequence: 1,
    type: ledgerEventTypes[action],
    data: {
      ledgerEntryId,
      amount: amountMinor.toString(),
      currency,
      reason,
      ...withoutUndefined({ paymentId: paymentId || undefined, reference: reference || undefined }),
    },
  };
}

export function payoutAccountEvent(
  eventId: string,
  origin: Origin,
  { iban, bic, reason }: { iban: string; bic: string; reason: string },
): NewEvent {
  return {
    ...eventOf(origin, eventId),
    // Whoever sets it later is later in the log, so each setting is an aggregate of its own.
    aggregateType: 'ledger',
    aggregateId: eventId,
    sequence: 1,
    type: 'ledger.payoutAccountSet',
    data: { iban, bic, reason },
  };
}

/** Everything that the payout is, so that it can be told again from the log alone. */
export function payoutEvent(requestId: string, payout: Payout): NewEvent {
  const { environment, accountId, merchantId, payoutId, number, date, currency, reference } = payout;
  const { iban, bic, runs, upToSerial, closedAt } = payout;
  return {
    ...eventOf({ environment, accountId, merchantId, requestId, at: closedAt }),
    // The payouts of a book are one aggregate: none gets its place in the log before an earlier one.
    aggregateType: 'payout',
    aggregateId: bookId(payout),
    sequence: number,
    type: 'payout.closed',
    data: {
      payoutId,
      number,
      date,
      currency,
      reference,
      iban,
      bic,
      runs,
      upToSerial,
      amount: payout.amountMinor.toString(),
      chargedMinor: payout.chargedMinor.toString(),
      refundedMinor: payout.refundedMinor.toString(),
      depositedMinor: payout.depositedMinor.toString(),
      feesMinor: payout.feesMinor.toString(),
      chargebacksMinor: payout.chargebacksMinor.toString(),
      adjustmentsMinor: payout.adjustmentsMinor.toString(),
      chargeCount: payout.chargeCount,
      refundCount: payout.refundCount,
      depositCount: payout.depositCount,
      actionCount: payout.actionCount,
    },
  };
}

/** What a `payout.closed` tells: amounts are decimal-free strings, counts are numbers. */
type ToldPayout = Omit<Payout, keyof Book | 'closedAt' | 'amountMinor' | AmountSum> &
  Record<AmountSum | 'amount', string> &
  Pick<Payout, 'currency'>;
type AmountSum = Extract<keyof PayoutSums, `${string}Minor`>;

/** The payout that a `payout.closed` tells of. */
export function payoutOfEvent(event: {
  environment: Environment;
  accountId: string;
  merchantId: string | null;
  occurredAt: Date;
  data: Record<string, unknown>;
}): Payout {
  const told = event.data as unknown as ToldPayout;
  // Written out, as spreads and lists of names cost ten times as much, and a day has many payouts.
  return {
    payoutId: told.payoutId,
    number: told.number,
    date: told.date,
    currency: told.currency,
    reference: told.reference,
    iban: told.iban,
    bic: told.bic,
    runs: told.runs,
    upToSerial: told.upToSerial,
    chargedMinor: BigInt(told.chargedMinor),
    refundedMinor: BigInt(told.refundedMinor),
    depositedMinor: BigInt(told.depositedMinor),
    feesMinor: BigInt(told.feesMinor),
    chargebacksMinor: BigInt(told.chargebacksMinor),
    adjustmentsMinor: BigInt(told.adjustmentsMinor),
    chargeCount: told.chargeCount,
    refundCount: told.refundCount,
    depositCount: told.depositCount,
    actionCount: told.actionCount,
    environment: event.environment,
    accountId: event.accountId,
    merchantId: event.merchantId ?? '',
    closedAt: event.occurredAt,
    amountMinor: BigInt(told.amount),
  };
}

function eventOf(origin: Origin, eventId = newEventId(origin)) {
  const { environment, accountId, merchantId, requestId, at } = origin;
  return { _id: eventId, environment, accountId, merchantId, version: 1 as const, occurredAt: at, requestId };
}
