// What a merchant pays for an action: the fee lines of its quote that match, in whole minor units (onboarding interface, quote; 2.5 of the decision register).
import { amountMinorMax } from '../../shared/money';

export const chargedFeeTypes = ['AMT', 'TAMT', 'QTY', 'TQTY'] as const;
type FeeType = (typeof chargedFeeTypes)[number];

/** One fee of a quote that is in force: it belongs to a selected method and is charged per transaction. */
export interface FeeLine {
  /** CARD, INVOICE, A2A, INSTALLMENT, WALLET. */
  paymentType: string;
  /** CHARGE, REFUND, or a code of the installation that no action of ours has. */
  actionType: string;
  feeType: FeeType;
  /** AMT, TAMT: hundredths of a percent of the amount. QTY, TQTY: minor units of the quote's currency. */
  unitPrice: bigint;
}

export interface FeeSchedule {
  /** ISO 4217 alphabetic code of the fixed fees. */
  currency: string;
  lines: FeeLine[];
}

export interface Fee {
  flexibleMinor: bigint;
  fixedMinor: bigint;
}

const partsOfWhole = 10_000n;

/**
 * The fee of one CHARGE or REFUND: the sum of the lines of its payment type and action. Shares are rounded half up, each line by itself.
 * Fixed fees are minor units of the quote's currency, so they count in that currency only; shares count in every one.
 * It is never more than the largest amount: beyond 64 bits what is stored would turn into a credit.
 */
export function decideFee(
  schedule: FeeSchedule | null,
  action: { action: 'CHARGE' | 'REFUND'; paymentType: string; amountMinor: bigint; currency: string },
): Fee {
  const fee: Fee = { flexibleMinor: 0n, fixedMinor: 0n };
  for (const line of schedule?.lines ?? []) {
    if (line.actionType !== action.action || line.paymentType !== action.paymentType) continue;
    if (isShare(line.feeType)) fee.flexibleMinor += shareOf(action.amountMinor, line.unitPrice);
    else if (schedule?.currency === action.currency) fee.fixedMinor += line.unitPrice;
  }
  const flexibleMinor = lesser(fee.flexibleMinor, amountMinorMax);
  return { flexibleMinor, fixedMinor: lesser(fee.fixedMinor, amountMinorMax - flexibleMinor) };
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** `unitPrice`/10000 of the amount, half up: 2.5 minor units become 3. */
export function shareOf(amountMinor: bigint, unitPrice: bigint): bigint {
  return (amountMinor * unitPrice + partsOfWhole / 2n) / partsOfWhole;
}

function isShare(feeType: FeeType): boolean {
  return feeType === 'AMT' || feeType === 'TAMT';
}

interface QuotedFee {
  paymentActionType: string;
  feeType: FeeType;
  unitPrice: number | string;
  itemType: string;
}

interface QuotedMethod {
  paymentMethodProvider: string;
  selected: boolean;
  fees: QuotedFee[];
  paymentMethodVariant1?: string;
  paymentMethodVariant2?: string;
  paymentMethodVariant3?: string;
}

/** The parts of a quote that fees are read from, as the onboarding event carries them. */
export interface FeeTerms {
  currency: string;
  paymentOptions: { paymentType: string; paymentMethods: QuotedMethod[] }[];
}

/**
 * What is known of a card without its issuer: it counts as an ordinary one, as the page rules of a payment take it (payment service,
 * payPageConfiguration; 2.3-C of the decision register).
 */
const ordinaryVariants: readonly (string | undefined)[] = [undefined, 'CREDIT', 'CONSUMER', 'EEA'];

function isOrdinary(method: QuotedMethod): boolean {
  const { paymentMethodVariant1, paymentMethodVariant2, paymentMethodVariant3 } = method;
  return [paymentMethodVariant1, paymentMethodVariant2, paymentMethodVariant3].every((variant) =>
    ordinaryVariants.includes(variant ?? undefined),
  );
}

/** The lines of the selected methods that are charged per transaction; of a provider's methods under one type those for ordinary cards, else the first. */
export function readFeeSchedule({ currency, paymentOptions }: FeeTerms): FeeSchedule {
  const byProvider = new Map<string, { paymentType: string; methods: QuotedMethod[] }>();
  for (const { paymentType, paymentMethods } of paymentOptions) {
    for (const method of paymentMethods.filter(({ selected }) => selected)) {
      const key = `${paymentType} ${method.paymentMethodProvider}`;
      const methods = [...(byProvider.get(key)?.methods ?? []), method];
      byProvider.set(key, { paymentType, methods });
    }
  }
  const lines = [...byProvider.values()].flatMap(({ paymentType, methods }) => {
    const ordinary = methods.filter(isOrdinary);
    return (ordinary.length > 0 ? ordinary : methods.slice(0, 1)).flatMap(({ fees }) => feeLines(paymentType, fees));
  });
  return { currency, lines };
}

function feeLines(paymentType: string, fees: readonly QuotedFee[]): FeeLine[] {
  return fees
    .filter(({ itemType }) => itemType === 'TRANS')
    .map(({ paymentActionType, feeType, unitPrice }) => ({
      paymentType,
      actionType: paymentActionType,
      feeType,
      unitPrice: BigInt(unitPrice),
    }));
}
