// Settlement: closes days and pays merchants what they are owed; each payout is one transaction, so a kill leaves it whole or absent (reporting interface; 2.3-C and 2.6 of the decision register).
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { newHiddenId } from '../../shared/ids';
import { createBatcher, inBatches } from '../../shared/store/batcher';
import { decideAgain } from '../../shared/store/decide-again';
import { inParallel } from '../../shared/store/in-parallel';
import { allSlots, type SlotRange, slotOf } from '../../shared/store/slot';
import {
  DuplicateKey,
  type InTransaction,
  together,
  type UnitOfWork,
  WriteConflict,
} from '../../shared/store/unit-of-work';
import type { Terms } from '../journal/booking';
import { type CaughtUpDeps, journalIsFed } from '../journal/caught-up.service';
import { type Book, bookId, dayOf, isDay } from '../journal/journal';
import { type Run, runsOf, serialCountOf, without } from '../journal/runs';
import type { StoredBook } from '../journal/stored-journal.repository';
import { payoutEvent, payoutOfEvent } from '../reporting.events';
import type { BookRuns, OpenActionsRepository } from './open-actions.repository';
import {
  decidePayouts,
  joinPlans,
  type OpenDay,
  type Payout,
  type PlannedPayout,
  payoutAmountOf,
  payoutReferenceText,
} from './payout';
import type { PaidBook, PayoutRepository } from './payout.repository';

export interface SettlementDeps extends CaughtUpDeps {
  inTransaction: InTransaction;
  clock: Clock;
  openActions: OpenActionsRepository;
  payouts: PayoutRepository;
  /** Whether the feed of the journal is made to stand still: a rebuild may put other books in the place of these. */
  isFeedStill(): Promise<boolean>;
  /** Longest wait for the journal to have booked what was committed before the call. */
  feedWaitMsMax?: number;
  runsMax?: number;
}

export interface ClosedDay {
  payouts: Payout[];
}

/** How much of a day is closed, and by whom. */
export interface ClosingTurn {
  /** Those of all slots when absent. */
  slots?: SlotRange;
  /** No other book is begun once it aborts. */
  stopping?: AbortSignal;
  /** Awaited before the first book is looked at. */
  begun?(): Promise<unknown>;
  /** Some more books were looked at. */
  moved?(): void;
}

const feedWaitMsMax = 8_000;
/** How long the answer waits for the payouts themselves to be booked. */
const bookedWaitMsMax = 1_500;
/** A payout names its actions as so many ranges at most, about 2 MB; days that were booked more crosswise than that are paid together. */
const runsPerPayoutMax = 50_000;
const booksPerRead = 500;
/** Books closed at the same time: while one transaction's worth of them commits, the next is read and decided. */
const booksAtOnce = 512;
const manyBooks = { sizeMax: 256, inFlightMax: 1, gatherMsMax: 5 };
/** A payout of more ranges than that is written by itself. */
const runsTogetherMax = 200;

/**
 * Closes `date` (YYYY-MM-DD, UTC) and every earlier day with open actions, one payout per merchant, currency and day; again, it pays only what came
 * since. Refuses with `invalidData`, and with `unavailable` when the journal does not catch up in time, or is being made again.
 */
export async function settle(
  deps: SettlementDeps,
  date: string,
  requestId: string,
  { slots = allSlots, stopping, begun, moved }: ClosingTurn = {},
): Promise<ClosedDay> {
  if (!isDay(date) || date > dayOf(deps.clock.now()))
    throw new DomainError('invalidData', 'The day to close is today or a past day, as YYYY-MM-DD.', { field: 'date' });
  await journalIsFed(deps, AbortSignal.timeout(deps.feedWaitMsMax ?? feedWaitMsMax));
  await assertFed(deps);
  await begun?.();
  const payouts: Payout[] = [];
  const failures: unknown[] = [];
  const closing = closingOf(deps, date, requestId);
  for await (const books of booksIn(deps, slots)) {
    moved?.();
    if (stopping?.aborted) return { payouts };
    await assertFed(deps);
    const paid = await deps.payouts.findManyPaid(books);
    const open = books.filter((book, index) => openRuns(book, paid[index]).length > 0);
    await inParallel(open, booksAtOnce, async (book) => {
      await settleBook(deps, book, closing).then(
        (made) => payouts.push(...made),
        (error: unknown) => failures.push(named(book, error)),
      );
    });
  }
  // One that cannot be closed keeps no other from its payout.
  if (failures.length > 0) throw failures[0];
  // Who asks for balances next shall see the payouts there. They are made, whether or not the journal is quick to book them.
  if (payouts.length > 0) await journalIsFed(deps, AbortSignal.timeout(bookedWaitMsMax)).catch(ignoreUnavailable);
  return { payouts };
}

/** A person looks for the book. */
function named(book: Book, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  return new DomainError(error.code, `${bookId(book)}: ${error.message}`, error.details);
}

async function assertFed({ isFeedStill }: SettlementDeps): Promise<void> {
  if (await isFeedStill())
    throw new DomainError('unavailable', 'The journal is being made again.', { retryAfterSeconds: 30 });
}

/** Page by page: those with a slot among these, then those that were given none and belong there. */
async function* booksIn({ journal, environment }: SettlementDeps, slots: SlotRange): AsyncGenerator<StoredBook[]> {
  for (let after: StoredBook | null = null; ; ) {
    const books: StoredBook[] = await journal.listBooks(environment, slots, after, booksPerRead);
    yield books;
    after = books.at(-1) ?? null;
    if (books.length < booksPerRead) break;
  }
  for (let afterId = ''; ; ) {
    const former = await journal.listFormerBooks(environment, afterId, booksPerRead);
    const own = former.map((book) => ({ book, slot: slotOf(book) }));
    const books = own.filter(({ slot }) => slot >= slots.from && slot <= slots.to).map(({ book }) => book);
    if (books.length > 0) yield books;
    await journal.giveSlots(books);
    afterId = former.at(-1)?._id ?? '';
    if (former.length < booksPerRead) return;
  }
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
}

/** Serials that no payout has taken. */
export function openRuns(
  { serial }: Pick<StoredBook, 'serial'>,
  paid: Pick<PaidBook, 'settledTo' | 'open'> | undefined,
): Run[] {
  const { settledTo = 0, open = [] } = paid ?? {};
  return settledTo < serial ? [...open, { from: settledTo + 1, to: serial }] : [...open];
}

/** One closing of a day. What its books read is read for many of them at once. */
interface Closing {
  requestId: string;
  findPaid(book: Book): Promise<PaidBook>;
  /** Days up to the one that is closed. */
  openDays(book: BookRuns): Promise<OpenDay[]>;
  findTerms(merchantId: string): Promise<Terms | null>;
  commit: InTransaction;
}

function closingOf(
  { payouts, openActions, journal, environment, inTransaction }: SettlementDeps,
  date: string,
  requestId: string,
): Closing {
  return {
    requestId,
    findPaid: inBatches((books) => payouts.findManyPaid(books), manyBooks),
    openDays: inBatches((books) => openActions.openDaysOfEach(books, date), manyBooks),
    findTerms: inBatches((merchantIds) => journal.findManyTerms(environment, merchantIds), manyBooks),
    commit: committingTogether(inTransaction),
  };
}

/** The payouts of one book; when somebody else closes it meanwhile, it is read again. */
async function settleBook(deps: SettlementDeps, book: StoredBook, closing: Closing): Promise<Payout[]> {
  const made: Payout[] = [];
  await decideAgain(async () => {
    // The serials of this book as it was read are the candidates: whatever is booked from now on waits for the next closing.
    let paid = await closing.findPaid(book);
    let open = openRuns(book, paid);
    let waiting: PlannedPayout | null = null;
    for (const next of decidePayouts(await closing.openDays({ book, runs: open }))) {
      const planned: PlannedPayout = waiting ? joinPlans(waiting, next) : next;
      const runs = await runsOfPlan(deps, book, open, planned);
      const left = without(open, runs);
      // The ranges of neighbouring days close up when these are paid together: the actions wait for the next day that is closed.
      waiting = Math.max(runs.length, left.length) > (deps.runsMax ?? runsPerPayoutMax) ? planned : null;
      if (waiting) continue;
      open = left;
      const after = { ...paid, number: paid.number + 1, settledTo: Math.max(paid.settledTo, book.serial), open };
      made.push(await close(deps, { book, planned, runs, before: paid, after }, closing));
      paid = after;
    }
  });
  return made;
}

/** All open serials when the plan takes them all, which needs no look at the entries. */
export async function runsOfPlan(
  deps: Pick<SettlementDeps, 'openActions'>,
  book: Book,
  open: readonly Run[],
  planned: PlannedPayout,
): Promise<Run[]> {
  if (planned.sums.actionCount === serialCountOf(open)) return [...open];
  const days = { from: planned.fromDay, to: planned.date };
  const serials = await deps.openActions.serials(book, open, days);
  if (serials.length !== planned.sums.actionCount)
    throw new Error(
      `${bookId(book)}: ${serials.length} open actions found where ${planned.sums.actionCount} were summed`,
    );
  return runsOf(serials);
}

interface ClosingPayout {
  book: StoredBook;
  planned: PlannedPayout;
  runs: Run[];
  before: PaidBook;
  after: PaidBook;
}

/** Payout, state of the book and event in one transaction. */
async function close(
  deps: SettlementDeps,
  { book, planned, runs, before, after }: ClosingPayout,
  { requestId, findTerms, commit }: Pick<Closing, 'requestId' | 'findTerms' | 'commit'>,
): Promise<Payout> {
  const { environment, accountId, merchantId, currency, serial } = book;
  const terms = await findTerms(merchantId);
  const payoutId = newHiddenId(slotOf(book));
  const event = payoutEvent(requestId, {
    payoutId,
    environment,
    accountId,
    merchantId,
    currency,
    runs,
    upToSerial: serial,
    ...planned.sums,
    number: after.number,
    date: planned.date,
    reference: payoutReferenceText(planned.date, payoutId),
    iban: terms?.iban ?? null,
    bic: terms?.bic ?? null,
    amountMinor: payoutAmountOf(planned.sums),
    closedAt: deps.clock.now(),
  });
  const payout = payoutOfEvent(event);
  const isSmall = runs.length + after.open.length <= runsTogetherMax;
  const unit = { ...deps.payouts.closingOf(payout, before, after), events: [event] };
  await (isSmall ? commit : deps.inTransaction)(unit);
  return payout;
}

/** Units of many books as one; where somebody was faster with one of them, each by itself. */
function committingTogether(inTransaction: InTransaction): InTransaction {
  const groups = createBatcher<{ unit: UnitOfWork; resolve(): void; reject(error: unknown): void }>(async (group) => {
    try {
      await inTransaction(together(...group.map(({ unit }) => unit)));
      for (const { resolve } of group) resolve();
    } catch (error) {
      const isOfOne = error instanceof WriteConflict || error instanceof DuplicateKey;
      if (group.length === 1 || !isOfOne) for (const { reject } of group) reject(error);
      else await Promise.all(group.map(({ unit, resolve, reject }) => inTransaction(unit).then(resolve, reject)));
    }
  }, manyBooks);
  return (unit) => new Promise((resolve, reject) => groups.add({ unit, resolve, reject }));
}
