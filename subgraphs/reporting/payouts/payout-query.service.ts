// Payouts for the graph: Relay connections of payouts and of their actions, and whether the sums of a payout are those of its actions (reporting interface, Payout).
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { createDeadline } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import { assertListFilter } from '../../shared/list-filter';
import { listMsMax } from '../../shared/lists/bounded-list';
import { childPageLoader } from '../../shared/lists/child-pages';
import { numberAt, readSlice, type Slice } from '../../shared/lists/list-order';
import {
  type Connection,
  type CursorField,
  connection,
  cutToPage,
  notOfThisList,
  type PageArguments,
  parseCursor,
} from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { isDay, type JournalEntry } from '../journal/journal';
import { runsSliceOf, serialCountOf } from '../journal/runs';
import { assertSignedAmounts } from '../listed-merchants';
import type { OpenActionsRepository } from './open-actions.repository';
import { addSums, areSameSums, noSums, type Payout, payoutAmountOf } from './payout';
import type { PayoutFilter, PayoutOwner, PayoutRepository, PayoutSlice } from './payout.repository';

export interface PayoutReads {
  payouts: PayoutRepository;
  openActions: OpenActionsRepository;
}

/** By days (YYYY-MM-DD), currencies and amounts, and the page that is wanted. */
type PayoutsOfOne = PageArguments & Omit<PayoutFilter, 'owner' | 'currency' | 'merchantIds'>;

export interface PayoutListArguments extends PayoutsOfOne {
  merchantId?: string | null;
  merchantIds?: readonly string[] | null;
  /** Whether their sums are those of their actions. */
  reconciled?: boolean | null;
}

/** What the caller may see. */
export function payoutOwner(caller: Caller, merchantId?: string | null): PayoutOwner {
  return { ...tenantFilter(caller), ...withoutUndefined({ merchantId: merchantId || undefined }) };
}

/** Newest first. Refuses with `invalidInput`, `timesReversed`, and with `unavailable` where too few are reconciled, or not, as asked. */
export async function payoutsOf(
  reads: PayoutReads,
  { caller }: RequestContext,
  { merchantId, reconciled, ...asked }: PayoutListArguments,
): Promise<Connection<Payout>> {
  const { filter, slice } = readList(asked, payoutOwner(caller, merchantId));
  const { size, after } = slice;
  const oneMore = { ...slice, size: size + 1 };
  const isAny = reconciled === null || reconciled === undefined;
  const found = await (isAny ? reads.payouts.listAfter(filter, oneMore) : sifted(reads, filter, oneMore, reconciled));
  // Whether they are reconciled is known of those alone that were added up.
  const seen = { value: Math.min(found.length, size), isExact: !after && found.length <= size };
  const count = async () => (isAny ? reads.payouts.countForList(filter) : seen);
  return connection(
    cutToPage(found, size, (payout) => payout, count),
    slice,
    placeIn,
  );
}

/** Refuses with `invalidInput`, `amountInvalid`, `timesReversed`. */
function readList(
  { first, after, last, before, ...wanted }: Omit<PayoutListArguments, 'merchantId'>,
  owner: PayoutOwner,
) {
  const { from, to } = wanted;
  assertDays({ from, to });
  assertSignedAmounts(wanted);
  assertListFilter(wanted);
  return { filter: { ...wanted, owner }, slice: readSlice({ first, after, last, before }, placeAt) };
}

/** Payouts that are added up again side by side. */
const addedUpAtOnce = 20;
const tooFew = 'too few payouts fit this filter to be found in time; name a merchantId, or fewer days';

/** Each is added up again, as long as a list may take. */
async function sifted(
  reads: PayoutReads,
  filter: PayoutFilter,
  { size, after, ...rest }: PayoutSlice,
  isWanted: boolean,
): Promise<Payout[]> {
  const isOver = createDeadline(listMsMax);
  const found: Payout[] = [];
  for (let place = after, hasMore = true; hasMore && found.length < size; ) {
    if (isOver()) throw new DomainError('unavailable', tooFew, { retryAfterSeconds: 1 });
    const page = await reads.payouts.listAfter(filter, { ...rest, size: addedUpAtOnce, after: place });
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
  asked: PayoutsOfOne,
): Promise<Connection<Payout>> {
  const { filter, slice } = readList(asked, payoutOwner(context.caller));
  const loader = childPageLoader(context, 'Merchant.payouts', [filter, slice], (merchantIds) =>
    payouts.listEachAfter(filter, merchantIds, slice),
  );
  return connection(await loader.load(merchantId), slice, placeIn);
}

function placeIn({ date, payoutId }: Payout): [string, string] {
  return [date, payoutId];
}

/** Refuses with `invalidInput` what is no calendar day. */
function assertDays(days: Readonly<Record<string, string | null | undefined>>): void {
  for (const [field, day] of Object.entries(days))
    if (day && !isDay(day))
      throw new DomainError('invalidInput', `${field} is not a day such as 2026-01-31.`, { field });
}

function placeAt(cursor: string, field: CursorField): { date: string; payoutId: string } {
  const [date, payoutId] = parseCursor(cursor, 2, field);
  return { date: String(date), payoutId: String(payoutId) };
}

/** In the order in which they were booked; a cursor is a line of the payout. */
export async function actionsOf(
  { openActions }: PayoutReads,
  payout: Payout,
  asked: PageArguments,
): Promise<Connection<JournalEntry>> {
  const { runs, actionCount } = payout;
  const slice = readSlice(asked, lineAt);
  const [start, end] = linesOf(slice, actionCount);
  const found = await openActions.list(payout, runsSliceOf(runs, start, end - start));
  const lines = new Map(found.map((item, index) => [item, start + index + 1]));
  const count = async () => ({ value: actionCount, isExact: true });
  const page = slice.isBackward
    ? { items: found.toReversed(), hasNextPage: start > 0, count }
    : { items: found, hasNextPage: end < actionCount, count };
  return connection(page, slice, (item) => [lines.get(item) ?? 0]);
}

function lineAt(cursor: string, field: CursorField): number {
  const line = numberAt(cursor, field);
  if (!Number.isSafeInteger(line) || line < 0) throw notOfThisList(field);
  return line;
}

/** How many lines stand before the page, and how many to its end. */
function linesOf({ size, after, isBackward = false }: Slice<number>, count: number): [start: number, end: number] {
  if (!isBackward) return [after ?? 0, Math.min((after ?? 0) + size, count)];
  const end = Math.max(0, Math.min((after ?? count + 1) - 1, count));
  return [Math.max(0, end - size), end];
}

/** Whether the payout's sums and amount are those of its actions, added up again from the journal. */
export async function isReconciled({ openActions }: PayoutReads, payout: Payout): Promise<boolean> {
  if (payoutAmountOf(payout) !== payout.amountMinor) return false;
  const days = await openActions.openDays(payout, payout.runs, payout.date);
  const sums = days.reduce((total, day) => addSums(total, day.sums), noSums);
  return areSameSums(sums, payout) && serialCountOf(payout.runs) === payout.actionCount;
}
