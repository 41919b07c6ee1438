// What a session looks like from outside: to the shop's server as a field set, to our pages as everything a page draws (hosted checkout, Field set).
import type { Operation, Warning } from '../operations/operation';
import type { PaymentState } from '../payment/payment';
import { type CheckoutSession, type FieldFrame, type FlowState, fieldsOf, sessionIdleMsMax } from './checkout-session';
import { isSameLanguage } from './languages';
import { decidePageFee, decideShownFee, pageRulesOf } from './page-rules';

export interface ViewedFieldSet {
  sessionId: string;
  securityToken: string | null;
  sriHash: string;
  state: FlowState;
  fields: FieldFrame[];
  /** Where the payer must be redirected to. */
  url: string | null;
  warnings: Warning[];
}

export interface CheckoutResult {
  fieldSet: ViewedFieldSet;
  state: FlowState;
  operation: Operation | null;
  url: string | null;
}

interface ViewSurroundings {
  config: { PAY_URL: string };
  sriHash: string;
}

export function fieldSetOf(
  session: CheckoutSession,
  securityToken: string | null,
  { config, sriHash }: ViewSurroundings,
): ViewedFieldSet {
  const { sessionId, state, warnings } = session;
  const fields = fieldsOf(session, config.PAY_URL);
  return { sessionId, securityToken, sriHash, state, fields, url: redirectUrlOf(session), warnings };
}

/** Where the browser must go now: a challenge or a method, while the session waits for it. */
function redirectUrlOf({ state, redirection }: CheckoutSession): string | null {
  return state === 'REDIRECTED_TO_EXTERNAL_DOMAIN' ? (redirection?.url ?? null) : null;
}

interface PageSurroundings {
  config: { PAY_URL: string; isSandbox: boolean };
  operation: Operation | null;
  paymentState: PaymentState;
}

/** All that a page draws. */
export function pageOf(session: CheckoutSession, { config, operation, paymentState }: PageSurroundings) {
  const { sessionId, family, kind, state, merchantName, merchantOrigin, currency, orderId } = session;
  const {
    description,
    customField,
    language,
    countryLanguage,
    order,
    pageConfiguration,
    cancelUrl,
    resultUrl,
    flowVersion,
  } = session;
  const rules = pageRulesOf(pageConfiguration);
  return {
    sessionId,
    family,
    kind,
    state,
    paymentState,
    merchantName,
    merchantOrigin,
    currency,
    orderId,
    operation,
    description,
    customField,
    language,
    countryLanguage: countryLanguage ?? null,
    cancelUrl,
    resultUrl,
    flowVersion,
    method: session.method,
    ...toPay(session),
    summary: summaryOf(order, language ?? countryLanguage ?? null),
    summaries: summariesOf(order),
    termsAndConditionsIds: (order['termsAndConditionsIds'] as string[] | undefined) ?? [],
    methods: session.methods.map(({ method, circuits }) => ({
      method,
      circuits,
      fee: decideShownFee(rules, method)?.toString() ?? null,
    })),
    methodRules: pageConfiguration,
    pageType: (pageConfiguration?.['pageType'] as string | undefined) ?? null,
    templateName: (pageConfiguration?.['templateName'] as string | undefined) ?? null,
    fields: fieldsOf(session, config.PAY_URL),
    redirectUrl: redirectUrlOf(session),
    idleUntil: new Date(session.touchedAt.getTime() + sessionIdleMsMax),
    isTest: config.isSandbox,
    cardEntered: session.entered,
  };
}

/** What the payer pays, and the fee that is in it once it is known what with, or is the same whatever is chosen. */
function toPay({ aim, amountMinor, method, methods, cardData, pageConfiguration }: CheckoutSession): {
  amount: string | null;
  fee: string | null;
} {
  if (aim === 'VERIFY') return { amount: '0', fee: null };
  const rules = pageRulesOf(pageConfiguration);
  const possible = method ? [method] : methods.map((offered) => offered.method);
  const fees = new Set(possible.map((one) => decideShownFee(rules, one) ?? 0));
  const [common = 0] = fees.size === 1 ? fees : [];
  const feeMinor = cardData ? decidePageFee(rules, { method: null, card: cardData }) : BigInt(common);
  return {
    amount: amountMinor === null ? null : String(amountMinor + feeMinor),
    fee: feeMinor > 0n ? String(feeMinor) : null,
  };
}

export type CheckoutPage = ReturnType<typeof pageOf>;

interface Summary {
  language?: string;
  summaryList?: { label?: string; value?: string }[];
}

function summariesOf(order: Record<string, unknown>): { language: string | null; lines: SummaryLine[] }[] {
  const summaries = (order['transactionSummary'] as Summary[] | undefined) ?? [];
  return summaries.map(({ language = null, summaryList = [] }) => ({ language, lines: summaryList.map(lineOf) }));
}

type SummaryLine = { label: string; value: string };

function lineOf({ label = '', value = '' }: Partial<SummaryLine>): SummaryLine {
  return { label, value };
}

/** In the session's language, however its code is spelled, else the first. */
function summaryOf(order: Record<string, unknown>, language: string | null): SummaryLine[] {
  const summaries = (order['transactionSummary'] as Summary[] | undefined) ?? [];
  const isWanted = (summary: Summary) => isSameLanguage(summary.language ?? '', language ?? '');
  const chosen = summaries.find(isWanted) ?? summaries[0];
  return (chosen?.summaryList ?? []).map(lineOf);
}
