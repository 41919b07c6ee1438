// Events of reporting, ready for the log: what staff books, where payouts go, and payouts that were closed (reporting interface).
import type { Environment } from '../shared/callers/caller';
import { withoutUndefined } from '../shared/present-members';
import { type NewEvent, newEventId } from '../shared/store/unit-of-work';
import { bookId } from './journal/journal';
import type { Run } from './journal/runs';
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
  const { payoutId, number, date, currency, reference, iban, bic, runs, upToSerial, closedAt } = payout;
  return {
    ...eventOf({ ...payout, requestId, at: closedAt }),
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
      ...Object.fromEntries(sumNames.map((name) => [name, printSum(payout[name])])),
    },
  };
}

const sumNames = [
  ...(['chargedMinor', 'refundedMinor', 'depositedMinor', 'feesMinor', 'chargebacksMinor'] as const),
  ...(['adjustmentsMinor', 'chargeCount', 'refundCount', 'depositCount', 'actionCount'] as const),
] satisfies (keyof PayoutSums)[];

/** Amounts are decimal-free strings, counts are numbers. */
function printSum(value: bigint | number): string | number {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** The payout that a `payout.closed` tells of. */
export function payoutOfEvent(event: {
  environment: Environment;
  accountId: string;
  merchantId: string | null;
  occurredAt: Date;
  data: Record<string, unknown>;
}): Payout {
  const { environment, accountId, occurredAt, data } = event;
  const { amount, ...facts } = data as { amount: string; runs: Run[] } & Record<string, unknown>;
  const sums = sumNames.map((name) => [name, name.endsWith('Minor') ? BigInt(facts[name] as string) : facts[name]]);
  return {
    ...(facts as unknown as Payout),
    ...(Object.fromEntries(sums) as unknown as PayoutSums),
    environment,
    accountId,
    merchantId: event.merchantId ?? '',
    closedAt: occurredAt,
    amountMinor: BigInt(amount),
  };
}

function eventOf(origin: Origin, eventId = newEventId(origin)) {
  const { environment, accountId, merchantId, requestId, at } = origin;
  return { _id: eventId, environment, accountId, merchantId, version: 1 as const, occurredAt: at, requestId };
}
