// The payment service: what a created payment keeps, and whether it may be authorized or captured (payment service; 2.2-A and 2.6 of the decision register).
import type { Sealed } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { int32Max } from '../../shared/field-reader';
import { authenticationNeeded } from '../connectors/acquirer';
import { invoiceMethod } from '../connectors/alternative-method';
import type { Charge, ChargeType, NewPayment } from '../money/money';
import type { Operation } from '../operations/operation';
import { isInvoice as isInvoiceInstrument } from '../payment/acquirer-call';
import type { Payment } from '../payment/payment';
import type { CheckoutSession, SessionAim } from '../sessions/checkout-session';
import { languageOfCountry } from '../sessions/languages';
import { decidePageMethods } from '../sessions/page-rules';
import type { PageVisitOf } from '../sessions/session-opening';
import type {
  BasketItem,
  CreatePayment,
  Customer,
  PayPageConfiguration,
  Processing,
  ScaExemption,
} from './create-payment';
import {
  isAccount,
  isStoredToken,
  type MerchantInitiatedType,
  type PaymentMethodDetails,
  pageMethodOf,
  splitSecrets,
} from './payment-method-details';

/** What a payment of family A keeps of its request; values that must not lie in the clear are in `sealedMethod`. */
export interface PaymentServiceFacts {
  variant: string;
  processing: Processing;
  scaExemption: ScaExemption | null;
  returnUrl: string | null;
  checkoutText: string | null;
  reconciliationReference: string | null;
  /** paymentMethodDetails without its secret fields; null where there are none. */
  method: { type: PaymentMethodDetails['type']; [field: string]: unknown } | null;
  /** JSON of the secret fields of paymentMethodDetails, sealed for the account. */
  sealedMethod: Sealed | null;
  customer: Customer | null;
  basket: BasketItem[] | null;
  payPageConfiguration: PayPageConfiguration | null;
}

/** The facts of a payment of family A; null for an order of hosted checkout. */
export function factsOf({ family, details }: Pick<Payment, 'family' | 'details'>): PaymentServiceFacts | null {
  return family === 'paymentService' ? (details as unknown as PaymentServiceFacts) : null;
}

/** Whose payment it is to be. */
export interface Owner {
  environment: Payment['environment'];
  accountId: string;
  merchantId: string;
  /** The merchant's own currency. */
  currency: string;
}

/** The payment that a request makes; `sealedMethod` holds what `secretOf` said. */
export function decideOpening(
  request: CreatePayment,
  owner: Owner,
  sealedMethod: Sealed | null,
): Omit<NewPayment, 'sessionId'> {
  const { environment, accountId, merchantId } = owner;
  checkFees(request);
  const facts: PaymentServiceFacts = {
    variant: request.type,
    processing: request.processing,
    scaExemption: request.scaExemption,
    returnUrl: request.returnUrl,
    checkoutText: request.checkoutText,
    reconciliationReference: request.reconciliationReference,
    method: request.methodDetails ? (splitSecrets(request.methodDetails).open as PaymentServiceFacts['method']) : null,
    sealedMethod,
    customer: request.customer,
    basket: request.basket,
    payPageConfiguration: request.payPageConfiguration,
  };
  return {
    environment,
    accountId,
    merchantId,
    terminalId: null,
    family: 'paymentService' as const,
    orderId: request.paymentNumber,
    amountMinor: request.amountMinor,
    currency: request.currency ?? owner.currency,
    captureType: request.processing === 'Sale' ? 'IMPLICIT' : 'EXPLICIT',
    isInvoice: isInvoice(request),
    hasBasket: (request.basket ?? []).length > 0,
    details: facts as unknown as Record<string, unknown>,
    operationDefaults: {
      customField: null,
      customerInfo: null,
      description: request.description,
      contractType: contractTypeOf(request.methodDetails),
      installmentQty: null,
      paymentLinkId: null,
      omnichannelId: null,
    },
  };
}

/** What the payer pays fits the amounts of this family. Refuses with `invalidData`. */
function checkFees({ amountMinor, payPageConfiguration }: CreatePayment): void {
  const fees = (payPageConfiguration?.paymentMethodActionInfoList ?? []).map(({ fee }) => fee ?? 0);
  if ((amountMinor ?? 0n) + BigInt(Math.max(0, ...fees)) <= BigInt(int32Max)) return;
  const field = 'payPageConfiguration.paymentMethodActionInfoList';
  throw new DomainError('invalidData', `${field}: amount and fee together are above ${int32Max}`, { field });
}

/** The secret fields of a request as text to be sealed; null when there are none. */
export function secretOf({ methodDetails }: CreatePayment): string | null {
  const secret = methodDetails ? splitSecrets(methodDetails).secret : null;
  return secret ? JSON.stringify(secret) : null;
}

/** Every method that the page allows is the invoice. */
function isInvoice({ payPageConfiguration }: CreatePayment): boolean {
  const rules = payPageConfiguration?.paymentMethodActionInfoList ?? [];
  const allowed = rules.filter(({ action, paymentMethod }) => action !== 'Reject' && paymentMethod !== undefined);
  const isOnlyOne = allowed.length > 0 && allowed.every(({ paymentMethod }) => paymentMethod === invoiceMethod);
  return isOnlyOne && decidePageMethods(rules).some(({ method }) => method === invoiceMethod);
}

function contractTypeOf(details: PaymentMethodDetails | null): string | null {
  if (details?.type === 'MerchantInitiatedPaymentWithToken') return 'MIT_UNSCHEDULED';
  if (details?.type !== 'PaymentWithToken' || !details.recurringType) return null;
  return details.recurringType === 'Subscription' ? 'MIT_SCHEDULED' : 'CIT';
}

const aims: Readonly<Record<Processing, SessionAim>> = {
  None: 'COLLECT',
  Verify: 'VERIFY',
  Authorize: 'AUTHORIZE',
  Sale: 'SALE',
};

const exemptions: Readonly<Record<ScaExemption, CheckoutSession['exemption']>> = {
  Delegated: 'REQUESTED',
  LowValue: 'REQUESTED',
  Force3ds: 'CHALLENGE_FORCED',
};

/** What the payer's visit of the hosted page is about. */
export function decideVisit(
  payment: Payment,
  request: CreatePayment,
  { name: merchantName, country }: { name: string; country: string },
): PageVisitOf {
  const { environment, accountId, merchantId, paymentId, amountMinor, currency, orderId, captureType } = payment;
  const { payPageConfiguration: page, scaExemption } = request;
  return {
    environment,
    accountId,
    merchantId,
    merchantName,
    paymentId,
    amountMinor,
    currency,
    orderId,
    captureType,
    aim: aims[request.processing],
    hasBasket: payment.hasBasket,
    exemption: scaExemption ? exemptions[scaExemption] : 'NONE',
    keepsConsent: request.methodDetails?.type === 'InitialPaymentMethodTokenizationDetails',
    language: page?.language ?? null,
    countryLanguage: languageOfCountry(country),
    description: request.checkoutText ?? request.description,
    pageConfiguration: page ? { ...page } : null,
    resultUrl: request.returnUrl,
    method: pageMethodOf(request.methodDetails),
  };
}

/** Whether the payer must be challenged before a token that was sent is charged: the page does so with the card behind it. */
export function needsPayerOfToken({ methodDetails, scaExemption }: CreatePayment): boolean {
  const isSent = methodDetails !== null && splitSecrets(methodDetails).secret !== null;
  return methodDetails?.type === 'PaymentWithToken' && scaExemption === 'Force3ds' && isSent;
}

/** Whether the payment is charged by create itself: an account to be debited, or a stored token whose processing moves money, and no payer who must be challenged. */
export function isChargedAtOnce({ methodDetails, processing, scaExemption }: CreatePayment): boolean {
  if (processing === 'Authorize' || processing === 'Sale') {
    if (methodDetails && isAccount(methodDetails.type) && splitSecrets(methodDetails).secret !== null) return true;
  }
  const needsPayer = methodDetails?.type === 'PaymentWithToken' && scaExemption === 'Force3ds';
  return isStoredToken(methodDetails) && processing !== 'None' && !needsPayer;
}

const merchantInitiatedCharges: Readonly<Record<MerchantInitiatedType, ChargeType>> = {
  UnscheduledCardOnFile: 'AUTHORIZATION',
  DelayedCharge: 'DELAY_CHARGE',
  NoShow: 'NOSHOW',
};

/** How an authorization of this payment is charged, apart from the instrument. */
export type ChargePlan = Pick<
  Charge,
  'type' | 'amountMinor' | 'captureNow' | 'channel' | 'channelDetail' | 'isMerchantInitiated'
>;

/** Refuses with `invalidState` without an amount; the money core judges the rest. */
export function planCharge(payment: Payment, facts: PaymentServiceFacts, amountMinor?: bigint | null): ChargePlan {
  const amount = amountMinor ?? payment.amountMinor;
  const isVerification = facts.processing === 'Verify';
  if (amount === null && !isVerification)
    throw new DomainError('invalidState', 'The payment has no amount yet, and the call names none.', {
      field: 'amount',
    });
  const { method } = facts;
  const isByMerchant = method?.type === 'MerchantInitiatedPaymentWithToken';
  const kind = (method?.['merchantInitiatedTransactionType'] ?? 'UnscheduledCardOnFile') as MerchantInitiatedType;
  return {
    type: isVerification ? 'CARD_VERIFICATION' : isByMerchant ? merchantInitiatedCharges[kind] : 'AUTHORIZATION',
    amountMinor: amount ?? 0n,
    captureNow: facts.processing === 'Sale',
    isMerchantInitiated: isByMerchant,
    channel: isByMerchant ? 'BACKOFFICE' : 'ECOMMERCE',
    channelDetail: isByMerchant
      ? 'MIT'
      : isStoredToken(method as PaymentMethodDetails | null) || holdsAccount(facts)
        ? 'STORED'
        : 'HOSTED_PAGE',
  };
}

/**
 * Whether Authorize may go on. Refuses with `authorizationExpired`, `invalidState` (another state, an order of hosted checkout, an invoice
 * without its basket), `authenticationRequired` (a stored token whose payer must be challenged first), `paymentMethodMissing`.
 */
export function decideAuthorization(payment: Payment): PaymentServiceFacts {
  const facts = factsOf(payment);
  if (!facts) throw new DomainError('invalidState', 'An order of hosted checkout is paid by its payer.');
  if (payment.state === 'Expired') throw new DomainError('authorizationExpired');
  if (payment.state !== 'Created' && payment.state !== 'PendingCustomer')
    throw new DomainError(
      'invalidState',
      `The payment is ${payment.state}; Authorize needs Created or PendingCustomer.`,
    );
  const isStored = isStoredToken(facts.method as PaymentMethodDetails | null) || holdsAccount(facts);
  if (payment.instrument === null && !isStored)
    throw new DomainError('paymentMethodMissing', 'The payer has not given a payment method on the page yet.');
  if (payment.instrument === null && facts.scaExemption === 'Force3ds' && facts.method?.type === 'PaymentWithToken')
    throw new DomainError('authenticationRequired', 'Force3ds asks for the payer, who has not been on the page yet.');
  checkBasket(payment);
  return facts;
}

/** Whether the merchant has named an account that can be debited without a visit of the payer. */
export function holdsAccount({ method, sealedMethod }: PaymentServiceFacts): boolean {
  return isAccount(method?.type) && sealedMethod !== null;
}

/** Whether an attempt was made to charge it, whatever came of it. */
export function isCharged({ instrument, entries }: Pick<Payment, 'instrument' | 'entries'>): boolean {
  return instrument !== null && entries.some(({ type }) => type !== 'CARD_CHECK');
}

/** An invoice payment moves no money without a basket. Refuses with `invalidState`. */
export function checkBasket(
  payment: Pick<Payment, 'isInvoice' | 'hasBasket' | 'instrument'>,
  basket?: BasketItem[] | null,
): void {
  const isInvoice = payment.isInvoice || isInvoiceInstrument(payment.instrument);
  if (!isInvoice || payment.hasBasket || (basket ?? []).length > 0) return;
  throw new DomainError('invalidState', 'An invoice payment needs a basket before money moves.', { field: 'basket' });
}

/**
 * Passes a successful operation, and a debit that its method has taken and not carried out yet. Refuses with `outcomeUnknown` while another is PENDING, with `authenticationRequired` when the issuer wants the
 * payer first, and with `declined` when it failed otherwise.
 */
export function decideAnswer({
  result,
  method,
  additionalData,
}: Pick<Operation, 'result' | 'method' | 'additionalData'>): void {
  switch (result) {
    case 'PENDING':
      if (method === 'APM') return;
      throw new DomainError('outcomeUnknown');
    case 'DECLINED':
      if (additionalData['responseReason'] === authenticationNeeded)
        throw new DomainError('authenticationRequired', 'The issuer asks for the payer, who was not authenticated.');
      throw new DomainError('declined');
    case 'DENIED_BY_RISK':
      throw new DomainError('declined', 'The payment was denied by risk assessment.');
    case 'FAILED':
    case 'DENIED':
    case 'THREEDS_FAILED':
      throw new DomainError('declined', 'The payment failed for a technical reason.');
    default:
  }
}
