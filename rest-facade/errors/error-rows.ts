// What the error tables of all families are built from: the shape of a row, the rows that most families share, and codes that only one document knows.
import type { DomainErrorCode } from '../../subgraphs/shared/errors';

export interface ErrorRow<Code extends string = string> {
  status: number;
  code?: Code;
  /** Said instead of the refusal's own message, where details would help the wrong person. */
  message?: string;
  /** When the refusal itself does not say it. */
  retryAfterSeconds?: number;
}

export type ErrorTable<Code extends string> = Readonly<Record<DomainErrorCode, ErrorRow<Code>>>;

const forbidden = { status: 403, message: 'This credential does not permit the call.' } as const;

export const neutral = {
  unauthenticated: { status: 401, message: 'A valid credential is required.' },
  forbidden,
  // Only people are asked for it, and they come to the graph alone.
  freshSignInNeeded: forbidden,
  notFound: { status: 404, message: 'No such resource.' },
  rateLimited: {
    status: 429,
    message: 'Too many requests; try again after Retry-After seconds.',
    retryAfterSeconds: 1,
  },
  payloadTooLarge: { status: 413 },
  duplicateInFlight: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
    retryAfterSeconds: 1,
  },
} as const satisfies Partial<Record<DomainErrorCode, ErrorRow>>;

export const unavailable = { status: 503, message: 'The service cannot answer now.', retryAfterSeconds: 1 } as const;
export const internal = { status: 500, message: 'An unexpected failure on our side; quote the requestId.' } as const;

/** Codes that only the payment interface knows; no route of another family leads to them. */
export const paymentCodes = [
  'invalidState',
  'amountAboveAuthorized',
  'amountAboveCaptured',
  'alreadyCaptured',
  'authorizationExpired',
  'declined',
  'authenticationRequired',
  'paymentMethodMissing',
  'currencyMismatch',
  'outcomeUnknown',
  'originNotRegistered',
  'correlationIdInvalid',
  'notJson',
  'orderReferenceInvalid',
  'flowStateInvalid',
  'orderIdTaken',
  'cancelTooLate',
  'installmentsAboveOrder',
  'installmentDateInvalid',
  'sessionAmountAboveOrder',
  'fromTimeInvalid',
  'toTimeInvalid',
  'timesReversed',
  'currencyInvalid',
  'amountInvalid',
  'contractUnknown',
  'operationVoided',
  'operationCaptured',
  'operationRefunded',
  'alreadyRefunded',
  'alreadyVoided',
  'idempotencyKeyMissing',
  'scriptContent',
  'merchantInitiatedRefused',
  'terminalNotFound',
] as const satisfies readonly DomainErrorCode[];

/** Codes that only the administration interface knows. */
export const administrationCodes = [
  'merchantExists',
  'merchantIdMismatch',
  'merchantInactive',
  'countryNotOffered',
  'organizationNumberInvalid',
  'bankAccountInvalid',
  'applicationStatusInvalid',
  'webhookInvalid',
  'resendLimit',
  'dateRangeInvalid',
  'pageBoundsInvalid',
  'merchantNumberMissing',
] as const satisfies readonly DomainErrorCode[];

/** One row for all of them: for families that no route leads to them in. */
export function rowsFor<Code extends string, Name extends DomainErrorCode = DomainErrorCode>(
  names: readonly Name[],
  row: ErrorRow<Code>,
): Record<Name, ErrorRow<Code>> {
  return Object.fromEntries(names.map((name) => [name, row])) as Record<Name, ErrorRow<Code>>;
}
