// The journal: one balanced entry for each fact that moved a merchant's money, its accounts, and which postings each action makes (reporting interface, Payout; balance and payout arithmetic of 2.3-C of the decision register).
import type { Environment } from '../../shared/callers/caller';
import type { PaymentTypeWord } from '../../shared/vocabulary/payment-type';

/** What can happen to a merchant's money. The first five are the actions that a payout consists of. */
export const payableActions = ['CHARGE', 'REFUND', 'DEPOSIT', 'CHARGEBACK', 'ADJUSTMENT'] as const;
export type PayableAction = (typeof payableActions)[number];
export const entryActions = [...payableActions, 'PAYOUT'] as const;
export type EntryAction = (typeof entryActions)[number];

/**
 * Of each merchant and currency. `merchantPayable`: what we owe the merchant. `acquirerReceivable`: what the acquirer owes us for charges.
 * `feeIncome`: what we earned. `bank`: our account that payouts leave and deposits reach. `chargebacks`: taken back by payers' banks.
 * `adjustments`: corrections by staff.
 */
export const ledgerAccounts = [
  'merchantPayable',
  'acquirerReceivable',
  'feeIncome',
  'bank',
  'chargebacks',
  'adjustments',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/** Debits are positive, credits negative. */
export interface Posting {
  account: LedgerAccount;
  minor: bigint;
}

/** Whose money it is, in which currency: entries of one book have the serials 1, 2, 3 ... */
export interface Book {
  environment: Environment;
  accountId: string;
  merchantId: string;
  /** ISO 4217 alphabetic code. */
  currency: string;
}

/** Immutable: what is paid out is written in the payout, never here. */
export interface JournalEntry extends Book {
  /** Id of the event that was booked: no event is booked twice. */
  entryId: string;
  /** Place of that event in the log. */
  position: number;
  action: EntryAction;
  /** Place among the payable entries of its book, from 1 without gaps; null for a PAYOUT. */
  serial: number | null;
  /** UTC day that it counts on, YYYY-MM-DD. */
  day: string;
  occurredAt: Date;
  /** Operation, ledger entry or payout. */
  actionId: string;
  /** Never negative, except for an ADJUSTMENT that takes money away. */
  amountMinor: bigint;
  flexibleFeeMinor: bigint;
  fixedFeeMinor: bigint;
  paymentId: string | null;
  /** Circuit, or the kind of method. */
  paymentMethod: string | null;
  paymentType: PaymentTypeWord | null;
  reference: string | null;
  /** What the merchant calls the payment in its own books; absent where it said nothing. */
  myReference?: string;
  invoiceNumber?: string;
  postings: Posting[];
}

export function bookId({ environment, merchantId, currency }: Omit<Book, 'accountId'>): string {
  return `${environment}:${merchantId}:${currency}`;
}

/** YYYY-MM-DD in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The day before or after by whole days. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000));
}

/** How many days a range has, both ends included. */
export function daysOf(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000 + 1;
}

/** True for a calendar day as RFC 3339 full-date writes it. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && dayOf(at) === text;
}

export function entryFeeOf({
  flexibleFeeMinor,
  fixedFeeMinor,
}: Pick<JournalEntry, 'flexibleFeeMinor' | 'fixedFeeMinor'>) {
  return flexibleFeeMinor + fixedFeeMinor;
}

/** Where the other side of each action stands, and whether the merchant gains (1) or loses (-1) by a positive amount. */
const counterparts: Readonly<Record<EntryAction, { account: LedgerAccount; gain: 1n | -1n }>> = {
  CHARGE: { account: 'acquirerReceivable', gain: 1n },
  REFUND: { account: 'acquirerReceivable', gain: -1n },
  DEPOSIT: { account: 'bank', gain: 1n },
  CHARGEBACK: { account: 'chargebacks', gain: -1n },
  ADJUSTMENT: { account: 'adjustments', gain: 1n },
  PAYOUT: { account: 'bank', gain: -1n },
};

/** What the action is worth to the merchant before fees. */
export function gainOf({ action, amountMinor }: Pick<JournalEntry, 'action' | 'amountMinor'>): bigint {
  return counterparts[action].gain * amountMinor;
}

/** The postings of an action and its fee; their sum is zero. */
export function postingsOf(entry: Pick<JournalEntry, 'action' | 'amountMinor'>, feeMinor: bigint): Posting[] {
  const gain = gainOf(entry);
  const postings: Posting[] = [
    { account: counterparts[entry.action].account, minor: gain },
    { account: 'merchantPayable', minor: -gain },
    { account: 'merchantPayable', minor: feeMinor },
    { account: 'feeIncome', minor: -feeMinor },
  ];
  return postings.filter(({ minor }) => minor !== 0n);
}

/** Throws on an entry that creates or destroys money: a defect, never written. */
export function assertBalanced({ entryId, postings }: Pick<JournalEntry, 'entryId' | 'postings'>): void {
  const sum = postings.reduce((total, { minor }) => total + minor, 0n);
  if (sum !== 0n) throw new Error(`entry ${entryId} is not balanced: its postings sum to ${sum}`);
}
