// A create-payment request of family A, read into a value that cannot be wrong (payment service, Create-payment request; 2.2-A of the decision register).
import { countriesAlpha2 } from '../../shared/countries';
import { DomainError } from '../../shared/errors';
import {
  emailAddress,
  type FieldReader,
  type FieldsOf,
  flag,
  freeText,
  int32Max,
  integer,
  list,
  oneOf,
  optionalFields,
  percentage,
  refuseField,
  text,
  webAddress,
} from '../../shared/field-reader';
import { isCurrency } from '../../shared/money';
import { withoutUndefined } from '../../shared/present-members';
import type { ConfiguredNames } from '../configured-names';
import { assertSafeReturns } from '../terminal-rules';
import { methodDetailsReader, type PaymentMethodDetails } from './payment-method-details';

export const scaExemptions = ['Delegated', 'LowValue', 'Force3ds'] as const;
export type ScaExemption = (typeof scaExemptions)[number];
export const processings = ['None', 'Verify', 'Authorize', 'Sale'] as const;
export type Processing = (typeof processings)[number];
/** As family A writes the languages of its page. */
export const pageLanguages = [
  'EN',
  'DK',
  'NL',
  'ET',
  'FI',
  'FR',
  'DE',
  'IT',
  'LV',
  'LT',
  'NO',
  'PL',
  'PT',
  'RU',
  'ES',
  'SE',
] as const;
export const pageTypes = ['None', 'Multipage', 'Singlepage', 'Custom'] as const;

const plain = text(255);
const name = freeText(255);
const longText = freeText(1_024);

const address = optionalFields({
  address1: name,
  address2: name,
  city: name,
  postalCode: plain,
  countryCode: oneOf(countriesAlpha2),
});
const anyCustomer = { customerNumber: plain, address, email: emailAddress, phone: plain };
const individual = { firstName: name, lastName: name };
const company = { registrationNumber: plain, companyName: name, contactFirstName: name, contactLastName: name };
const customerFields = {
  Individual: { ...anyCustomer, ...individual },
  Company: { ...anyCustomer, ...company },
} as const;

export type Customer = FieldsOf<typeof anyCustomer & typeof individual & typeof company> & {
  type?: 'Individual' | 'Company';
};

const basketItem = optionalFields({
  itemNumber: plain,
  title: name,
  quantity: integer(0),
  unitPrice: integer(),
  vatPercentage: percentage,
  discountPercentage: percentage,
  includesHandling: flag,
  includesShipping: flag,
  unitCode: text(32),
});
export type BasketItem = ReturnType<typeof basketItem>;
/** At most so many items. */
const basketItemsMax = 500;
export const readServiceBasket: FieldReader<BasketItem[]> = list(basketItem, basketItemsMax);

/** A rule of the page about the methods and cards that it names. */
const methodRule = (names: ConfiguredNames) =>
  optionalFields({
    paymentMethod: oneOf(names.payPageMethods),
    name,
    fee: integer(0),
    cardType: oneOf(['All', 'Debit', 'Credit']),
    cardOrigin: oneOf(['All', 'International', 'Domestic', 'EU', 'NonEU']),
    cardProductType: oneOf(['All', 'Private', 'Corporate']),
    bin: integer(1, 99_999_999),
    action: oneOf(['Allow', 'Reject']),
  });
type MethodRule = ReturnType<ReturnType<typeof methodRule>>;

export interface PayPageConfiguration {
  paymentMethodActionInfoList?: MethodRule[];
  language?: (typeof pageLanguages)[number];
  pageType?: (typeof pageTypes)[number];
  templateName?: string;
}

/** What create payment starts from. */
export interface CreatePayment {
  /** As sent, or the first variant's name. */
  type: string;
  scaExemption: ScaExemption | null;
  returnUrl: string | null;
  paymentNumber: string | null;
  checkoutText: string | null;
  reconciliationReference: string | null;
  /** Null: not known yet. */
  amountMinor: bigint | null;
  /** Null: the merchant's own. */
  currency: string | null;
  methodDetails: PaymentMethodDetails | null;
  processing: Processing;
  customer: Customer | null;
  basket: BasketItem[] | null;
  payPageConfiguration: PayPageConfiguration | null;
  description: string | null;
}

/** The two values of `type`, the default first. */
function paymentVariants(names: ConfiguredNames): [string, string] {
  return ['MerchantHostedEcom', `${names.provider}HostedEcom`];
}

/** A reader of whole requests. It refuses with `invalidInput` what cannot be understood, and with `invalidData` an amount of 0 that is not for Verify, or in production a way back that is not https. */
export function createPaymentReader(names: ConfiguredNames, isSandbox: boolean): (request: unknown) => CreatePayment {
  const read = optionalFields({
    type: oneOf(paymentVariants(names)),
    scaExemption: oneOf(scaExemptions),
    redirectUrls: optionalFields({ returnUrl: webAddress }),
    paymentNumber: text(64, /^[A-Za-z0-9]+$/, 'letters and digits'),
    checkoutText: longText,
    reconciliationReference: name,
    amount: readAmount,
    currencyCode: readCurrency,
    paymentMethodDetails: methodDetailsReader(names),
    processing: oneOf(processings),
    customer: readCustomer,
    basket: readServiceBasket,
    payPageConfiguration: optionalFields({
      paymentMethodActionInfoList: list(methodRule(names), 100),
      language: oneOf(pageLanguages),
      pageType: oneOf(pageTypes),
      templateName: plain,
    }),
    description: longText,
  });
  return (request) => {
    const sent = read(request, '');
    const { processing = 'None', amount = null } = sent;
    if (amount === 0n && processing !== 'Verify')
      throw new DomainError('invalidData', 'amount 0 fits processing Verify only.', { field: 'amount' });
    assertSafeReturns({ 'redirectUrls.returnUrl': sent.redirectUrls?.returnUrl ?? null }, isSandbox);
    return {
      type: sent.type ?? paymentVariants(names)[0],
      scaExemption: sent.scaExemption ?? null,
      returnUrl: sent.redirectUrls?.returnUrl ?? null,
      paymentNumber: sent.paymentNumber ?? null,
      checkoutText: sent.checkoutText ?? null,
      reconciliationReference: sent.reconciliationReference ?? null,
      amountMinor: amount,
      currency: sent.currencyCode ?? null,
      methodDetails: sent.paymentMethodDetails ?? null,
      processing,
      customer: sent.customer ?? null,
      basket: sent.basket ?? null,
      payPageConfiguration: sent.payPageConfiguration ?? null,
      description: sent.description ?? null,
    };
  };
}

/** A string of minor units, as every amount in the graph; it fits the int32 of family A. */
function readAmount(value: unknown, field: string): bigint {
  const isWhole = typeof value === 'string' && /^\d{1,12}$/.test(value);
  return isWhole && BigInt(value) <= BigInt(int32Max)
    ? BigInt(value)
    : refuseField(field, `must be a whole number from 0 to ${int32Max}`);
}

function readCurrency(value: unknown, field: string): string {
  return isCurrency(value) ? value : refuseField(field, 'must be an ISO 4217 alphabetic code');
}

/** Without a type the fields of both kinds are taken. */
function readCustomer(value: unknown, field: string): Customer {
  const { type } = optionalFields({ type: oneOf(['Individual', 'Company'] as const) })(value, field);
  const read = type ? optionalFields<Record<string, FieldReader<unknown>>>(customerFields[type]) : anyKind;
  return { ...withoutUndefined({ type }), ...read(value, field) } as Customer;
}

const anyKind = optionalFields({ ...anyCustomer, ...individual, ...company });
