// Status and code of every refusal, one total table per API family (tokenization and payment interfaces, Errors; decision register 2.1-B, 2.2-A, 2.2-D). The administration interface has a file of its own. A code without a row does not compile.

import {
  administrationCodes,
  type ErrorTable,
  internal,
  neutral,
  paymentCodes,
  rowsFor,
  unavailable,
} from './error-rows';
import { administrationErrors, partnerErrors, reportingErrors } from './numbered-errors';

/**
 * `payments`: the payment service. `checkout`: the hosted checkout. `partner`: onboarding. The others are the interfaces of that name.
 * `sandbox`: our own control calls, which have no documented codes.
 */
export type ErrorFamily =
  | 'tokenization'
  | 'payments'
  | 'checkout'
  | 'administration'
  | 'partner'
  | 'reporting'
  | 'sandbox';

type MtsCode = 'MTS-1611' | 'MTS-1612' | 'MTS-1614' | 'MTS-1616' | 'MTS-1617' | 'MTS-1618' | 'MTS-1619' | 'MTS-1620';

/** Last segment of a problem's `type` (2.2-A of the decision register). */
export const problemSlugs = [
  'validation',
  'unauthorized',
  'forbidden',
  'not-found',
  'method-not-allowed',
  'invalid-state',
  'amount-exceeds-authorized',
  'amount-exceeds-captured',
  'already-captured-use-refund',
  'authorization-expired',
  'currency-mismatch',
  'declined',
  'authentication-required',
  'payment-method-missing',
  'outcome-unknown',
  'duplicate-in-flight',
  'idempotency-mismatch',
  'rate-limited',
  'payload-too-large',
  'unavailable',
  'internal',
] as const;
type ProblemSlug = (typeof problemSlugs)[number];

/** Gateway codes (2.2-D of the decision register). */
type GatewayCode = `GW${string}` | `PS${string}`;

const tokenizationErrors: ErrorTable<MtsCode> = {
  ...neutral,
  ...rowsFor([...paymentCodes, ...administrationCodes], {
    status: 400,
    code: 'MTS-1620',
    message: 'The request was refused.',
  }),
  credentialMissing: neutral.unauthenticated,
  keyRevoked: neutral.unauthenticated,
  fieldMissing: { status: 400, code: 'MTS-1614' },
  invalidInput: { status: 400, code: 'MTS-1614' },
  notJson: { status: 400, code: 'MTS-1614' },
  invalidData: { status: 400, code: 'MTS-1616' },
  idempotencyMismatch: {
    status: 400,
    code: 'MTS-1616',
    message: 'The Idempotency-Key was used before with another request.',
  },
  agreementInactive: { status: 400, code: 'MTS-1611' },
  binNotTokenizable: { status: 400, code: 'MTS-1612' },
  // One text for every cryptographic failure: which step failed would be an oracle.
  cryptographyFailed: { status: 400, code: 'MTS-1617', message: 'The encrypted data cannot be processed.' },
  tokenServiceFailed: { status: 400, code: 'MTS-1618', message: 'The token service answered with a failure.' },
  tokenServiceRefused: { status: 400, code: 'MTS-1619' },
  generic: { status: 400, code: 'MTS-1620', message: 'The request was refused.' },
  conflict: { ...unavailable, code: 'MTS-1618' },
  unavailable: { ...unavailable, code: 'MTS-1618' },
  internal: { ...internal, code: 'MTS-1618' },
};

const invalid = { status: 400, code: 'validation' } as const;
const refused = { status: 422, code: 'invalid-state' } as const;

/** The payment service: 400 for what cannot be understood, 422 for what is refused by state or rule (2.2-A of the decision register). */
const paymentErrors: ErrorTable<ProblemSlug> = {
  ...rowsFor<ProblemSlug>([...paymentCodes, ...administrationCodes], invalid),
  credentialMissing: { ...neutral.unauthenticated, code: 'unauthorized' },
  keyRevoked: { ...neutral.unauthenticated, code: 'unauthorized' },
  fieldMissing: invalid,
  unauthenticated: { ...neutral.unauthenticated, code: 'unauthorized' },
  forbidden: { ...neutral.forbidden, code: 'forbidden' },
  freshSignInNeeded: { ...neutral.forbidden, code: 'forbidden' },
  notFound: { ...neutral.notFound, code: 'not-found' },
  rateLimited: { ...neutral.rateLimited, code: 'rate-limited' },
  payloadTooLarge: { ...neutral.payloadTooLarge, code: 'payload-too-large' },
  duplicateInFlight: { ...neutral.duplicateInFlight, code: 'duplicate-in-flight' },
  idempotencyMismatch: {
    status: 422,
    code: 'idempotency-mismatch',
    message: 'The Idempotency-Key was used before with another request.',
  },
  invalidInput: invalid,
  invalidData: invalid,
  invalidState: refused,
  amountAboveAuthorized: { status: 422, code: 'amount-exceeds-authorized' },
  amountAboveCaptured: { status: 422, code: 'amount-exceeds-captured' },
  alreadyCaptured: { status: 422, code: 'already-captured-use-refund' },
  authorizationExpired: { status: 422, code: 'authorization-expired' },
  currencyMismatch: { status: 422, code: 'currency-mismatch' },
  declined: { status: 422, code: 'declined' },
  authenticationRequired: { status: 422, code: 'authentication-required' },
  paymentMethodMissing: { status: 422, code: 'payment-method-missing' },
  merchantInitiatedRefused: { status: 422, code: 'payment-method-missing' },
  operationVoided: refused,
  operationCaptured: refused,
  operationRefunded: refused,
  alreadyRefunded: refused,
  alreadyVoided: refused,
  outcomeUnknown: { status: 503, code: 'outcome-unknown', retryAfterSeconds: 5 },
  agreementInactive: refused,
  binNotTokenizable: refused,
  cryptographyFailed: refused,
  tokenServiceFailed: refused,
  tokenServiceRefused: refused,
  generic: invalid,
  conflict: { ...unavailable, code: 'unavailable' },
  unavailable: { ...unavailable, code: 'unavailable' },
  internal: { ...internal, code: 'internal' },
};

const gateway = <Code extends GatewayCode>(code: Code, status = 400) => ({ status, code }) as const;

/** The hosted checkout (2.2-D of the decision register). */
const checkoutErrors: ErrorTable<GatewayCode> = {
  ...rowsFor<GatewayCode>(administrationCodes, gateway('PS0026')),
  credentialMissing: { ...neutral.unauthenticated, code: 'GW0401' },
  keyRevoked: { ...neutral.unauthenticated, code: 'GW0401' },
  fieldMissing: gateway('PS0026'),
  unauthenticated: { ...neutral.unauthenticated, code: 'GW0401' },
  forbidden: { ...neutral.forbidden, code: 'GW0403' },
  freshSignInNeeded: { ...neutral.forbidden, code: 'GW0403' },
  notFound: { ...neutral.notFound, code: 'GW0404' },
  rateLimited: { ...neutral.rateLimited, code: 'GW0429' },
  payloadTooLarge: { ...neutral.payloadTooLarge, code: 'PS0026' },
  duplicateInFlight: { ...neutral.duplicateInFlight, status: 400, code: 'PS0025' },
  idempotencyMismatch: {
    status: 400,
    code: 'PS0025',
    message: 'The Idempotency-Key was used before with another request.',
  },
  idempotencyKeyMissing: gateway('PS0025'),
  invalidInput: gateway('PS0026'),
  invalidData: gateway('PS0026'),
  originNotRegistered: gateway('GW0001'),
  correlationIdInvalid: gateway('GW0003'),
  notJson: gateway('GW0004'),
  orderReferenceInvalid: gateway('GW0005'),
  flowStateInvalid: gateway('GW0006'),
  orderIdTaken: gateway('GW0007'),
  cancelTooLate: gateway('PS0002'),
  installmentsAboveOrder: gateway('PS0005'),
  installmentDateInvalid: gateway('PS0006'),
  sessionAmountAboveOrder: gateway('PS0007'),
  fromTimeInvalid: gateway('PS0008'),
  toTimeInvalid: gateway('PS0010'),
  timesReversed: gateway('PS0013'),
  currencyInvalid: gateway('PS0009'),
  currencyMismatch: gateway('PS0009'),
  amountInvalid: gateway('PS0036'),
  contractUnknown: gateway('PS0017'),
  operationVoided: gateway('PS0022'),
  operationCaptured: gateway('PS0023'),
  operationRefunded: gateway('PS0024'),
  alreadyRefunded: gateway('PS0027'),
  alreadyVoided: gateway('PS0028'),
  amountAboveCaptured: gateway('PS0029'),
  scriptContent: gateway('PS0041'),
  merchantInitiatedRefused: gateway('PS0043'),
  terminalNotFound: gateway('PS0051', 404),
  invalidState: gateway('GW0006'),
  amountAboveAuthorized: gateway('PS0026'),
  alreadyCaptured: gateway('PS0023'),
  authorizationExpired: gateway('PS0022'),
  declined: gateway('GW0006'),
  authenticationRequired: gateway('GW0006'),
  paymentMethodMissing: gateway('GW0006'),
  outcomeUnknown: { status: 503, code: 'GW0503', retryAfterSeconds: 5 },
  agreementInactive: gateway('PS0026'),
  binNotTokenizable: gateway('PS0026'),
  cryptographyFailed: gateway('PS0026'),
  tokenServiceFailed: gateway('PS0026'),
  tokenServiceRefused: gateway('PS0026'),
  generic: gateway('PS0026'),
  conflict: { ...unavailable, code: 'GW0503' },
  unavailable: { ...unavailable, code: 'GW0503' },
  internal: { status: 500, code: 'PS0000', message: 'An unexpected failure on our side; quote the Correlation-Id.' },
};

const sandboxErrors: ErrorTable<never> = {
  ...neutral,
  ...rowsFor<never>([...paymentCodes, ...administrationCodes], { status: 400 }),
  credentialMissing: neutral.unauthenticated,
  keyRevoked: neutral.unauthenticated,
  fieldMissing: { status: 400 },
  invalidInput: { status: 400 },
  invalidData: { status: 400 },
  idempotencyMismatch: { status: 400 },
  agreementInactive: { status: 400 },
  binNotTokenizable: { status: 400 },
  cryptographyFailed: { status: 400 },
  tokenServiceFailed: { status: 400 },
  tokenServiceRefused: { status: 400 },
  generic: { status: 400 },
  conflict: unavailable,
  unavailable,
  internal,
};

export const errorTables: Readonly<Record<ErrorFamily, ErrorTable<string>>> = {
  tokenization: tokenizationErrors,
  payments: paymentErrors,
  checkout: checkoutErrors,
  administration: administrationErrors,
  partner: partnerErrors,
  reporting: reportingErrors,
  sandbox: sandboxErrors,
};
