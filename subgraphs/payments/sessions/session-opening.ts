// How a visit begins: the empty session of either family, with what the merchant said about it (payment service, hosted page; hosted checkout, build and hpp).
import type { InsertWrite } from '../../shared/store/unit-of-work';
import { invoiceMethod } from '../connectors/alternative-method';
import type { CheckoutSession } from './checkout-session';
import type { CheckoutSessionRepository } from './checkout-session.repository';
import { decidePageMethods, pageRulesOf } from './page-rules';

type SaidOfSession = Pick<
  CheckoutSession,
  | 'environment'
  | 'accountId'
  | 'merchantId'
  | 'merchantName'
  | 'family'
  | 'kind'
  | 'paymentId'
  | 'amountMinor'
  | 'currency'
  | 'orderId'
  | 'aim'
  | 'captureType'
  | 'exemption'
> &
  Partial<CheckoutSession>;

/** A session in its first state; what is not said is empty. */
export function newSession(said: SaidOfSession, sessionId: string, now: Date): CheckoutSession {
  return {
    terminalId: null,
    flowVersion: '1',
    state: 'PAYMENT_INITIALIZATION',
    merchantOrigin: null,
    securityToken: null,
    recurrence: null,
    keepsConsent: false,
    language: null,
    countryLanguage: null,
    description: null,
    customField: null,
    order: {},
    pageConfiguration: null,
    cancelUrl: null,
    resultUrl: null,
    notificationUrl: null,
    methods: [],
    method: null,
    entered: [],
    cardData: null,
    instrument: null,
    deviceCheck: { isPassed: false, failures: 0 },
    redirection: null,
    payingSince: null,
    operationId: null,
    warnings: [],
    pluginName: null,
    version: 1,
    ...said,
    sessionId,
    touchedAt: now,
    createdAt: now,
  };
}

export interface SessionStores {
  sessions: Pick<CheckoutSessionRepository, 'insertOf'>;
}

/** The writes that store a new session beside its payment. */
export function openingWrites({ sessions }: SessionStores, session: CheckoutSession): InsertWrite[] {
  return [sessions.insertOf(session)];
}

/** What family A's create payment says about the visit of its hosted page. */
export type PageVisitOf = Omit<SaidOfSession, 'family' | 'kind' | 'methods'> & { hasBasket: boolean };

/** What the page offers: the merchant's one method where it named one; a verification is for cards alone, an invoice for a basket. */
function offeredMethods({ method, aim, pageConfiguration, hasBasket }: PageVisitOf) {
  if (method) return [{ method, circuits: [method] }];
  const isInvoicePossible = hasBasket || aim === 'COLLECT';
  const allowed = decidePageMethods(pageRulesOf(pageConfiguration ?? null)).filter(
    (offer) => offer.method !== invoiceMethod || isInvoicePossible,
  );
  const cards = allowed.filter((offer) => offer.method === 'CARDS');
  return aim === 'VERIFY' && cards.length > 0 ? cards : allowed;
}

/** The writes of a hosted page of family A; its methods come from the page's configuration. */
export function openVisit(stores: SessionStores, visit: PageVisitOf, sessionId: string, now: Date): InsertWrite[] {
  const methods = offeredMethods(visit);
  const { hasBasket: _basket, ...told } = visit;
  const said = { ...told, family: 'paymentService', kind: 'HOSTED' } as const;
  return openingWrites(stores, newSession({ ...said, methods }, sessionId, now));
}
