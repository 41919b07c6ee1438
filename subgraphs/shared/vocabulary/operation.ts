// The words for what is done to a payment, what came of it and what it was paid with (payment interface, Operation object).

export const operationTypes = [
  'AUTHORIZATION',
  'CAPTURE',
  'REFUND',
  'CANCEL',
  'NOSHOW',
  'INCREMENTAL',
  'DELAY_CHARGE',
  'CARD_VERIFICATION',
  'CARD_CHECK',
  'VOID',
] as const;
export type OperationType = (typeof operationTypes)[number];

export const operationResults = [
  'AUTHORIZED',
  'EXECUTED',
  'DECLINED',
  'DENIED_BY_RISK',
  'DENIED',
  'THREEDS_VALIDATED',
  'THREEDS_FAILED',
  'PENDING',
  'CANCELED',
  'VOIDED',
  'REFUNDED',
  'FAILED',
] as const;
export type OperationResult = (typeof operationResults)[number];

export const paymentMethods = ['CARD', 'APM'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
