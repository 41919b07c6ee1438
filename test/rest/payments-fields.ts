// Every field of the payment service's request bodies with its kind, for the bad-input tables.
import type { Field } from './bad-values';

function below(path: string, fields: Record<string, Field['kind']>): Field[] {
  return Object.entries(fields).map(([name, kind]) => ({ path: path === '' ? name : `${path}.${name}`, kind }));
}

const basketItem = {
  itemNumber: 'text',
  title: 'text',
  quantity: 'int32',
  unitPrice: 'int32',
  vatPercentage: 'decimal',
  discountPercentage: 'decimal',
  includesHandling: 'flag',
  includesShipping: 'flag',
  unitCode: 'text',
} as const;

const postal = { address1: 'text', address2: 'text', city: 'text', postalCode: 'text', countryCode: 'words' } as const;

export const createFields: Field[] = [
  ...below('', {
    type: 'words',
    scaExemption: 'words',
    redirectUrls: 'object',
    paymentNumber: 'reference',
    checkoutText: 'text',
    reconciliationReference: 'text',
    currencyCode: 'currency',
    paymentMethodDetails: 'object',
    processing: 'words',
    customer: 'object',
    basket: 'array',
    payPageConfiguration: 'object',
    description: 'text',
  }),
  { path: 'amount', kind: 'int32', also: [-1] },
  ...below('redirectUrls', { returnUrl: 'browserUrl' }),
  ...below('customer', {
    type: 'words',
    customerNumber: 'text',
    address: 'object',
    email: 'reference',
    phone: 'text',
    firstName: 'text',
    lastName: 'text',
  }),
  ...below('customer.address', postal),
  ...below('basket.0', basketItem),
  ...below('payPageConfiguration', {
    paymentMethodActionInfoList: 'array',
    language: 'words',
    pageType: 'words',
    templateName: 'text',
  }),
  ...below('payPageConfiguration.paymentMethodActionInfoList.0', {
    paymentMethod: 'words',
    name: 'text',
    fee: 'int32',
    cardType: 'words',
    cardOrigin: 'words',
    cardProductType: 'words',
    bin: 'int32',
    action: 'words',
  }),
];

/** Fields of the other customer variant. */
export const companyFields: Field[] = below('customer', {
  registrationNumber: 'text',
  companyName: 'text',
  contactFirstName: 'text',
  contactLastName: 'text',
});

/** The eight variants of paymentMethodDetails with the fields of each. */
export const detailVariants: Readonly<Record<string, Field[]>> = {
  PaymentWithToken: below('', { token: 'text', tokenSecret: 'text', isRecurring: 'flag', recurringType: 'words' }),
  InitialPaymentMethodTokenizationDetails: below('', { expiryDate: 'date', intervalDays: 'int32' }),
  MerchantInitiatedPaymentWithToken: below('', {
    token: 'text',
    tokenSecret: 'text',
    merchantInitiatedTransactionType: 'words',
  }),
  SepaDirectDepositTypeA: below('', { iban: 'reference', customerEmail: 'reference' }),
  SepaDirectDepositTypeC: below('', { iban: 'reference', customerEmail: 'reference', mandateUrl: 'browserUrl' }),
  MobileWallet: below('', { isRecurring: 'flag', paymentData: 'text' }),
  AppWallet: below('', { isApp: 'flag' }),
  BankRedirect: [],
};

/** Bodies of the calls on a payment. */
export const stepFields: Readonly<Record<'Authorize' | 'Capture' | 'Cancel' | 'Refund', Field[]>> = {
  Authorize: [
    { path: 'amount', kind: 'int32', also: [-1, 0] },
    ...below('', { description: 'text', terminalId: 'text', posReferenceNumber: 'text' }),
  ],
  Capture: [
    { path: 'amount', kind: 'int32', also: [-1, 0] },
    ...below('', { description: 'text', terminalId: 'text', posReferenceNumber: 'text', basket: 'array' }),
    ...below('basket.0', basketItem),
  ],
  Cancel: below('', { description: 'text', terminalId: 'text', posReferenceNumber: 'text' }),
  Refund: [{ path: 'amount', kind: 'int32', also: [-1, 0] }, ...below('', { description: 'text' })],
};
