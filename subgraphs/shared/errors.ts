// The closed list of refusals: every way the world can say no, named once, for resolvers, routes and workers alike.

/** What each code means. A code that is not in this table does not compile; each API family turns a code into its own status and body. */
export const domainErrors = {
  unauthenticated: 'No valid credential came with the call.',
  credentialMissing: 'The header of the credential is missing.',
  keyRevoked: 'The key was revoked.',
  freshSignInNeeded: 'The person signed in too long ago for an act of money or of keys: a new sign-in is needed.',
  forbidden: 'The credential is valid but does not carry the right that the call needs.',
  notFound: 'The resource is absent, or belongs to somebody else: the two look alike.',
  rateLimited: 'The caller went over its rate limit.',
  payloadTooLarge: 'The body is longer than the limit.',
  invalidInput: 'A field is missing, of the wrong type, or breaks its pattern or length.',
  invalidData: 'A field is well-formed but its value is wrong.',
  fieldMissing: 'A required field is missing.',
  agreementInactive: 'There is no active agreement between PSP, acquirer, provider and merchant.',
  binNotTokenizable: 'The card number lies outside the tokenizable ranges.',
  cryptographyFailed: 'A JWE could not be opened, or there is no key to seal the result to.',
  tokenServiceFailed: 'The token service answered with a failure of its own or with something unusable.',
  tokenServiceRefused: 'The token service said no to this card or request.',
  invalidState: 'The state of the resource does not allow this.',
  amountAboveAuthorized: 'The amount is above what is still authorized.',
  amountAboveCaptured: 'The amount is above what was captured and not refunded yet.',
  alreadyCaptured: 'Money has been captured: a refund is needed instead.',
  authorizationExpired: 'The authorization has expired.',
  declined: 'The issuer declined.',
  authenticationRequired: 'The payer must be authenticated, and the call asked not to.',
  paymentMethodMissing: 'No payment method was collected or stored that could be charged.',
  currencyMismatch: 'The currency differs from that of the payment.',
  outcomeUnknown: 'The acquirer has not answered; the outcome will be known later.',
  originNotRegistered: 'merchantUrl is malformed or not registered for the terminal.',
  correlationIdInvalid: 'Correlation-Id is missing or no UUID v4.',
  notJson: 'The body is not JSON.',
  orderReferenceInvalid: 'orderId or invoiceid breaks its alphabet or length.',
  flowStateInvalid: 'The call is not allowed in the present flow state.',
  orderIdTaken: 'The orderId is in use.',
  cancelTooLate: 'The operation can be cancelled on its own day only.',
  installmentsAboveOrder: 'The installments sum to more than the order.',
  installmentDateInvalid: 'An installment date is wrong or past.',
  sessionAmountAboveOrder: 'The session asks for more than its order is worth.',
  fromTimeInvalid: 'fromTime cannot be read.',
  toTimeInvalid: 'toTime cannot be read.',
  timesReversed: 'fromTime lies after toTime.',
  currencyInvalid: 'The currency is unknown or not enabled.',
  amountInvalid: 'The amount is not a whole number of minor units.',
  contractUnknown: 'There is no such contract.',
  operationVoided: 'The operation was voided.',
  operationCaptured: 'The operation was captured in full.',
  operationRefunded: 'The operation was refunded.',
  alreadyRefunded: 'It was refunded in full already.',
  alreadyVoided: 'It was voided already.',
  idempotencyKeyMissing: 'The call needs an Idempotency-Key.',
  scriptContent: 'A text field carries script content.',
  merchantInitiatedRefused: 'The merchant-initiated payment was refused.',
  terminalNotFound: 'There is no such terminal.',
  merchantExists: 'The merchantId is taken, or was once.',
  merchantIdMismatch: 'The merchantId of the body differs from that of the path.',
  merchantInactive: 'The merchant would have to be active for this.',
  countryNotOffered: 'Merchants of this country are not taken on.',
  organizationNumberInvalid: 'The organization number is wrong for its country.',
  bankAccountInvalid: 'The IBAN or the BIC is wrong.',
  applicationStatusInvalid: 'The status of the application does not allow this.',
  webhookInvalid: 'The definition of a webhook is wrong.',
  resendLimit: 'The activation was sent again as often as a day allows.',
  dateRangeInvalid: 'The dates are reversed, too far apart, or no dates.',
  pageBoundsInvalid: 'The page number or the page size is out of bounds.',
  merchantNumberMissing: 'A partner key must say whose report it asks for.',
  idempotencyMismatch: 'The idempotency key was used before with another request.',
  duplicateInFlight: 'The first request with this idempotency key is still running.',
  conflict: 'The resource changed under the call more often than the call was tried again.',
  unavailable: 'We, or something we depend on, cannot serve now.',
  generic: 'A refusal that no other code names.',
  internal: 'A defect of ours.',
} as const;

export type DomainErrorCode = keyof typeof domainErrors;

export interface DomainErrorDetails {
  /** Dotted path of the offending field, never its value. */
  field?: string;
  /** Whole seconds until a retry makes sense. */
  retryAfterSeconds?: number;
  /** What else is wrong with the request, for answers that can list it; the refusal itself is not among them. */
  others?: readonly { code: DomainErrorCode; message: string; field: string }[];
}

/**
 * Thrown when the world says no; a defect is a plain Error.
 * The message says what was found and what was expected, and never carries card data, tokens or secrets.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: DomainErrorCode,
    message: string = domainErrors[code],
    readonly details: DomainErrorDetails = {},
  ) {
    super(message);
  }
}

export function isDomainErrorCode(value: unknown): value is DomainErrorCode {
  return typeof value === 'string' && Object.hasOwn(domainErrors, value);
}
