// Balances of merchants for the graph, all merchants of a request in one query, and whether a day is what its entries say (reporting interface, Balance item).
import { tenantFilter } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { withoutUndefined } from '../../shared/present-members';
import { type Balance, decideBalances } from '../journal/balance';
import { addDays, dayOf, daysOf, isDay } from '../journal/journal';
import { holderOf } from '../journal/stored-journal.repository';
import type { DayRepository } from '../payouts/day.repository';
import { rangeDaysMax } from '../report';
import { balanceLoader, dayCheckLoader } from './balance.loader';

export interface BalanceReads {
  days: DayRepository;
  clock: Clock;
}

/** `merchantId` tells it from an account's total. */
export type MerchantBalance = Balance & { merchantId?: string };

const usualDays = 31;

/** By currency and day. Refuses with `invalidInput`. */
export async function balancesOfMerchant(
  { days, clock }: BalanceReads,
  context: RequestContext,
  merchantId: string,
  asked: { from?: string | null; to?: string | null },
): Promise<MerchantBalance[]> {
  const to = readDay('to', asked.to ?? dayOf(clock.now()));
  const from = readDay('from', asked.from ?? addDays(to, 1 - usualDays));
  if (from > to || daysOf(from, to) > rangeDaysMax)
    throw new DomainError('invalidInput', `The range has 1 to ${rangeDaysMax} days.`, { field: 'from' });
  const { environment, accountId } = tenantFilter(context.caller);
  const range = { from, to, ...withoutUndefined({ accountId }) };
  const loader = balanceLoader(context, range, (holders) => days.read(holders, range));
  const found = await loader.load(holderOf(environment, 'merchant', merchantId));
  return decideBalances(found.days, found.carried).map((balance) => ({ ...balance, merchantId }));
}

function readDay(field: string, text: string): string {
  if (!isDay(text)) throw new DomainError('invalidInput', `${field} is not a day such as 2026-01-31.`, { field });
  return text;
}

/** Adds the entries of the day up again and compares. */
export async function isDayReconciled(
  { days }: BalanceReads,
  context: RequestContext,
  balance: MerchantBalance,
): Promise<boolean> {
  const { environment } = context.caller;
  const loader = dayCheckLoader(context, (keys) => days.recount(environment, keys));
  const counted = await loader.load({
    merchantId: balance.merchantId ?? '',
    currency: balance.currency,
    day: balance.day,
  });
  return (
    counted.creditsMinor === balance.creditsMinor &&
    counted.debitsMinor === balance.debitsMinor &&
    counted.creditsCount === balance.creditsCount &&
    counted.debitsCount === balance.debitsCount
  );
}
