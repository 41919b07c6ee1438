// What a day did to a balance: credits and debits with their counts, and the chain of opening and closing (reporting interface, Balance item; T13 and balance arithmetic of 2.3-C of the decision register).
import { entryFeeOf, gainOf, type JournalEntry } from './journal';

export interface DayTotals {
  creditsMinor: bigint;
  creditsCount: number;
  debitsMinor: bigint;
  debitsCount: number;
}

/** The totals of one day and currency of a holder: a merchant, or an account with all its merchants. */
export interface Day extends DayTotals {
  currency: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
}

export interface Balance extends Day {
  openingMinor: bigint;
  closingMinor: bigint;
}

export const nothing: DayTotals = { creditsMinor: 0n, creditsCount: 0, debitsMinor: 0n, debitsCount: 0 };

/** What one entry adds to its day: what the merchant gains is a credit, what it loses and each fee is a debit. */
export function totalsOf(entry: JournalEntry): DayTotals {
  const gain = gainOf(entry);
  const fee = entryFeeOf(entry);
  const isCredit = gain >= 0n;
  return {
    creditsMinor: isCredit ? gain : 0n,
    creditsCount: isCredit ? 1 : 0,
    debitsMinor: (isCredit ? 0n : -gain) + fee,
    debitsCount: (isCredit ? 0 : 1) + (fee > 0n ? 1 : 0),
  };
}

export function addTotals(one: DayTotals, other: DayTotals): DayTotals {
  return {
    creditsMinor: one.creditsMinor + other.creditsMinor,
    creditsCount: one.creditsCount + other.creditsCount,
    debitsMinor: one.debitsMinor + other.debitsMinor,
    debitsCount: one.debitsCount + other.debitsCount,
  };
}

export function netOf({ creditsMinor, debitsMinor }: DayTotals): bigint {
  return creditsMinor - debitsMinor;
}

/** Chains the days of each currency: each opens with what the day before closed with. `carried` is the net of all earlier days by currency. */
export function decideBalances(days: readonly Day[], carried: ReadonlyMap<string, bigint>): Balance[] {
  const closings = new Map(carried);
  const inOrder = [...days].sort((a, b) => compare(a.currency, b.currency) || compare(a.day, b.day));
  return inOrder.map((day) => {
    const openingMinor = closings.get(day.currency) ?? 0n;
    const closingMinor = openingMinor + netOf(day);
    closings.set(day.currency, closingMinor);
    return { ...day, openingMinor, closingMinor };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
