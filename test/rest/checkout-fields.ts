// Every field of the hosted checkout's request bodies with its kind, for the bad-input tables.
import { lastDay } from '../support/expiry';
import type { Field } from './bad-values';

/** `{ name: kind }` below a path. */
function below(path: string, fields: Record<string, Field['kind']>): Field[] {
  return Object.entries(fields).map(([name, kind]) => ({ path: `${path}.${name}`, kind }));
}

const address = {
  name: 'text',
  street: 'text',
  additionalInfo: 'text',
  city: 'text',
  postCode: 'text',
  province: 'text',
  country: 'words',
} as const;

const customerInfoFields: Field[] = [
  { path: 'order.customerInfo', kind: 'object' },
  ...below('order.customerInfo', {
    cardHolderName: 'text',
    cardHolderEmail: 'reference',
    homePhone: 'text',
    workPhone: 'text',
    mobilePhone: 'text',
    mobilePhoneCountryCode: 'text',
    billingAddress: 'object',
    shippingAddress: 'object',
    cardHolderAcctInfo: 'object',
    merchantRiskIndicator: 'object',
  }),
  ...below('order.customerInfo.billingAddress', address),
  ...below('order.customerInfo.shippingAddress', address),
  ...below('order.customerInfo.cardHolderAcctInfo', {
    chAccAgeIndicator: 'words',
    chAccChangeDate: 'dateTime',
    chAccChangeIndicator: 'words',
    chAccDate: 'dateTime',
    chAccPwChangeDate: 'dateTime',
    chAccPwChangeIndicator: 'words',
    destinationAddressUsageDate: 'dateTime',
    destinationAddressUsageIndicator: 'words',
    destinationNameIndicator: 'words',
    nbPurchaseAccount: 'int32',
    paymentAccAgeDate: 'dateTime',
    paymentAccIndicator: 'words',
    provisionAttemptsDay: 'int32',
    suspiciousAccActivity: 'words',
    txnActivityDay: 'int32',
    txnActivityYear: 'int32',
  }),
  ...below('order.customerInfo.merchantRiskIndicator', {
    deliveryEmail: 'text',
    deliveryTimeframe: 'words',
    giftCardAmount: 'object',
    giftCardCount: 'int32',
    preOrderDate: 'dateTime',
    preOrderPurchaseIndicator: 'words',
    reorderItemsIndicator: 'words',
    shipIndicator: 'words',
  }),
  ...below('order.customerInfo.merchantRiskIndicator.giftCardAmount', { currency: 'currency' }),
  {
    path: 'order.customerInfo.merchantRiskIndicator.giftCardAmount.value',
    kind: 'text',
    also: ['', '-1', '+1', '1,5', '1e3', ' 5', 'five', '1.2345', '1234567890123'],
  },
];

export const orderFields: Field[] = [
  { path: 'order', kind: 'object' },
  { path: 'order.orderId', kind: 'reference', also: ['a'.repeat(28), 'a/b', 'a@b'] },
  { path: 'order.invoiceid', kind: 'reference', also: ['a'.repeat(31), 'a.b'] },
  ...below('order', {
    amount: 'minorString',
    currency: 'currency',
    customField: 'text',
    customerId: 'text',
    description: 'text',
    installments: 'array',
    termsAndConditionsIds: 'array',
    transactionSummary: 'array',
    plan: 'object',
  }),
  ...below('order.installments.0', { amount: 'minorString', date: 'date', type: 'words' }),
  ...below('order.transactionSummary.0', { language: 'language', summaryList: 'array' }),
  ...below('order.transactionSummary.0.summaryList.0', { label: 'text', value: 'text' }),
  ...below('order.plan', { totalAmount: 'minorString', contractId: 'text', planType: 'words', status: 'words' }),
  { path: 'order.plan.InstallmentQty', kind: 'int32', also: [0, 1_000, -1] },
  ...customerInfoFields,
];

export const sessionFields: Field[] = [
  { path: 'paymentSession', kind: 'object' },
  ...below('paymentSession', {
    actionType: 'words',
    amount: 'minorString',
    cancelUrl: 'browserUrl',
    captureType: 'words',
    exemptions: 'words',
    language: 'language',
    notificationUrl: 'notificationUrl',
    resultUrl: 'browserUrl',
    paymentService: 'words',
    recurrence: 'object',
  }),
  ...below('paymentSession.recurrence', {
    action: 'words',
    contractId: 'text',
    contractType: 'words',
    contractExpiryDate: 'date',
    contractFrequency: 'days',
  }),
];

/** Beside order and paymentSession, in build alone. */
export const buildFields: Field[] = [
  { path: 'merchantUrl', kind: 'text', also: [`https://${'a'.repeat(2_041)}`] },
  { path: 'version', kind: 'words', also: ['0', '2', '4', '1.0', ' 1', 1, 3] },
];

/** What an item of a list needs beside the field under test, so that nothing else is wrong with it. */
export const goodItems = {
  installments: [{ amount: '1000', date: lastDay, type: 'AUTOMATIC' }],
  transactionSummary: [{ language: 'eng', summaryList: [{ label: 'Parcel', value: 'One' }] }],
  plan: { totalAmount: '5000', planType: 'FIXED', InstallmentQty: 3, status: 'ACTIVE' },
} as const;

/** Fields that have to be there, by path of the call. */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/orders/hpp': [
    'order',
    'order.amount',
    'order.currency',
    'order.orderId',
    'paymentSession',
    'paymentSession.amount',
    'paymentSession.cancelUrl',
  ],
  '/api/v1/build/finalize_payment': ['sessionId'],
  '/api/build/finalize_payment': ['sessionId'],
  '/api/v1/build/cancel': ['sessionId'],
};
