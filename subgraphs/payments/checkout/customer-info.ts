// What a shop tells about its customer for authentication and risk, with every indicator table (hosted checkout, customerInfo).
import { isCountryAlpha3 } from '../../shared/countries';
import { DomainError } from '../../shared/errors';
import { isCurrency } from '../../shared/money';
import { withoutAbsent } from '../../shared/present-members';
import { parseFixedOffset } from '../../shared/time';
import {
  type Json,
  nested,
  orderFreeText,
  orderInteger,
  orderText,
  type Part,
  pathOf,
  word,
  wrong,
} from './order-fields';

const int32 = { min: 0, max: 2_147_483_647 };
const upTo = (last: number) => Array.from({ length: last }, (_, index) => `0${index + 1}`);

/** Values of each indicator. */
export const indicators = {
  chAccAgeIndicator: upTo(4),
  chAccChangeIndicator: upTo(4),
  chAccPwChangeIndicator: upTo(5),
  destinationAddressUsageIndicator: upTo(4),
  destinationNameIndicator: upTo(2),
  paymentAccIndicator: upTo(4),
  suspiciousAccActivity: upTo(2),
} as const;
export const riskIndicators = {
  deliveryTimeframe: upTo(4),
  preOrderPurchaseIndicator: upTo(2),
  reorderItemsIndicator: upTo(2),
  shipIndicator: upTo(7),
} as const;
const accountDates = [
  'chAccChangeDate',
  'chAccDate',
  'chAccPwChangeDate',
  'destinationAddressUsageDate',
  'paymentAccAgeDate',
] as const;
const accountCounts = ['nbPurchaseAccount', 'provisionAttemptsDay', 'txnActivityDay', 'txnActivityYear'] as const;
const addressTexts = ['name', 'street', 'additionalInfo', 'city', 'postCode', 'province'] as const;

/** The known members as they were sent. Refuses with the path of the first that is wrong. */
export function parseCustomerInfo(from: Part | null): Json | null {
  if (!from) return null;
  return withoutAbsent({
    cardHolderName: orderFreeText(from, 'cardHolderName'),
    cardHolderEmail: email(from, 'cardHolderEmail'),
    ...texts(from, ['homePhone', 'workPhone', 'mobilePhone', 'mobilePhoneCountryCode']),
    billingAddress: address(nested(from, 'billingAddress')),
    shippingAddress: address(nested(from, 'shippingAddress')),
    cardHolderAcctInfo: accountInfo(nested(from, 'cardHolderAcctInfo')),
    merchantRiskIndicator: riskIndicator(nested(from, 'merchantRiskIndicator')),
  });
}

/** ISO 8601 as sent, or null; refuses a date that does not exist. */
function dateTime(from: Part, name: string): string | null {
  const value = orderText(from, name);
  if (value !== null && !parseFixedOffset(value)) throw wrong(pathOf(from, name), 'an ISO 8601 date-time');
  return value;
}

function accountInfo(from: Part | null): Json | null {
  if (!from) return null;
  return withoutAbsent({
    ...words(from, indicators),
    ...Object.fromEntries(accountDates.map((name) => [name, dateTime(from, name)])),
    ...Object.fromEntries(accountCounts.map((name) => [name, orderInteger(from, name, int32)])),
  });
}

function riskIndicator(from: Part | null): Json | null {
  if (!from) return null;
  return withoutAbsent({
    deliveryEmail: email(from, 'deliveryEmail'),
    ...words(from, riskIndicators),
    giftCardAmount: giftCardAmount(nested(from, 'giftCardAmount')),
    giftCardCount: orderInteger(from, 'giftCardCount', int32),
    preOrderDate: dateTime(from, 'preOrderDate'),
  });
}

function giftCardAmount(from: Part | null): Json | null {
  if (!from) return null;
  const currency = orderText(from, 'currency');
  if (currency !== null && !isCurrency(currency)) {
    const field = pathOf(from, 'currency');
    throw new DomainError('currencyInvalid', `${field} is no currency of ISO 4217`, { field });
  }
  const rule = {
    pattern: /^\d{1,12}(\.\d{1,3})?$/,
    expected: 'an amount in major units',
    refuse: (message: string, field: string) => new DomainError('amountInvalid', message, { field }),
  } as const;
  return withoutAbsent({ currency, value: orderText(from, 'value', rule) });
}

function address(from: Part | null): Json | null {
  if (!from) return null;
  const country = orderText(from, 'country');
  if (country !== null && !isCountryAlpha3(country)) throw wrong(pathOf(from, 'country'), 'an ISO 3166-1 alpha-3 code');
  return withoutAbsent({
    ...Object.fromEntries(addressTexts.map((name) => [name, orderFreeText(from, name)])),
    country,
  });
}

function email(from: Part, name: string): string | null {
  return orderText(from, name, {
    lengthMax: 254,
    pattern: /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/,
    expected: 'an e-mail address',
  });
}

function texts(from: Part, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, orderText(from, name)]));
}

function words(from: Part, tables: Readonly<Record<string, readonly string[]>>): Json {
  return Object.fromEntries(Object.entries(tables).map(([name, values]) => [name, word(from, name, values)]));
}
