// Fees by the quote, row by row (onboarding interface, quote; 2.5 of the decision register).

import { decideFee, type FeeTerms, readFeeSchedule, shareOf } from '../../subgraphs/reporting/journal/fees';
import { paymentTypeOf } from '../../subgraphs/reporting/journal/payment-type';
import { amountMinorMax } from '../../subgraphs/shared/money';

type QuotedFee = FeeTerms['paymentOptions'][number]['paymentMethods'][number]['fees'][number];

const fee = (change: Partial<QuotedFee> = {}): QuotedFee => ({
  paymentActionType: 'CHARGE',
  feeType: 'AMT',
  unitPrice: 150,
  itemType: 'TRANS',
  ...change,
});
const method = (fees: QuotedFee[], change: object = {}) => ({
  paymentMethodProvider: 'PROVIDER_CODE_1',
  selected: true,
  fees,
  ...change,
});
const quote = (...paymentMethods: ReturnType<typeof method>[]): FeeTerms => ({
  currency: 'EUR',
  paymentOptions: [{ paymentType: 'CARD', paymentMethods }],
});
/** What a quote may say of a price. */
const beyond = Number.MAX_SAFE_INTEGER;
const charge = { action: 'CHARGE' as const, paymentType: 'CARD', amountMinor: 10_000n, currency: 'EUR' };

describe('shares', () => {
  test.each([
    ['exact', 10_000n, 150n, 150n],
    ['just below a half', 3_333n, 1n, 0n],
    ['a half goes up', 5_000n, 1n, 1n],
    ['2.5 becomes 3', 250n, 100n, 3n],
    ['nothing of nothing', 0n, 150n, 0n],
    ['the whole', 999n, 10_000n, 999n],
    ['beyond what a double holds', 999_999_999_999n, 9_999n, 999_899_999_999n],
  ])('%s', (_name, amount, unitPrice, expected) => {
    expect(shareOf(amount, unitPrice)).toBe(expected);
  });
});

describe('the fee of an action', () => {
  test.each<[string, FeeTerms, object, bigint, bigint]>([
    ['share of the amount', quote(method([fee()])), {}, 150n, 0n],
    ['TAMT is one too', quote(method([fee({ feeType: 'TAMT' })])), {}, 150n, 0n],
    ['a fixed price', quote(method([fee({ feeType: 'QTY', unitPrice: 25 })])), {}, 0n, 25n],
    ['TQTY is one too', quote(method([fee({ feeType: 'TQTY', unitPrice: 25 })])), {}, 0n, 25n],
    [
      'the sum of all lines',
      quote(method([fee(), fee({ unitPrice: 50 }), fee({ feeType: 'QTY', unitPrice: 25 })])),
      {},
      200n,
      25n,
    ],
    [
      'each line is rounded by itself',
      quote(method([fee({ unitPrice: 1 }), fee({ unitPrice: 1 })])),
      { amountMinor: 5_000n },
      2n,
      0n,
    ],
    ['another action has its own', quote(method([fee({ paymentActionType: 'REFUND' })])), {}, 0n, 0n],
    [
      'a refund pays that of refunds',
      quote(method([fee({ paymentActionType: 'REFUND', unitPrice: 10 })])),
      { action: 'REFUND' },
      10n,
      0n,
    ],
    ['another payment type has its own', quote(method([fee()])), { paymentType: 'INVOICE' }, 0n, 0n],
    ['what was not selected costs nothing', quote(method([fee()], { selected: false })), {}, 0n, 0n],
    ['a subscription is no fee of an action', quote(method([fee({ itemType: 'SUB' })])), {}, 0n, 0n],
    [
      'providers add up',
      quote(method([fee()]), method([fee()], { paymentMethodProvider: 'PROVIDER_CODE_2' })),
      {},
      300n,
      0n,
    ],
    [
      'in another currency only shares count',
      quote(method([fee(), fee({ feeType: 'QTY', unitPrice: 25 })])),
      { currency: 'SEK' },
      150n,
      0n,
    ],
    ['no share is more than the largest amount', quote(method([fee({ unitPrice: beyond })])), {}, amountMinorMax, 0n],
    ['nor is a fixed price', quote(method([fee({ feeType: 'QTY', unitPrice: beyond })])), {}, 0n, amountMinorMax],
    [
      'nor are both together',
      quote(method([fee(), fee({ feeType: 'QTY', unitPrice: beyond })])),
      {},
      150n,
      amountMinorMax - 150n,
    ],
  ])('%s', (_name, from, change, flexibleMinor, fixedMinor) => {
    expect(decideFee(readFeeSchedule(from), { ...charge, ...change })).toEqual({ flexibleMinor, fixedMinor });
  });

  test('without a quote there is none', () => {
    expect(decideFee(null, charge)).toEqual({ flexibleMinor: 0n, fixedMinor: 0n });
  });
});

describe('the methods of one provider', () => {
  test.each<[string, FeeTerms, bigint]>([
    ['methods of one provider add up', quote(method([fee()]), method([fee({ unitPrice: 900 })])), 1050n],
    [
      'of variants those for an ordinary card count',
      quote(
        method([fee({ unitPrice: 1 })], { paymentMethodVariant1: 'DEBIT' }),
        method([fee()], { paymentMethodVariant1: 'CREDIT', paymentMethodVariant3: 'EEA' }),
        method([fee({ unitPrice: 2 })], { paymentMethodVariant1: 'CREDIT', paymentMethodVariant3: 'NON-EEA' }),
        method([fee({ unitPrice: 3 })], { paymentMethodVariant2: 'CORPORATE' }),
        method([fee({ unitPrice: 900 })], { paymentMethodVariant2: 'CONSUMER', paymentMethodVariant3: null }),
      ),
      1050n,
    ],
    [
      'where no variant is for an ordinary card, the one named first counts',
      quote(
        method([fee()], { paymentMethodVariant1: 'DEBIT', selected: false }),
        method([fee({ unitPrice: 7 })], { paymentMethodVariant1: 'DEBIT' }),
        method([fee({ unitPrice: 9 })], { paymentMethodVariant3: 'NON-EEA' }),
      ),
      7n,
    ],
  ])('%s', (_name, from, flexibleMinor) => {
    expect(decideFee(readFeeSchedule(from), charge)).toEqual({ flexibleMinor, fixedMinor: 0n });
  });
});

test.each([
  ['CARD', 'VISA', 'CARD'],
  ['APM', 'PAYPAL', 'WALLET'],
  ['APM', 'MYBANK', 'A2A'],
  ['APM', 'INVOICE', 'INVOICE'],
  ['APM', null, 'WALLET'],
])('%s with circuit %s is %s', (kind, circuit, expected) => {
  expect(paymentTypeOf(kind, circuit)).toBe(expected);
});
