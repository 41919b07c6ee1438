// Payouts: what a merchant is paid for the actions of its days, and how closing days makes them (reporting interface, Payout; payout arithmetic of 2.3-C, closing of 2.6 of the decision register).
import type { Book, PayableAction } from '../journal/journal';
import type { Run } from '../journal/runs';

/** Sums over the actions of a payout, in minor units. */
export interface PayoutSums {
  chargedMinor: bigint;
  refundedMinor: bigint;
  depositedMinor: bigint;
  feesMinor: bigint;
  chargebacksMinor: bigint;
  /** Signed. */
  adjustmentsMinor: bigint;
  chargeCount: number;
  refundCount: number;
  depositCount: number;
  /** All actions, chargebacks and adjustments too. */
  actionCount: number;
}

/** Closed when it is made, and never changed afterwards. */
export interface Payout extends Book, PayoutSums {
  payoutId: string;
  /** 1, 2, 3 ... within its book. */
  number: number;
  /** The day that was closed, YYYY-MM-DD. */
  date: string;
  /** On bank statements. */
  reference: string;
  iban: string | null;
  bic: string | null;
  amountMinor: bigint;
  /** The serials of its actions in the book. */
  runs: Run[];
  /** The last serial that it could have taken. */
  upToSerial: number;
  closedAt: Date;
}

export const noSums: PayoutSums = {
  chargedMinor: 0n,
  refundedMinor: 0n,
  depositedMinor: 0n,
  feesMinor: 0n,
  chargebacksMinor: 0n,
  adjustmentsMinor: 0n,
  chargeCount: 0,
  refundCount: 0,
  depositCount: 0,
  actionCount: 0,
};

const sumNames = Object.keys(noSums) as (keyof PayoutSums)[];

export function addSums(one: PayoutSums, other: PayoutSums): PayoutSums {
  const added = sumNames.map((name) => [name, plus(one[name], other[name])]);
  return Object.fromEntries(added) as unknown as PayoutSums;
}

function plus(one: bigint | number, other: bigint | number): bigint | number {
  return typeof one === 'bigint' ? one + BigInt(other) : one + Number(other);
}

export function areSameSums(one: PayoutSums, other: PayoutSums): boolean {
  return sumNames.every((name) => one[name] === other[name]);
}

/** amount = charged − refunded + deposited − fees − chargebacks + adjustments. */
export function payoutAmountOf(sums: PayoutSums): bigint {
  const gained = sums.chargedMinor + sums.depositedMinor + sums.adjustmentsMinor;
  return gained - sums.refundedMinor - sums.feesMinor - sums.chargebacksMinor;
}

/** What so many actions of one kind add to the sums of their payout. */
export function sumsOf(
  action: PayableAction,
  { amountMinor, feesMinor, count }: { amountMinor: bigint; feesMinor: bigint; count: number },
): PayoutSums {
  const when = (name: PayableAction) => (action === name ? amountMinor : 0n);
  const countWhen = (name: PayableAction) => (action === name ? count : 0);
  return {
    chargedMinor: when('CHARGE'),
    refundedMinor: when('REFUND'),
    depositedMinor: when('DEPOSIT'),
    feesMinor,
    chargebacksMinor: when('CHARGEBACK'),
    adjustmentsMinor: when('ADJUSTMENT'),
    chargeCount: countWhen('CHARGE'),
    refundCount: countWhen('REFUND'),
    depositCount: countWhen('DEPOSIT'),
    actionCount: count,
  };
}

/** The open actions of one day of a book. */
export interface OpenDay {
  day: string;
  sums: PayoutSums;
}

export interface PlannedPayout {
  date: string;
  /** The first of the days whose actions it pays; the last is `date`. */
  fromDay: string;
  sums: PayoutSums;
}

/** Closes days in their order: a day that is not positive with what it was left makes none, and its actions wait for the next that is. */
export function decidePayouts(openDays: readonly OpenDay[]): PlannedPayout[] {
  const planned: PlannedPayout[] = [];
  let waiting: OpenDay | null = null;
  for (const { day, sums } of [...openDays].sort((a, b) => (a.day < b.day ? -1 : 1))) {
    const all: PayoutSums = waiting ? addSums(waiting.sums, sums) : sums;
    const fromDay: string = waiting?.day ?? day;
    if (payoutAmountOf(all) > 0n) {
      planned.push({ date: day, fromDay, sums: all });
      waiting = null;
    } else waiting = { day: fromDay, sums: all };
  }
  return planned;
}

/** Several as one, dated as the last. */
export function joinPlans(first: PlannedPayout, ...others: readonly PlannedPayout[]): PlannedPayout {
  return others.reduce((all, { date, sums }) => ({ date, fromDay: all.fromDay, sums: addSums(all.sums, sums) }), first);
}

/** Fits the 35 characters of a bank statement and their alphabet. */
export function payoutReferenceText(date: string, payoutId: string): string {
  return `PAYOUT ${date.replaceAll('-', '')} ${payoutId.slice(0, 8).toUpperCase()}`;
}

const payoutReferenceShape = /^payout (\d{4})(\d\d)(\d\d) ([0-9a-f]{8})$/i;

/** The day of the payout that such a reference is of, and how its id begins; null when it is none. */
export function readPayoutReference(text: string): { date: string; idBegin: string } | null {
  const [, year, month, day, idBegin] = payoutReferenceShape.exec(text) ?? [];
  return idBegin ? { date: `${year}-${month}-${day}`, idBegin: `${idBegin.toLowerCase()}-` } : null;
}
