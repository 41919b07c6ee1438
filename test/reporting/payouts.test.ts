// Closing days, sets of serials and the chain of balances, without a database (reporting interface; payout and balance arithmetic of 2.3-C of the decision register).
import { type Day, decideBalances, totalsOf } from '../../subgraphs/reporting/journal/balance';
import {
  addDays,
  assertBalanced,
  isDay,
  type JournalEntry,
  postingsOf,
} from '../../subgraphs/reporting/journal/journal';
import { type Run, runsOf, runsSliceOf, serialCountOf, without } from '../../subgraphs/reporting/journal/runs';
import {
  decidePayouts,
  noSums,
  type PayoutSums,
  payoutAmountOf,
  payoutReferenceText,
  sumsOf,
} from '../../subgraphs/reporting/payouts/payout';
import { dueDay } from '../../subgraphs/reporting/payouts/schedule.service';
import { newId } from '../../subgraphs/shared/ids';
import fc from '../support/properties';

const entry = (action: JournalEntry['action'], amountMinor: bigint, fee = 0n): JournalEntry => ({
  environment: 'sandbox',
  accountId: 'a',
  merchantId: 'm',
  currency: 'EUR',
  entryId: newId(),
  position: 1,
  action,
  amountMinor,
  serial: 1,
  day: '2026-03-01',
  occurredAt: new Date(0),
  actionId: newId(),
  flexibleFeeMinor: fee,
  fixedFeeMinor: 0n,
  paymentId: null,
  paymentMethod: null,
  paymentType: null,
  reference: null,
  postings: postingsOf({ action, amountMinor }, fee),
});

describe('postings', () => {
  test.each([
    ['CHARGE', 1_000n, 15n, { acquirerReceivable: 1_000n, merchantPayable: -985n, feeIncome: -15n }],
    ['REFUND', 1_000n, 5n, { acquirerReceivable: -1_000n, merchantPayable: 1_005n, feeIncome: -5n }],
    ['DEPOSIT', 700n, 0n, { bank: 700n, merchantPayable: -700n }],
    ['CHARGEBACK', 300n, 0n, { chargebacks: -300n, merchantPayable: 300n }],
    ['ADJUSTMENT', 40n, 0n, { adjustments: 40n, merchantPayable: -40n }],
    ['ADJUSTMENT', -40n, 0n, { adjustments: -40n, merchantPayable: 40n }],
    ['PAYOUT', 500n, 0n, { bank: -500n, merchantPayable: 500n }],
  ] as const)('of a %s of %d with fee %d', (action, amountMinor, fee, expected) => {
    const sums: Record<string, bigint> = {};
    for (const { account, minor } of postingsOf({ action, amountMinor }, fee))
      sums[account] = (sums[account] ?? 0n) + minor;
    expect(sums).toEqual(expected);
  });

  test('that do not sum to zero are never written', () => {
    const postings = [{ account: 'bank' as const, minor: 1n }];
    expect(() => assertBalanced({ entryId: 'e', postings })).toThrow('is not balanced');
  });
});

describe('closing days', () => {
  const sums = (amount: bigint): PayoutSums =>
    amount >= 0n
      ? { ...noSums, chargedMinor: amount, actionCount: 1 }
      : { ...noSums, refundedMinor: -amount, actionCount: 1 };
  test.each([
    ['each day its own payout', '01:5 02:7', '01-01:5 02-02:7'],
    ['whatever order they come in', '02:7 01:5', '01-01:5 02-02:7'],
    ['a negative day waits for the next', '01:-5 02:7', '01-02:2'],
    ['so does a day of nothing', '01:0 02:7', '01-02:7'],
    ['a loss is carried over several days', '01:-9 02:4 03:4 04:4', '01-04:3'],
    ['nothing is paid back', '01:5 02:-7', '01-01:5'],
    ['no days, no payouts', '', ''],
  ])('%s', (_name, days, expected) => {
    const open = days
      .split(' ')
      .filter(Boolean)
      .map((each) => each.split(':'));
    const planned = decidePayouts(open.map(([day = '', amount = '']) => ({ day, sums: sums(BigInt(amount)) })));
    expect(planned.map((one) => `${one.fromDay}-${one.date}:${payoutAmountOf(one.sums)}`).join(' ')).toBe(expected);
  });
});

describe('a payout', () => {
  test('amount = charged − refunded + deposited − fees − chargebacks + adjustments', () => {
    const all = [
      sumsOf('CHARGE', { amountMinor: 1_000n, feesMinor: 15n, count: 2 }),
      sumsOf('REFUND', { amountMinor: 200n, feesMinor: 3n, count: 1 }),
      sumsOf('DEPOSIT', { amountMinor: 50n, feesMinor: 0n, count: 1 }),
      sumsOf('CHARGEBACK', { amountMinor: 70n, feesMinor: 0n, count: 1 }),
      sumsOf('ADJUSTMENT', { amountMinor: -9n, feesMinor: 0n, count: 1 }),
    ];
    expect(all.map(payoutAmountOf)).toEqual([985n, -203n, 50n, -70n, -9n]);
  });

  test('a reference fits a bank statement', () => {
    expect(payoutReferenceText('2026-03-01', newId())).toMatch(/^PAYOUT 20260301 [0-9A-F]{8}$/);
  });

  test.each([
    ['2026-03-02T01:59:59.999Z', '2026-02-28'],
    ['2026-03-02T02:00:00.000Z', '2026-03-01'],
    ['2026-03-02T23:59:59.000Z', '2026-03-01'],
  ])('at %s the day due is %s', (now, day) => {
    expect(dueDay(new Date(now))).toBe(day);
  });
});

describe('sets of serials', () => {
  const serials = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).map((all) => all.sort((a, b) => a - b));
  const spread = (runs: readonly Run[]) =>
    runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));

  test('hold, lose and slice what the plain list does', () => {
    fc.assert(
      fc.property(serials, serials, fc.nat(70), fc.integer({ min: 1, max: 20 }), (all, some, skip, size) => {
        expect(spread(runsOf(all))).toEqual(all);
        expect(serialCountOf(runsOf(all))).toBe(all.length);
        expect(spread(without(runsOf(all), runsOf(some)))).toEqual(all.filter((one) => !some.includes(one)));
        expect(spread(runsSliceOf(runsOf(all), skip, size))).toEqual(all.slice(skip, skip + size));
      }),
      { numRuns: 300 },
    );
  });
});

describe('balances', () => {
  test('chain: each day opens with what the day before closed with, per currency', () => {
    const day = (on: string, currency: string, credits: bigint, debits: bigint): Day => ({
      day: on,
      currency,
      creditsMinor: credits,
      creditsCount: 1,
      debitsMinor: debits,
      debitsCount: 1,
    });
    const days = [day('02', 'EUR', 5n, 9n), day('01', 'EUR', 10n, 2n), day('01', 'SEK', 1n, 0n)];
    const chained = decideBalances(days, new Map([['EUR', 100n]]));
    const seen = chained.map(({ currency, day: on, openingMinor, closingMinor }) => [
      currency,
      on,
      openingMinor,
      closingMinor,
    ]);
    expect(seen).toEqual([
      ['EUR', '01', 100n, 108n],
      ['EUR', '02', 108n, 104n],
      ['SEK', '01', 0n, 1n],
    ]);
  });

  test.each([
    ['CHARGE', 100n, 3n, [100n, 1, 3n, 1]],
    ['CHARGE', 100n, 0n, [100n, 1, 0n, 0]],
    ['REFUND', 100n, 3n, [0n, 0, 103n, 2]],
    ['DEPOSIT', 100n, 0n, [100n, 1, 0n, 0]],
    ['CHARGEBACK', 100n, 0n, [0n, 0, 100n, 1]],
    ['ADJUSTMENT', 100n, 0n, [100n, 1, 0n, 0]],
    ['ADJUSTMENT', -100n, 0n, [0n, 0, 100n, 1]],
    ['PAYOUT', 100n, 0n, [0n, 0, 100n, 1]],
  ] as const)('a %s of %d with fee %d counts', (action, amountMinor, fee, expected) => {
    expect(Object.values(totalsOf(entry(action, amountMinor, fee)))).toEqual(expected);
  });

  test.each([
    ['2026-02-28', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-2-1', false],
    ['', false],
  ])('%p is a day: %p', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });

  test('days are counted over months and leap years', () => {
    expect([addDays('2024-02-28', 1), addDays('2026-03-01', -1), addDays('2026-01-01', 365)]).toEqual([
      '2024-02-29',
      '2026-02-28',
      '2027-01-01',
    ]);
  });
});
