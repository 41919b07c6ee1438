// The three reports as partners and merchants read them: balances, payouts, and one payout with its actions; whose they are is decided here (reporting interface; T11 and 2.6 of the decision register).
import type { Caller } from '../shared/callers/caller';
import { DomainError } from '../shared/errors';
import { type Balance, decideBalances } from './journal/balance';
import type { JournalEntry } from './journal/journal';
import { runsSliceOf } from './journal/runs';
import { holderOf } from './journal/stored-journal.repository';
import type { DayRepository } from './payouts/day.repository';
import type { OpenActionsRepository } from './payouts/open-actions.repository';
import type { Payout } from './payouts/payout';
import type { PayoutOwner, PayoutRepository } from './payouts/payout.repository';
import type { ReadMerchantByNumber } from './ports';
import { assertCurrencies, assertRange, type DateRange, type ReportSortDirection, readPageQuery } from './report';

export interface ReportDeps {
  days: DayRepository;
  payouts: PayoutRepository;
  openActions: OpenActionsRepository;
  readMerchantByNumber: ReadMerchantByNumber;
}

export interface BalanceQuery extends DateRange {
  /** Partner key only. */
  merchantNumber?: string | null;
  /** All when absent. */
  currencies?: string[] | null;
  sort?: ReportSortDirection | null;
}

export interface CurrencyBalances {
  currency: string;
  balances: Balance[];
}

/** By currency, one item per UTC day with entries. Refuses with `dateRangeInvalid`, `currencyInvalid`, and `forbidden` for a foreign merchantNumber. */
export async function reportBalances(
  deps: ReportDeps,
  caller: Caller,
  query: BalanceQuery,
): Promise<CurrencyBalances[]> {
  const { merchantNumber, currencies, fromDate, toDate, sort } = query;
  assertRange(query);
  if (currencies) assertCurrencies('currencies', currencies);
  const owner = await ownerOf(deps, caller, merchantNumber);
  if (!owner) throw new DomainError('forbidden', 'The key does not cover that merchant.');
  const holder = owner.merchantId
    ? holderOf(owner.environment, 'merchant', owner.merchantId)
    : holderOf(owner.environment, 'account', owner.accountId ?? '');
  const range = { from: fromDate, to: toDate, currencies: currencies ?? undefined };
  const found = (await deps.days.read([holder], range)).get(holder);
  return byCurrency(decideBalances(found?.days ?? [], found?.carried ?? new Map()), sort ?? 'asc');
}

/** Currencies in the order of the alphabet, the days of each as asked. */
function byCurrency(all: readonly Balance[], sort: ReportSortDirection): CurrencyBalances[] {
  const codes = [...new Set(all.map(({ currency }) => currency))];
  return codes.map((currency) => {
    const balances = all.filter((balance) => balance.currency === currency);
    return { currency, balances: sort === 'desc' ? balances.reverse() : balances };
  });
}

export interface PayoutQuery extends DateRange {
  merchantNumber?: string | null;
  currency?: string | null;
  pageNumber?: number | null;
  pageSize?: number | null;
}

export interface PayoutPage {
  numberOfPayouts: number;
  payouts: Payout[];
}

/** By date. Refuses with `dateRangeInvalid`, `currencyInvalid`, `pageBoundsInvalid`, and `notFound` for a foreign merchantNumber. */
export async function reportPayouts(deps: ReportDeps, caller: Caller, query: PayoutQuery): Promise<PayoutPage> {
  assertRange(query);
  const page = readPageQuery(query);
  if (query.currency) assertCurrencies('currency', [query.currency]);
  const owner = await ownerOf(deps, caller, query.merchantNumber);
  if (!owner) throw new DomainError('notFound');
  const filter = { owner, from: query.fromDate, to: query.toDate, currency: query.currency ?? null };
  const [numberOfPayouts, payouts] = await Promise.all([deps.payouts.count(filter), deps.payouts.list(filter, page)]);
  return { numberOfPayouts, payouts };
}

export interface StatementQuery {
  payoutId: string;
  /** Required of a partner key. */
  merchantNumber?: string | null;
  pageNumber?: number | null;
  pageSize?: number | null;
}

export interface PayoutStatement {
  payout: Payout;
  actions: JournalEntry[];
}

/** One payout with a page of its actions. Refuses with `pageBoundsInvalid`, `merchantNumberMissing` and `notFound`. */
export async function reportPayout(deps: ReportDeps, caller: Caller, query: StatementQuery): Promise<PayoutStatement> {
  const { skip, size } = readPageQuery(query);
  const isPartner = caller.merchantId === undefined;
  if (isPartner && (query.merchantNumber ?? null) === null)
    throw new DomainError('merchantNumberMissing', undefined, { field: 'merchantNumber' });
  const owner = await ownerOf(deps, caller, query.merchantNumber);
  const payout = owner && (await deps.payouts.find(owner, query.payoutId));
  if (!payout) throw new DomainError('notFound');
  return { payout, actions: await deps.openActions.list(payout, runsSliceOf(payout.runs, skip, size)) };
}

/** Whose reports they are: one merchant's, or those of a partner's whole account. Null: the merchantNumber is none of the key's merchants. */
async function ownerOf(
  { readMerchantByNumber }: ReportDeps,
  { environment, accountId, merchantId: own }: Caller,
  merchantNumber: string | null | undefined,
): Promise<PayoutOwner | null> {
  if (accountId === null) throw new Error('reports are asked for with a key of an account');
  const whole = own === undefined ? { environment, accountId } : { environment, accountId, merchantId: own };
  if (merchantNumber === null || merchantNumber === undefined) return whole;
  // A number that no merchant can have is none of the key's either.
  const number = /^\d{1,15}$/.test(merchantNumber) ? Number(merchantNumber) : 0;
  const merchant = number > 0 ? await readMerchantByNumber(environment, number) : null;
  if (merchant?.accountId !== accountId) return null;
  const { merchantId } = merchant;
  return own === undefined || own === merchantId ? { environment, accountId, merchantId } : null;
}
