// Status and code of every refusal in the three families of the administration interface (Errors; decision register 2.3-A, Errors).
import {
  administrationCodes,
  type ErrorRow,
  type ErrorTable,
  internal,
  neutral,
  paymentCodes,
  rowsFor,
  unavailable,
} from './error-rows';

/** 1xxx: anywhere; 2xxx: the credential; 3xxx: onboarding; 4xxx: administration; 5xxx: reporting. */
export type NumberedCode = `${1 | 2 | 3 | 4 | 5}0${number}`;

const row = (code: NumberedCode, status = 400) => ({ status, code }) as const;
const invalid = row('1004');

/** What differs from family to family: what is not found, and what an unknown currency is called. */
function tableOf(own: Record<'notFound' | 'currencyInvalid', ErrorRow<NumberedCode>>): ErrorTable<NumberedCode> {
  return {
    ...rowsFor<NumberedCode>([...paymentCodes, ...administrationCodes], invalid),
    credentialMissing: { ...neutral.unauthenticated, code: '2001', message: 'The Authorization header is missing.' },
    unauthenticated: { ...neutral.unauthenticated, code: '2002' },
    // The document lists no 403.
    forbidden: { ...row('2003', 401), message: 'This key does not permit the call.' },
    freshSignInNeeded: { ...row('2003', 401), message: 'This key does not permit the call.' },
    keyRevoked: { ...row('2004', 401), message: 'The key was revoked.' },
    rateLimited: { ...neutral.rateLimited, code: '1006' },
    payloadTooLarge: { ...neutral.payloadTooLarge, code: '1004' },
    duplicateInFlight: { ...neutral.duplicateInFlight, code: '1004' },
    idempotencyMismatch: { ...invalid, message: 'The Idempotency-Key was used before with another request.' },
    notJson: row('1002'),
    fieldMissing: row('1003'),
    invalidInput: invalid,
    invalidData: invalid,
    merchantExists: row('4002'),
    merchantIdMismatch: row('4003'),
    merchantInactive: row('4004', 404),
    countryNotOffered: row('3002'),
    organizationNumberInvalid: row('3003'),
    bankAccountInvalid: row('3004'),
    applicationStatusInvalid: row('3005'),
    webhookInvalid: row('3006'),
    resendLimit: row('3007'),
    dateRangeInvalid: row('5001'),
    pageBoundsInvalid: row('5002'),
    merchantNumberMissing: row('5004'),
    agreementInactive: invalid,
    binNotTokenizable: invalid,
    cryptographyFailed: invalid,
    tokenServiceFailed: invalid,
    tokenServiceRefused: invalid,
    generic: invalid,
    outcomeUnknown: { ...unavailable, code: '1001' },
    conflict: { ...unavailable, code: '1001' },
    unavailable: { ...unavailable, code: '1001' },
    internal: { ...internal, code: '1000' },
    ...own,
  };
}

const absent = (code: NumberedCode) => ({ ...neutral.notFound, code }) as const;

export const administrationErrors = tableOf({
  notFound: { ...absent('4001'), message: 'No such merchant.' },
  currencyInvalid: invalid,
});
export const partnerErrors = tableOf({
  notFound: { ...absent('3001'), message: 'No such application.' },
  currencyInvalid: row('3002'),
});
export const reportingErrors = tableOf({ notFound: absent('5003'), currencyInvalid: row('5005') });

export type ErrorSource = 'internal' | 'validation' | 'authentication' | 'partner' | 'report';

/** Which part of us refused: the member `source` of the body. */
export function sourceOf(code: string): ErrorSource {
  if (code === '1000' || code === '1001') return 'internal';
  const byRange: Readonly<Record<string, ErrorSource>> = { 2: 'authentication', 3: 'partner', 5: 'report' };
  return byRange[code.charAt(0)] ?? 'validation';
}
