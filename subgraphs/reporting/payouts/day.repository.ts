// Day totals of holders: balances are read from these alone and never from entries (reporting interface, Balance item).
import type { Document } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { inOneOf, ofSlotOf } from '../../shared/store/of-slot';
import { reading } from '../../shared/store/reading';
import { slotOfHolder } from '../../shared/store/slot';
import { addTotals, type Day, type DayTotals, nothing } from '../journal/balance';
import { bookCollection } from '../journal/collections.repository';
import type { EntryAction, JournalEntry } from '../journal/journal';
import type { StoredDay } from '../journal/stored-journal.repository';

export interface DayRange {
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  /** All when absent. */
  currencies?: readonly string[];
  /** Of that tenant only; absent for staff. */
  accountId?: string;
}

/** One day of a merchant in a currency. */
export interface DayKey {
  merchantId: string;
  currency: string;
  day: string;
}

export interface HolderDays {
  days: Day[];
  /** Net of all days before the range, by currency. */
  carried: Map<string, bigint>;
}

interface DayGroup {
  _id: { holder: string; currency: string; day: string };
  creditsMinor: bigint | number;
  creditsCount: number;
  debitsMinor: bigint | number;
  debitsCount: number;
}

export type DayRepository = ReturnType<typeof createDayRepository>;

export function createDayRepository(connection: Connection) {
  const days = bookCollection<StoredDay>(connection, 'journal_days', 'live');
  const entries = bookCollection<JournalEntry>(connection, 'journal_entries', 'live');

  return {
    /** Every holder has an answer, if only an empty one; one query for all, so that opening and days are of one moment. */
    async read(
      holders: readonly string[],
      { from, to, currencies, accountId }: DayRange,
    ): Promise<Map<string, HolderDays>> {
      const groups = await reading(
        days
          .aggregate<DayGroup>([
            {
              $match: {
                holder: { $in: [...holders] },
                ...inOneOf(holders.map(slotOfHolder)),
                day: { $lte: to },
                ...withoutUndefined({ accountId, currency: currencies ? { $in: [...currencies] } : undefined }),
              },
            },
            {
              $group: {
                _id: {
                  holder: '$holder',
                  currency: '$currency',
                  day: { $cond: [{ $lt: ['$day', from] }, '', '$day'] },
                },
                creditsMinor: { $sum: '$creditsMinor' },
                creditsCount: { $sum: '$creditsCount' },
                debitsMinor: { $sum: '$debitsMinor' },
                debitsCount: { $sum: '$debitsCount' },
              },
            },
          ])
          .toArray(),
      );
      const found = new Map<string, HolderDays>(holders.map((holder) => [holder, { days: [], carried: new Map() }]));
      for (const group of groups) addGroup(found.get(group._id.holder), group);
      return found;
    },
    /** The totals of those days counted from their entries, in the order of the keys. */
    async recount(environment: Environment, keys: readonly DayKey[]): Promise<DayTotals[]> {
      const unique = (values: string[]) => [...new Set(values)];
      const groups = await reading(
        entries
          .aggregate<EntryGroup>([
            {
              $match: {
                environment,
                merchantId: { $in: unique(keys.map(({ merchantId }) => merchantId)) },
                currency: { $in: unique(keys.map(({ currency }) => currency)) },
                day: { $in: unique(keys.map(({ day }) => day)) },
                ...ofSlotOf(...keys.map(({ merchantId }) => merchantId)),
              },
            },
            ...groupingEntries,
          ])
          .toArray(),
      );
      const counted = new Map<string, DayTotals>();
      for (const group of groups) {
        const key = keyOf(group._id);
        counted.set(key, addTotals(counted.get(key) ?? nothing, totalsOfGroup(group)));
      }
      return keys.map((key) => counted.get(keyOf(key)) ?? nothing);
    },
  };
}

function addGroup(holder: HolderDays | undefined, { _id: { currency, day }, ...totals }: DayGroup): void {
  const creditsMinor = BigInt(totals.creditsMinor);
  const debitsMinor = BigInt(totals.debitsMinor);
  if (day === '') holder?.carried.set(currency, creditsMinor - debitsMinor);
  else holder?.days.push({ ...totals, currency, day, creditsMinor, debitsMinor });
}

interface EntryGroup {
  _id: DayKey & { action: EntryAction; isNegative: boolean };
  amount: bigint | number;
  fees: bigint | number;
  count: number;
  feeCount: number;
}

const fee = { $add: ['$flexibleFeeMinor', '$fixedFeeMinor'] };

const groupingEntries: Document[] = [
  {
    $group: {
      _id: {
        merchantId: '$merchantId',
        currency: '$currency',
        day: '$day',
        action: '$action',
        isNegative: { $lt: ['$amountMinor', 0] },
      },
      amount: { $sum: '$amountMinor' },
      fees: { $sum: fee },
      count: { $sum: 1 },
      feeCount: { $sum: { $cond: [{ $gt: [fee, 0] }, 1, 0] } },
    },
  },
];

/** Written out again on purpose: the check must not share the rule that it checks. */
function totalsOfGroup({ _id: { action, isNegative }, amount, fees, count, feeCount }: EntryGroup): DayTotals {
  const isCredit = action === 'CHARGE' || action === 'DEPOSIT' || (action === 'ADJUSTMENT' && !isNegative);
  const size = isNegative ? -BigInt(amount) : BigInt(amount);
  return {
    creditsMinor: isCredit ? size : 0n,
    creditsCount: isCredit ? count : 0,
    debitsMinor: (isCredit ? 0n : size) + BigInt(fees),
    debitsCount: (isCredit ? 0 : count) + feeCount,
  };
}

function keyOf({ merchantId, currency, day }: DayKey): string {
  return JSON.stringify([merchantId, currency, day]);
}
