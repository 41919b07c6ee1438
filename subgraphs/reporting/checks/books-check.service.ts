// The check of the books: sums are zero, days are their entries, payouts are their actions, and nothing is paid twice or lost (reporting interface; balance arithmetic of 2.3-C of the decision register).

import { type DayTotals, netOf, nothing } from '../journal/balance';
import { type CaughtUpDeps, journalIsFed } from '../journal/caught-up.service';
import { bookId } from '../journal/journal';
import { serialCountOf, without } from '../journal/runs';
import type { DayRepository } from '../payouts/day.repository';
import type { OpenActionsRepository } from '../payouts/open-actions.repository';
import type { Payout } from '../payouts/payout';
import type { PayoutRepository } from '../payouts/payout.repository';
import { isReconciled } from '../payouts/payout-query.service';
import { type BooksCheckRepository, type CountedBook, through } from './books-check.repository';

export interface CheckDeps extends CaughtUpDeps {
  counts: BooksCheckRepository;
  days: DayRepository;
  payouts: PayoutRepository;
  openActions: OpenActionsRepository;
}

export interface Checked {
  books: number;
  payouts: number;
  /** In words; none means that everything agrees. */
  differences: string[];
}

/** Closed days that are booked while they are looked at: the payouts of each, what came late, a day closed by hand. */
export interface MovingBooks {
  /** What came after it is left out. */
  throughDay: string;
  /** The journal is waited for until then. */
  over: AbortSignal;
}

const payoutsPerRead = 200;

/**
 * Looks at every entry, day and payout. Without `moving` the books must stand still. With it, refuses with `unavailable` where the journal
 * does not catch up: books that are half booked agree with nothing.
 */
export async function checkBooks(deps: CheckDeps, moving?: MovingBooks): Promise<Checked> {
  if (!moving) return checkOnce(deps);
  for (let attempt = 1; ; attempt += 1) {
    await journalIsFed(deps, moving.over);
    const checked = await checkOnce(deps, moving.throughDay);
    // What was booked for a closed day in the very moment of the check is gone in the next.
    if (checked.differences.length === 0 || attempt >= attemptsMax) return checked;
  }
}

const attemptsMax = 3;

async function checkOnce(deps: CheckDeps, throughDay?: string): Promise<Checked> {
  const { environment } = deps;
  const books = await deps.counts.countBooks({
    environment,
    ...through(throughDay),
  });
  const differences: string[] = [];
  const nets = new Map<string, bigint>();
  let payouts = 0;
  for (const book of books) {
    differences.push(...faultsOfSums(book), ...(await faultsOfDays(deps, book, throughDay)));
    if (!throughDay) differences.push(...faultsOfSerials(book), ...(await faultsOfBalance(deps, book)));
    const found = await faultsOfPayouts(deps, book);
    payouts += found.payouts;
    differences.push(...found.differences);
    const account = `${book.accountId}:${book.currency}`;
    nets.set(account, (nets.get(account) ?? 0n) - book.accounts.merchantPayable);
  }
  const kept = await deps.counts.netOfAccounts(environment, throughDay);
  for (const account of new Set([...nets.keys(), ...kept.keys()]))
    if ((nets.get(account) ?? 0n) !== (kept.get(account) ?? 0n))
      differences.push(`account ${account}: its days are not those of its merchants`);
  return { books: books.length, payouts, differences };
}

/** Debits equal credits, in each entry and over the book. */
function faultsOfSums(book: CountedBook): string[] {
  const sum = Object.values(book.accounts).reduce((total, minor) => total + minor, 0n);
  return [
    ...(sum === 0n ? [] : [`${bookId(book)}: its postings sum to ${sum}`]),
    ...(book.unbalanced === 0 ? [] : [`${bookId(book)}: ${book.unbalanced} entries are not balanced`]),
  ];
}

/** Serials have no gap. */
function faultsOfSerials(book: CountedBook): string[] {
  const { payable, highestSerial } = book;
  return payable === highestSerial ? [] : [`${bookId(book)}: ${payable} actions have serials up to ${highestSerial}`];
}

/** What the book says in the list of balances is what the merchant is owed. */
async function faultsOfBalance({ counts }: CheckDeps, book: CountedBook): Promise<string[]> {
  const [kept, owed] = [await counts.balanceOf(book), -book.accounts.merchantPayable];
  return kept === owed ? [] : [`${bookId(book)}: its balance says ${kept}, and the merchant is owed ${owed}`];
}

/** Each day is what its entries say, and the last day closes with what the merchant is owed. */
async function faultsOfDays(
  { counts, days }: CheckDeps,
  book: CountedBook,
  throughDay: string | undefined,
): Promise<string[]> {
  const kept = await counts.listDays(book, throughDay);
  const counted = kept.length > 0 ? await days.recount(book.environment, kept) : [];
  const wrong = kept.filter((day, index) => !areSame(day, counted[index] ?? nothing));
  const closing = kept.reduce((total, day) => total + netOf(day), 0n);
  return [
    ...wrong.map(({ day }) => `${bookId(book)}: the totals of ${day} are not those of its entries`),
    ...(closing === -book.accounts.merchantPayable
      ? []
      : [`${bookId(book)}: it closes with ${closing}, and the merchant is owed ${-book.accounts.merchantPayable}`]),
  ];
}

function areSame(one: DayTotals, other: DayTotals): boolean {
  return (
    one.creditsMinor === other.creditsMinor &&
    one.debitsMinor === other.debitsMinor &&
    one.creditsCount === other.creditsCount &&
    one.debitsCount === other.debitsCount
  );
}

/** Each payout is the sum of its actions, no action is in two, and what was sent is what the bank account of the book lost. */
async function faultsOfPayouts(
  deps: CheckDeps,
  book: CountedBook,
): Promise<{ payouts: number; differences: string[] }> {
  const { environment, merchantId, currency } = book;
  const filter = { owner: { environment, merchantId }, currency };
  const differences: string[] = [];
  const paid = await deps.payouts.findPaid(book);
  let left = [{ from: 1, to: Math.max(1, paid.settledTo) }];
  let count = 0;
  for (let after: { date: string; payoutId: string } | null = null; ; ) {
    const page: Payout[] = await deps.payouts.listAfter(filter, { size: payoutsPerRead, after });
    for (const payout of page) {
      if (!(await isReconciled(deps, payout)))
        differences.push(`payout ${payout.payoutId}: it is not the sum of its actions`);
      const before = serialCountOf(left);
      left = without(left, payout.runs);
      if (before - serialCountOf(left) !== payout.actionCount)
        differences.push(`payout ${payout.payoutId}: an action is in another payout too`);
    }
    count += page.length;
    const last = page.at(-1);
    if (!last || page.length < payoutsPerRead) break;
    after = { date: last.date, payoutId: last.payoutId };
  }
  if (count > 0 && serialCountOf(left) !== serialCountOf(paid.open))
    differences.push(`${bookId(book)}: what is open is not what no payout took`);
  if (count !== paid.number) differences.push(`${bookId(book)}: ${count} payouts where ${paid.number} were counted`);
  return { payouts: count, differences };
}
