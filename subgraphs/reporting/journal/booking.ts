// From events of the log to entries of the journal, one by one in the order of the log: the journal is a function of it (reporting interface; 2.3-C, 2.5 and 2.6 of the decision register).
import type { Environment } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { decideFee, type FeeSchedule, type FeeTerms, readFeeSchedule } from './fees';
import { assertBalanced, bookId, dayOf, type JournalEntry, postingsOf } from './journal';
import { paymentTypeOf } from './payment-type';

/** What of an event counts here. */
export interface LoggedEvent {
  _id: string;
  environment: Environment;
  accountId: string;
  merchantId: string | null;
  type: string;
  occurredAt: Date;
  position: number;
  data: Record<string, unknown>;
}

/** What was agreed with a merchant: its fees, and where its money goes. */
export interface Terms {
  environment: Environment;
  merchantId: string;
  fees: FeeSchedule | null;
  iban: string | null;
  bic: string | null;
}

/** What the events before this one have left behind; `book` changes it. */
export interface BookingState {
  /** By `termsId`. */
  terms: Map<string, Terms>;
  /** Last serial by book id. */
  serials: Map<string, number>;
}

export function termsId(environment: Environment, merchantId: string): string {
  return `${environment}:${merchantId}`;
}

/** Books one event: its entry, or null when it moves no money. Terms and serials of the state go on. */
export function book(event: LoggedEvent, state: BookingState): JournalEntry | null {
  const { merchantId } = event;
  if (merchantId === null) return null;
  keepTerms({ ...event, merchantId }, state);
  const fact = factOf(event);
  if (!fact) return null;
  const terms = state.terms.get(termsId(event.environment, merchantId));
  const { hasFee, ...facts } = fact;
  const fee =
    hasFee && (fact.action === 'CHARGE' || fact.action === 'REFUND')
      ? decideFee(terms?.fees ?? null, { ...fact, action: fact.action, paymentType: fact.paymentType ?? '' })
      : { flexibleMinor: 0n, fixedMinor: 0n };
  const owner = { environment: event.environment, accountId: event.accountId, merchantId, currency: fact.currency };
  const entry: JournalEntry = {
    ...owner,
    ...facts,
    entryId: event._id,
    position: event.position,
    serial: fact.action === 'PAYOUT' ? null : nextSerial(state, bookId(owner)),
    occurredAt: event.occurredAt,
    flexibleFeeMinor: fee.flexibleMinor,
    fixedFeeMinor: fee.fixedMinor,
    postings: postingsOf(fact, fee.flexibleMinor + fee.fixedMinor),
  };
  assertBalanced(entry);
  return entry;
}

function nextSerial({ serials }: BookingState, id: string): number {
  const serial = (serials.get(id) ?? 0) + 1;
  serials.set(id, serial);
  return serial;
}

/** An approval says nothing of terms where they are told in the merchant's own slot. */
const agreeing: ReadonlySet<string> = new Set(['onboarding.approved', 'ledger.termsAgreed']);

/** An approved application brings fees and payout account, from then on; staff may set another account. */
function keepTerms({ environment, merchantId, type, data }: LoggedEvent & { merchantId: string }, state: BookingState) {
  const id = termsId(environment, merchantId);
  const before = state.terms.get(id) ?? { environment, merchantId, fees: null, iban: null, bic: null };
  if (agreeing.has(type) && ('quote' in data || 'bankAccount' in data)) {
    const { quote, bankAccount } = data as { quote?: FeeTerms | null; bankAccount?: { iban?: string; swift?: string } };
    state.terms.set(id, {
      ...before,
      fees: quote ? readFeeSchedule(quote) : null,
      iban: bankAccount?.iban ?? null,
      bic: bankAccount?.swift ?? null,
    });
  }
  if (type === 'ledger.payoutAccountSet') {
    const { iban, bic } = data as { iban: string; bic: string };
    state.terms.set(id, { ...before, iban, bic });
  }
}

type Fact = Pick<
  JournalEntry,
  | 'action'
  | 'actionId'
  | 'day'
  | 'amountMinor'
  | 'currency'
  | 'paymentId'
  | 'paymentMethod'
  | 'paymentType'
  | 'reference'
  | 'myReference'
  | 'invoiceNumber'
> & { hasFee: boolean };

/** What an event says about money; null when it moved none. */
function factOf(event: LoggedEvent): Fact | null {
  if (event.type === 'operation.recorded' || event.type === 'operation.resultChanged') return operationFact(event);
  if (event.type in ledgerActions) return ledgerFact(event);
  return event.type === 'payout.closed' ? payoutFact(event) : null;
}

interface OperationData {
  operationId: string;
  operationType: string;
  operationResult: string;
  operationAmount: string;
  operationCurrency: string;
  paymentId: string;
  orderId?: string;
  paymentMethod: string;
  paymentCircuit?: string;
  myReference?: string;
  invoiceNumber?: string;
}

/** Money has moved where the payment's own sums moved: EXECUTED, REFUNDED, and the undo of a capture, which is given back without a fee. */
function operationFact({ data, occurredAt }: LoggedEvent): Fact | null {
  const operation = data as unknown as OperationData;
  const { operationType, operationResult } = operation;
  const isUndo = operationType === 'CANCEL' && operationResult === 'VOIDED';
  const isCharge = operationResult === 'EXECUTED';
  if (!isCharge && !isUndo && operationResult !== 'REFUNDED') return null;
  return {
    action: isCharge ? 'CHARGE' : 'REFUND',
    actionId: operation.operationId,
    day: dayOf(occurredAt),
    amountMinor: BigInt(operation.operationAmount),
    currency: operation.operationCurrency,
    paymentId: operation.paymentId,
    paymentMethod: operation.paymentCircuit ?? operation.paymentMethod,
    paymentType: paymentTypeOf(operation.paymentMethod, operation.paymentCircuit ?? null),
    reference: operation.orderId ?? operation.paymentId,
    ...withoutUndefined({
      myReference: operation.myReference || undefined,
      invoiceNumber: operation.invoiceNumber || undefined,
    }),
    hasFee: !isUndo,
  };
}

const ledgerActions = {
  'ledger.depositBooked': 'DEPOSIT',
  'ledger.chargebackBooked': 'CHARGEBACK',
  'ledger.adjustmentBooked': 'ADJUSTMENT',
} as const;

function ledgerFact({ type, data, occurredAt }: LoggedEvent): Fact {
  const { ledgerEntryId, amount, currency, paymentId, reference } = data as {
    ledgerEntryId: string;
    amount: string;
    currency: string;
    paymentId?: string;
    reference?: string;
  };
  return {
    action: ledgerActions[type as keyof typeof ledgerActions],
    actionId: ledgerEntryId,
    day: dayOf(occurredAt),
    amountMinor: BigInt(amount),
    currency,
    paymentId: paymentId ?? null,
    paymentMethod: null,
    paymentType: null,
    reference: reference ?? null,
    hasFee: false,
  };
}

/** Counts on the payout's own day, whenever that day was closed. */
function payoutFact({ data }: LoggedEvent): Fact {
  const { payoutId, amount, currency, date, reference } = data as Record<string, string>;
  return {
    action: 'PAYOUT',
    actionId: payoutId ?? '',
    day: date ?? '',
    amountMinor: BigInt(amount ?? ''),
    currency: currency ?? '',
    paymentId: null,
    paymentMethod: null,
    paymentType: null,
    reference: reference ?? null,
    hasFee: false,
  };
}
