// The arithmetic of a payout and of a balance, done again from their parts, so that a difference shows.
import type { BalanceDaysQuery, EntryRowFragment, PayoutRowFragment } from './queries';

/** What is paid out beyond, or short of, its parts; minor units. */
export function differenceOf({ amount, sums }: Pick<PayoutRowFragment, 'amount' | 'sums'>): bigint {
  const gained = BigInt(sums.charged) + BigInt(sums.deposited) + BigInt(sums.adjustments);
  const taken = BigInt(sums.refunded) + BigInt(sums.fees) + BigInt(sums.chargebacks);
  return BigInt(amount) - (gained - taken);
}

type Balance = BalanceDaysQuery['balances'][number];

/** What a day closed with beyond, or short of, its opening and its bookings; minor units. */
export function balanceDifference({ opening, credits, debits, closing }: Balance): bigint {
  return BigInt(closing) - (BigInt(opening) + BigInt(credits) - BigInt(debits));
}

export function negated(minor: string): string {
  return String(-BigInt(minor));
}

const takenAway: ReadonlySet<EntryRowFragment['action']> = new Set(['REFUND', 'CHARGEBACK', 'PAYOUT']);

/** What an entry is to the merchant's balance before its fee, in minor units: negative for what left it. */
export function entryGain({ action, amount }: Pick<EntryRowFragment, 'action' | 'amount'>): string {
  return takenAway.has(action) ? negated(amount) : amount;
}
