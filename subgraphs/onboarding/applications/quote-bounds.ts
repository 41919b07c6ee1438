// What a quote may ask of one payment before it is approved: shares up to the whole of it, and fixed prices up to the largest amount (onboarding interface, quote).
import { DomainError } from '../../shared/errors';
import { amountMinorMax } from '../../shared/money';
import { type Quote, type QuoteFee, type QuoteMethod, quotedVariants } from './quote';

const wholeShare = 10_000n;

type PriceSums = Record<'share' | 'fixed', bigint>;

/** Each kind of card that a quote can tell apart: a payment is made with one of them. */
const cards = quotedVariants.paymentMethodVariant1.flatMap((paymentMethodVariant1) =>
  quotedVariants.paymentMethodVariant2.flatMap((paymentMethodVariant2) =>
    quotedVariants.paymentMethodVariant3.map((paymentMethodVariant3) => ({
      paymentMethodVariant1,
      paymentMethodVariant2,
      paymentMethodVariant3,
    })),
  ),
);

/** Refuses with `invalidData` a quote by which one payment or refund would cost more than anybody can pay. */
export function assertPayable({ paymentOptions }: Pick<Quote, 'paymentOptions'>): void {
  const types = new Set(paymentOptions.map(({ paymentType }) => paymentType));
  for (const type of types) {
    const options = paymentOptions.filter(({ paymentType }) => paymentType === type);
    const methods = options.flatMap(({ paymentMethods }) => paymentMethods).filter(({ selected }) => selected);
    for (const card of cards) {
      const fees = methods.filter((method) => isFor(method, card)).flatMap((method) => method.fees);
      for (const [action, sums] of sumsByAction(fees)) assertSums(`${type} ${action}`, sums);
    }
  }
}

function isFor(method: QuoteMethod, card: (typeof cards)[number]): boolean {
  const names = Object.keys(quotedVariants) as (keyof typeof quotedVariants)[];
  return names.every((name) => (method[name] ?? card[name]) === card[name]);
}

/** Of what is charged for each transaction. */
function sumsByAction(fees: readonly QuoteFee[]): Map<string, PriceSums> {
  const sums = new Map<string, PriceSums>();
  for (const { paymentActionType, feeType, unitPrice, itemType } of fees) {
    if (itemType !== 'TRANS') continue;
    const { share, fixed } = sums.get(paymentActionType) ?? { share: 0n, fixed: 0n };
    const isShare = feeType === 'AMT' || feeType === 'TAMT';
    const price = BigInt(unitPrice);
    sums.set(paymentActionType, isShare ? { share: share + price, fixed } : { share, fixed: fixed + price });
  }
  return sums;
}

function assertSums(of: string, { share, fixed }: PriceSums): void {
  const field = 'quote.paymentOptions';
  if (share > wholeShare)
    throw new DomainError('invalidData', `The shares of ${of} in the quote are more than the whole amount together.`, {
      field,
    });
  if (fixed > amountMinorMax)
    throw new DomainError(
      'invalidData',
      `The fixed prices of ${of} in the quote are above ${amountMinorMax} together.`,
      {
        field,
      },
    );
}
