// The collections of the journal: what each document holds, and the indexes by which it is found (reporting interface).
import { type Environment, environments } from '../../shared/callers/caller';
import {
  absentOr,
  maybeText,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { DayTotals } from './balance';
import type { Terms } from './booking';
import { bookLines, type InSlot } from './collections.repository';
import { chargedFeeTypes, type FeeLine, type FeeSchedule } from './fees';
import { type Book, entryActions, type JournalEntry, ledgerAccounts, type Posting } from './journal';

/** A merchant, or an account with all its merchants. */
export function holderOf(environment: Environment, kind: 'merchant' | 'account', id: string): string {
  return `${environment}:${kind}:${id}`;
}

export type StoredEntry = Omit<JournalEntry, 'entryId'> & InSlot;

export type StoredTerms = Terms & InSlot;

export interface StoredBook extends Book, InSlot {
  /** The last serial given. */
  serial: number;
  /** What the merchant is owed: credits less debits of all its days; absent in books that a release before wrote. */
  balanceMinor?: bigint;
}

/** Of an account each lane that books has one, which add up to the day. */
export interface StoredDay extends DayTotals, InSlot {
  /** `holderOf`, whose slot the day is in. */
  holder: string;
  /** The tenant that the holder is, or belongs to. */
  accountId: string;
  currency: string;
  day: string;
}

const postingPart = storedPart<Posting>({ account: there(String, { enum: ledgerAccounts }), minor: there(BigInt) });
export const entrySchema = storedSchema<StoredEntry>('journal_entries', {
  _id: storedText,
  ...bookLines,
  slot: absentOr(Number),
  position: there(Number),
  action: there(String, { enum: entryActions }),
  serial: orNull(Number),
  day: storedText,
  occurredAt: there(Date),
  actionId: storedText,
  amountMinor: there(BigInt),
  flexibleFeeMinor: there(BigInt),
  fixedFeeMinor: there(BigInt),
  paymentId: maybeText,
  paymentMethod: maybeText,
  paymentType: maybeText,
  reference: maybeText,
  myReference: absentOr(String),
  invoiceNumber: absentOr(String),
  postings: there([postingPart]),
});
entrySchema.index(
  { slot: 1, environment: 1, merchantId: 1, currency: 1, serial: 1, day: 1 },
  { unique: true, partialFilterExpression: { serial: { $gt: 0 } } },
);
entrySchema.index({ environment: 1, merchantId: 1, currency: 1, day: 1 });
entrySchema.index({ actionId: 1 });
/** Nearly all entries are charges: those are found along the time, and the others by what they are. */
export const isNoCharge = { action: { $in: entryActions.filter((action) => action !== 'CHARGE') } };
const owners: readonly Record<string, 1>[] = [{}, { accountId: 1 }, { merchantId: 1 }];
for (const owner of owners) {
  entrySchema.index({ environment: 1, ...owner, occurredAt: -1, _id: -1 });
  entrySchema.index(
    { environment: 1, ...owner, action: 1, occurredAt: -1, _id: -1 },
    { partialFilterExpression: isNoCharge },
  );
}

/** By which balances are listed, and the books of a release before are found: one that gave them no slot gave them no balance either. */
export const byBalance = { environment: 1, currency: 1, balanceMinor: -1, _id: 1 } as const;

export const daySchema = storedSchema<StoredDay>('journal_days', {
  _id: storedText,
  holder: storedText,
  slot: absentOr(Number),
  accountId: storedText,
  currency: storedText,
  day: storedText,
  creditsMinor: there(BigInt),
  creditsCount: there(Number),
  debitsMinor: there(BigInt),
  debitsCount: there(Number),
});
daySchema.index({ holder: 1, day: 1 });

export const bookSchema = storedSchema<StoredBook>('journal_books', {
  _id: storedText,
  ...bookLines,
  slot: absentOr(Number),
  serial: there(Number),
  balanceMinor: absentOr(BigInt),
});
bookSchema.index({ environment: 1, merchantId: 1, currency: 1 });
bookSchema.index({ environment: 1, accountId: 1, merchantId: 1, currency: 1 });
bookSchema.index(byBalance);
bookSchema.index({ environment: 1, accountId: 1, currency: 1, balanceMinor: -1, _id: 1 });
/** Of releases before: the one by merchant has its currency too, and books are given out in the order of merchants. */
export const retiredBookIndexes = ['environment_1_merchantId_1', 'environment_1_slot_1__id_1'];

const feeLinePart = storedPart<FeeLine>({
  paymentType: storedText,
  actionType: storedText,
  feeType: there(String, { enum: chargedFeeTypes }),
  unitPrice: there(BigInt),
});
const feesPart = storedPart<FeeSchedule>({ currency: storedText, lines: there([feeLinePart]) });
export const termsSchema = storedSchema<StoredTerms>('journal_terms', {
  _id: storedText,
  slot: absentOr(Number),
  environment: there(String, { enum: environments }),
  merchantId: storedText,
  fees: orNull(feesPart),
  iban: maybeText,
  bic: maybeText,
});
