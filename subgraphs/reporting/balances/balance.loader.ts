// Balances of many merchants, and recounts of many days, each in one query per request.
import DataLoader from 'dataloader';
import type { RequestContext } from '../../shared/callers/context';
import type { DayTotals } from '../journal/balance';
import type { DayKey, DayRange, HolderDays } from '../payouts/day.repository';

/** By holder, for one range. */
export function balanceLoader(
  context: RequestContext,
  range: DayRange,
  read: (holders: readonly string[]) => Promise<Map<string, HolderDays>>,
): DataLoader<string, HolderDays> {
  return loaderOf(context, JSON.stringify(['Balances', range]), () => {
    return new DataLoader<string, HolderDays>(
      async (holders) => {
        const found = await read(holders);
        return holders.map((holder) => found.get(holder) ?? { days: [], carried: new Map() });
      },
      { maxBatchSize: 100 },
    );
  });
}

/** What the entries of a day add up to. */
export function dayCheckLoader(
  context: RequestContext,
  recount: (keys: readonly DayKey[]) => Promise<DayTotals[]>,
): DataLoader<DayKey, DayTotals> {
  return loaderOf(context, 'DayCheck', () => new DataLoader<DayKey, DayTotals>(recount, { maxBatchSize: 400 }));
}

function loaderOf<Loader>(context: RequestContext, key: string, make: () => Loader): Loader {
  const known = context.loaders.get(key);
  if (known) return known as Loader;
  const loader = make();
  context.loaders.set(key, loader);
  return loader;
}
