// Payouts for the graph: Relay connections of payouts and of their actions, and whether the sums of a payout are those of its actions (reporting interface, Payout).
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { createDeadline } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import { assertListFilter } from '../../shared/list-filter';
import { listMsMax } from '../../shared/lists/bounded-list';
import { childPageLoader } from '../../shared/lists/child-pages';
import { type Connection, connection, cutToPage, pageSize, parseCursor } from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { isDay, type JournalEntry } from '../journal/journal';
import type { OpenActionsRepository } from '../journal/open-actions.repository';
import { addSums, areSameSums, noSums, type Payout, payoutAmountOf } from './payout';
import type { PayoutFilter, PayoutOwner, PayoutRepository, PayoutSlice } from './payout.repository';
import { runsSliceOf, serialCountOf } from './runs';

export interface PayoutReads {
  payouts: PayoutRepository;
  openActions: OpenActionsRepository;
}

export interface PayoutListArguments {
  merchantId?: string | null;
  /** YYYY-MM-DD, both inclusive. */
  from?: string | null;
  to?: string | null;
  /** Whether their sums are those of their actions. */
  reconciled?: boolean | null;
  first?: number | null;
  after?: string | null;
}

/** What the caller may see. */
export function payoutOwner(caller: Caller, merchantId?: string | null): PayoutOwner {
  return { ...tenantFilter(caller), ...withoutUndefined({ merchantId: merchantId || undefined }) };
}

/** Newest first. Refuses with `invalidInput`, `timesReversed`, and with `unavailable` where too few are reconciled, or not, as asked. */
export async function payoutsOf(
  reads: PayoutReads,
  { caller }: RequestContext,
  { merchantId, from, to, reconciled, first, after }: PayoutListArguments,
): Promise<Connection<Payout>> {
  assertDays({ from, to });
  const size = pageSize(first);
  const filter: PayoutFilter = { owner: payoutOwner(caller, merchantId), from, to };
  const slice: PayoutSlice = { size: size + 1, after: after ? placeOf(after) : null };
  const isAny = reconciled === null || reconciled === undefined;
  const found = await (isAny ? reads.payouts.listAfter(filter, slice) : sifted(reads, filter, slice, reconciled));
  // Whether they are reconciled is known of those alone that were added up.
  const seen = { value: Math.min(found.length, size), isExact: !after && found.length <= size };
  const count = async () => (isAny ? reads.payouts.countForList(filter) : seen);
  return connection(
    cutToPage(found, size, (payout) => payout, count),
    after,
    placeIn,
  );
}

/** Payouts that are added up again side by side. */
const addedUpAtOnce = 20;
const tooFew = 'too few payouts fit this filter to be found in time; name a merchantId, or fewer days';

/** Each is added up again, as long as a list may take. */
async function sifted(
  reads: PayoutReads,
  filter: PayoutFilter,
  { size, after }: PayoutSlice,
  isWanted: boolean,
): Promise<Payout[]> {
  const isOver = createDeadline(listMsMax);
  const found: Payout[] = [];
  for (let place = after, hasMore = true; hasMore && found.length < size; ) {
    if (isOver()) throw new DomainError('unavailable', tooFew, { retryAfterSeconds: 1 });
    const page = await reads.payouts.listAfter(filter, { size: addedUpAtOnce, after: place });
    const verdicts = await Promise.all(page.map((payout) => isReconciled(reads, payout)));
    found.push(...page.filter((_payout, index) => verdicts[index] === isWanted));
    place = page.at(-1) ?? null;
    hasMore = page.length === addedUpAtOnce;
  }
  return found.slice(0, size);
}

/** The same list for one of many merchants of a request, all of them in one query. */
export async function payoutsOfMerchant(
  { payouts }: PayoutReads,
  context: RequestContext,
  merchantId: string,
  { from, to, first, after }: Omit<PayoutListArguments, 'merchantId' | 'reconciled'>,
): Promise<Connection<Payout>> {
  assertDays({ from, to });
  const filter: PayoutFilter = { owner: payoutOwner(context.caller), from, to };
  const slice: PayoutSlice = { size: pageSize(first), after: after ? placeOf(after) : null };
  const loader = childPageLoader(context, 'Merchant.payouts', [filter, slice], (merchantIds) =>
    payouts.listEachAfter(filter, merchantIds, slice),
  );
  return connection(await loader.load(merchantId), after, placeIn);
}

function placeIn({ date, payoutId }: Payout): [string, string] {
  return [date, payoutId];
}

/** Refuses with `invalidInput` what is no calendar day, and with `timesReversed`. */
function assertDays(days: Readonly<Record<string, string | null | undefined>>): void {
  for (const [field, day] of Object.entries(days))
    if (day && !isDay(day))
      throw new DomainError('invalidInput', `${field} is not a day such as 2026-01-31.`, { field });
  assertListFilter(days);
}

function placeOf(after: string): { date: string; payoutId: string } {
  const [date, payoutId] = parseCursor(after, 2);
  return { date: String(date), payoutId: String(payoutId) };
}

/** In the order in which they were booked; a cursor is a line of the payout. */
export async function actionsOf(
  { openActions }: PayoutReads,
  payout: Payout,
  { first, after }: { first?: number | null; after?: string | null },
): Promise<Connection<JournalEntry>> {
  const size = pageSize(first);
  const skip = after ? Number(parseCursor(after, 1)[0]) : 0;
  if (!Number.isSafeInteger(skip) || skip < 0)
    throw new DomainError('invalidInput', 'after is not a cursor of this list', { field: 'after' });
  const items = await openActions.list(payout, runsSliceOf(payout.runs, skip, size));
  const lines = new Map(items.map((item, index) => [item, skip + index + 1]));
  const count = async () => ({ value: payout.actionCount, isExact: true });
  const page = { items, hasNextPage: skip + size < payout.actionCount, count };
  return connection(page, after, (item) => [lines.get(item) ?? 0]);
}

/** Whether the payout's sums and amount are those of its actions, added up again from the journal. */
export async function isReconciled({ openActions }: PayoutReads, payout: Payout): Promise<boolean> {
  if (payoutAmountOf(payout) !== payout.amountMinor) return false;
  const days = await openActions.openDays(payout, payout.runs, payout.date);
  const sums = days.reduce((total, day) => addSums(total, day.sums), noSums);
  return areSameSums(sums, payout) && serialCountOf(payout.runs) === payout.actionCount;
}
