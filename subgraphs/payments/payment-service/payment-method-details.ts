// How a payment of family A shall be paid: the eight variants of paymentMethodDetails (payment service, paymentMethodDetails variants).

import {
  day,
  emailAddress,
  type FieldReader,
  type FieldsOf,
  flag,
  int32Max,
  integer,
  isObject,
  oneOf,
  optionalFields,
  refuseField,
  text,
  webAddress,
} from '../../shared/field-reader';
import type { ConfiguredNames } from '../configured-names';

export const recurringTypes = ['Subscription', 'CardOnFile'] as const;
export const merchantInitiatedTypes = ['UnscheduledCardOnFile', 'DelayedCharge', 'NoShow'] as const;
export type MerchantInitiatedType = (typeof merchantInitiatedTypes)[number];

const storedToken = {
  token: text(128, /^[A-Za-z0-9._-]+$/, 'a token'),
  tokenSecret: text(256, /^[A-Za-z0-9+/=._-]+$/, 'a token secret'),
};
const bankAccount = { iban: readIban, customerEmail: emailAddress };

/** Fields of each variant; the last three are named by the installation on the wire. */
const variants = {
  PaymentWithToken: { ...storedToken, isRecurring: flag, recurringType: oneOf(recurringTypes) },
  InitialPaymentMethodTokenizationDetails: { expiryDate: day, intervalDays: integer(0, int32Max) },
  MerchantInitiatedPaymentWithToken: {
    ...storedToken,
    merchantInitiatedTransactionType: oneOf(merchantInitiatedTypes),
  },
  SepaDirectDepositTypeA: bankAccount,
  SepaDirectDepositTypeC: { ...bankAccount, mandateUrl: webAddress },
  MobileWallet: { isRecurring: flag, paymentData: text(16_384) },
  AppWallet: { isApp: flag },
  BankRedirect: {},
} as const;

export type MethodVariant = keyof typeof variants;
export const methodVariants = Object.keys(variants) as MethodVariant[];

/** One variant with its fields; each field may be absent. */
export type PaymentMethodDetails = {
  [Variant in MethodVariant]: { type: Variant } & FieldsOf<(typeof variants)[Variant]>;
}[MethodVariant];

export type PaymentWithStoredToken = Extract<
  PaymentMethodDetails,
  { type: 'PaymentWithToken' | 'MerchantInitiatedPaymentWithToken' }
>;

/** Fields that are never shown again and are sealed at rest. */
const secretFields = ['token', 'tokenSecret', 'paymentData', 'iban'] as const;
type SecretField = (typeof secretFields)[number];

/** Reads the details; null when they name no variant, because then there is nothing to understand. Refuses with `invalidInput`. */
export function methodDetailsReader(names: ConfiguredNames): FieldReader<PaymentMethodDetails | null> {
  const byWireName = new Map<unknown, MethodVariant>(
    methodVariants.map((variant) => [wireName(variant, names), variant]),
  );
  return (value, field) => {
    if (!isObject(value)) refuseField(field, 'must be an object');
    const sent = Object.hasOwn(value, 'type') ? value['type'] : undefined;
    if (sent === undefined || sent === null) return null;
    const type = byWireName.get(sent);
    if (!type) return refuseField(`${field}.type`, `must be one of ${[...byWireName.keys()].join(', ')}`);
    return { type, ...optionalFields(variants[type])(value, field) } as PaymentMethodDetails;
  };
}

/** The variant as this installation spells it. */
function wireName(variant: MethodVariant, names: ConfiguredNames): string {
  if (variant === 'MobileWallet') return names.mobileWallet;
  if (variant === 'AppWallet') return names.appWallet;
  return variant === 'BankRedirect' ? names.bankRedirect : variant;
}

export function isStoredToken(details: PaymentMethodDetails | null): details is PaymentWithStoredToken {
  return details?.type === 'PaymentWithToken' || details?.type === 'MerchantInitiatedPaymentWithToken';
}

/** Variants that name an account which can be debited without a visit, with the field that names it. */
export const accountFields = {
  SepaDirectDepositTypeA: 'iban',
  SepaDirectDepositTypeC: 'iban',
  MobileWallet: 'paymentData',
} as const;

export function isAccount(type: MethodVariant | undefined): type is keyof typeof accountFields {
  return type !== undefined && Object.hasOwn(accountFields, type);
}

/** The page's method of a variant that sends the payer elsewhere; null: the payer chooses. */
export function pageMethodOf(details: PaymentMethodDetails | null): 'WALLET' | 'BANK_REDIRECT' | null {
  if (details?.type === 'BankRedirect') return 'BANK_REDIRECT';
  if (details?.type === 'AppWallet') return 'WALLET';
  return details?.type === 'MobileWallet' && details.paymentData === undefined ? 'WALLET' : null;
}

/** The details as they may be kept in the clear, and what must be sealed of them; null when nothing must. */
export function splitSecrets(details: PaymentMethodDetails): {
  open: Record<string, unknown>;
  secret: Partial<Record<SecretField, string>> | null;
} {
  const isSecret = ([name]: [string, unknown]) => (secretFields as readonly string[]).includes(name);
  const all = Object.entries(details);
  const secret = Object.fromEntries(all.filter(isSecret));
  return {
    open: Object.fromEntries(all.filter((entry) => !isSecret(entry))),
    secret: Object.keys(secret).length > 0 ? secret : null,
  };
}

/** ISO 13616: the check digits make the whole number 1 modulo 97. Without spaces, in capitals. */
function readIban(value: unknown, field: string): string {
  const iban = text(
    50,
    /^[A-Za-z0-9 ]+$/,
    'an IBAN',
  )(value, field)
    .replaceAll(' ', '')
    .toUpperCase();
  const isFormed = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(iban);
  return isFormed && remainder97(iban) === 1 ? iban : refuseField(field, 'must be an IBAN with valid check digits');
}

function remainder97(iban: string): number {
  const turned = `${iban.slice(4)}${iban.slice(0, 4)}`;
  const digits = [...turned].map((character) => Number.parseInt(character, 36)).join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
}
