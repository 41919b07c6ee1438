// The quote of an application: what the merchant was offered, with every fee (onboarding interface, quote).

import { type FieldReader, fields, flag, list, oneOf, refuseField, text, wholeNumber } from '../../shared/field-reader';
import { isCurrency } from '../../shared/money';
import { type PaymentTypeWord, paymentTypes } from '../../shared/vocabulary/payment-type';
import type { ConfiguredWords } from '../configured-words';

/** AMT and TAMT: ten-thousandths of the amount. QTY and TQTY: minor units each. */
export const feeTypes = ['AMT', 'TAMT', 'QTY', 'TQTY'] as const;
export const itemTypes = ['TRANS', 'SUB'] as const;
export const quotedVariants = {
  paymentMethodVariant1: ['DEBIT', 'CREDIT'],
  paymentMethodVariant2: ['CONSUMER', 'CORPORATE'],
  paymentMethodVariant3: ['EEA', 'NON-EEA'],
} as const;

export interface QuoteFee {
  paymentActionType: string;
  feeType: (typeof feeTypes)[number];
  unitPrice: number;
  priceVAT: number;
  itemType: (typeof itemTypes)[number];
}

export interface QuoteMethod {
  paymentMethodProvider: string;
  optional: boolean;
  selected: boolean;
  fees: QuoteFee[];
  paymentMethodVariant1?: string;
  paymentMethodVariant2?: string;
  paymentMethodVariant3?: string;
}

export interface QuoteOption {
  itemNo: string;
  paymentType: PaymentTypeWord;
  paymentMethods: QuoteMethod[];
}

export interface Quote {
  documentNo: string;
  currency: string;
  signon: number;
  subscription: number;
  paymentOptions: QuoteOption[];
}

const listItemsMax = 100;

/** An active ISO 4217 alphabetic code; refuses with `currencyInvalid`. */
export const readCurrency: FieldReader<string> = (value, field) =>
  isCurrency(value) ? value : refuseField(field, 'must be an ISO 4217 alphabetic code', 'currencyInvalid');

export function quoteReader(words: ConfiguredWords): FieldReader<Quote> {
  const fee = fields({
    paymentActionType: oneOf(words.feeActions),
    feeType: oneOf(feeTypes),
    unitPrice: wholeNumber,
    priceVAT: wholeNumber,
    itemType: oneOf(itemTypes),
  });
  const method = fields(
    {
      paymentMethodProvider: oneOf(words.methodProviders),
      optional: flag,
      selected: flag,
      fees: list(fee, listItemsMax),
    },
    {
      paymentMethodVariant1: oneOf(quotedVariants.paymentMethodVariant1),
      paymentMethodVariant2: oneOf(quotedVariants.paymentMethodVariant2),
      paymentMethodVariant3: oneOf(quotedVariants.paymentMethodVariant3),
    },
  );
  const option = fields({
    itemNo: text(),
    paymentType: oneOf(paymentTypes),
    paymentMethods: list(method, listItemsMax),
  });
  return fields({
    documentNo: text(),
    currency: readCurrency,
    signon: wholeNumber,
    subscription: wholeNumber,
    paymentOptions: list(option, listItemsMax),
  });
}
