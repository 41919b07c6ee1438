// What the rows of the books hold: days, entries, balances and payouts.
import { dayOf, type Maker, merchants, rowId } from './row-place';

/** Of few payouts they make the amount, so that their actions are looked at. */
const sumsOf = (chargedMinor: number) => ({
  chargedMinor,
  refundedMinor: 0,
  depositedMinor: 0,
  feesMinor: 0,
  chargebacksMinor: 0,
  adjustmentsMinor: 0,
});

export const bookMakers = {
  payouts: ({ index, isRare, at }) => ({
    number: index + 1,
    date: dayOf(index),
    currency: isRare ? 'JPY' : 'EUR',
    reference: 'x',
    iban: null,
    bic: null,
    closedAt: at,
    amountMinor: 1,
    ...sumsOf(index % 100 === 0 ? 1 : 2),
    actionCount: 1_000,
    runs: [{ from: 1, to: 1_000 }],
    upToSerial: 1_000,
  }),
  journal_days: ({ index, word }) => ({
    holder: `sandbox:merchant:${word('merchant')}`,
    day: dayOf(index),
    currency: 'EUR',
    creditsMinor: 1,
    creditsCount: 1,
    debitsMinor: 0,
    debitsCount: 0,
  }),
  // A merchant has a book for each of its currencies.
  journal_books: ({ index, isRare }) => ({
    merchantId: `merchant-${index === 5 ? 0 : index}`,
    currency: isRare ? 'JPY' : 'EUR',
    serial: index,
    balanceMinor: isRare ? 7 : 100 + (index % 1_000),
  }),
  journal_entries: ({ index, isRare, at }) => ({
    currency: isRare ? 'JPY' : 'EUR',
    serial: isRare ? index + 1 : Math.floor(index / merchants) + 1,
    day: dayOf(0),
    position: index,
    action: isRare ? 'CHARGEBACK' : 'CHARGE',
    occurredAt: at,
    actionId: rowId(index),
    amountMinor: isRare ? 7 : 100 + (index % 1_000),
    flexibleFeeMinor: 0,
    fixedFeeMinor: 0,
    postings: [],
  }),
} satisfies Record<string, Maker>;
