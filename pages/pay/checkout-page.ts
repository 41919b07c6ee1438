// What the graph tells a payment page about one payer's visit, and the things a payer can do there (hosted checkout, States and transitions).
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import type { Execute } from '../page-server';
import { present, runPageOperation } from '../run-operation';

interface ShownFieldFrame {
  class: string;
  id: string;
  src: string;
  type: string;
}

export interface PageOperation {
  operationId: string;
  operationType: string;
  operationResult: string;
  operationTime: string;
  /** Finer than the channel; `IDLE` where nobody did anything. */
  channelDetail: string | null;
  operationAmount: string;
  operationCurrency: string;
  paymentCircuit: string | null;
  paymentInstrumentInfo: string | null;
}

/** The `CheckoutPage` of the graph; amounts are minor units as text. */
export interface LoadedCheckout {
  sessionId: string;
  family: string;
  kind: 'BUILD' | 'HOSTED';
  state: string;
  paymentState: string | null;
  merchantName: string;
  merchantOrigin: string | null;
  /** With the fee, where there is one. */
  amount: string | null;
  fee: string | null;
  currency: string;
  orderId: string | null;
  description: string | null;
  customField: string | null;
  language: string | null;
  countryLanguage: string | null;
  summary: { label: string; value: string }[];
  summaries: { language: string | null; lines: { label: string; value: string }[] }[];
  termsAndConditionsIds: string[];
  methods: { method: string; circuits: string[]; fee: string | null }[];
  methodRules: unknown;
  pageType: string | null;
  templateName: string | null;
  cancelUrl: string | null;
  resultUrl: string | null;
  flowVersion: string;
  /** CARDS, an alternative method, or nothing chosen yet. */
  method: string | null;
  fields: ShownFieldFrame[];
  operation: PageOperation | null;
  redirectUrl: string | null;
  idleUntil: string;
  isTest: boolean;
  cardEntered: string[];
}

/** The shop named a card that was stored before: there is nothing to type, and no other card to choose. */
export function isStored({ state, fields }: Pick<LoadedCheckout, 'state' | 'fields'>): boolean {
  return state === 'READY_FOR_PAYMENT' && fields.length === 0;
}

interface CardForm {
  number: string;
  expiry: string;
  cvv: string;
  holder: string;
  email: string | null;
}

interface CardFormAnswer {
  state: string;
  errors: { field: string; code: string }[];
}

interface FieldAnswer {
  valid: boolean;
  error: string | null;
  brand: string | null;
  state: string;
  securityCodeLength: number | null;
}

/** What pages ask of the graph; every call throws what the graph refused with. */
export interface Checkout {
  /** Refuses with `notFound`. */
  read(context: RequestContext, sessionId: string): Promise<LoadedCheckout>;
  open(context: RequestContext, sessionId: string): Promise<LoadedCheckout>;
  choose(context: RequestContext, sessionId: string, method: string): Promise<LoadedCheckout>;
  enterCard(context: RequestContext, sessionId: string, card: CardForm): Promise<CardFormAnswer>;
  enterField(
    context: RequestContext,
    field: { sessionId: string; fieldId: string; value: string },
  ): Promise<FieldAnswer>;
  passDeviceCheck(context: RequestContext, sessionId: string, passed: boolean): Promise<{ state: string }>;
  confirm(context: RequestContext, sessionId: string): Promise<{ state: string }>;
  pay(context: RequestContext, sessionId: string): Promise<LoadedCheckout>;
  abandon(context: RequestContext, sessionId: string): Promise<LoadedCheckout>;
  comeBack(context: RequestContext, sessionId: string): Promise<LoadedCheckout>;
}

export function createCheckout(execute: Execute): Checkout {
  const run = <Result>(context: RequestContext, operation: string, variables: Record<string, unknown>) =>
    runPageOperation<Result>(execute, { context, operation, variables });
  return {
    read: async (context, sessionId) =>
      present(await run<LoadedCheckout | null>(context, 'GetCheckoutPage', { sessionId })),
    open: async (context, sessionId) =>
      present(await run<LoadedCheckout | null>(context, 'OpenCheckoutPage', { sessionId })),
    choose: (context, sessionId, method) => run(context, 'ChooseCheckoutMethod', { sessionId, method }),
    enterCard: (context, sessionId, card) => run(context, 'EnterCard', { sessionId, card }),
    enterField: (context, field) => run(context, 'EnterCardField', field),
    passDeviceCheck: (context, sessionId, passed) => run(context, 'PassDeviceCheck', { sessionId, passed }),
    confirm: (context, sessionId) => run(context, 'ConfirmCheckout', { sessionId }),
    pay: (context, sessionId) => run(context, 'PayCheckout', { sessionId }),
    abandon: (context, sessionId) => run(context, 'AbandonCheckout', { sessionId }),
    comeBack: (context, sessionId) => run(context, 'ReturnToCheckout', { sessionId }),
  };
}

/** Results after which money has moved or is reserved, or the card was found good. */
const goodResults = new Set(['AUTHORIZED', 'EXECUTED', 'THREEDS_VALIDATED', 'PENDING']);

export type ShownOutcome =
  | 'paid'
  | 'verified'
  | 'collected'
  | 'pending'
  | 'declined'
  | 'unconfirmed'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'closed';

/** Of a payment that was good once and stands no longer. */
const closedStates = new Set(['Cancelled', 'Expired', 'Refunded']);

/** What a finished visit came to, in the payer's terms; being refused for risk is not told apart from a decline. */
export function outcomeOf({ operation, paymentState }: LoadedCheckout): ShownOutcome {
  if (!operation) return paymentState === 'PendingCustomer' ? 'collected' : 'failed';
  const { operationType: type, operationResult: result } = operation;
  if (result === 'PENDING') return 'pending';
  if (result === 'THREEDS_FAILED') return 'unconfirmed';
  if (result === 'DECLINED' || result === 'DENIED' || result === 'DENIED_BY_RISK') return 'declined';
  if (result === 'CANCELED' || result === 'VOIDED') return operation.channelDetail === 'IDLE' ? 'expired' : 'cancelled';
  if (!goodResults.has(result)) return 'failed';
  if (type === 'CARD_VERIFICATION') return 'verified';
  if (closedStates.has(paymentState ?? '')) return 'closed';
  return type === 'CARD_CHECK' ? 'collected' : 'paid';
}

export function isGood(outcome: ShownOutcome): boolean {
  return ['paid', 'verified', 'collected', 'pending'].includes(outcome);
}

/** Where the payer goes after the visit: the shop's result address when it went well, its cancel address otherwise; null when the shop named none. */
export function wayBack(page: LoadedCheckout): string | null {
  const outcome = outcomeOf(page);
  if (outcome === 'cancelled' || outcome === 'expired') return page.cancelUrl ?? page.resultUrl ?? page.merchantOrigin;
  return page.resultUrl ?? (isGood(outcome) ? null : page.cancelUrl) ?? page.merchantOrigin;
}
