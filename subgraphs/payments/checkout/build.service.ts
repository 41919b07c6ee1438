// New orders of hosted checkout: build for fields in the shop's page, hpp for our page; order, payment and session in one write (hosted checkout, build and hpp).
import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../../shared/callers/context';
import type { Sealed } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { newHiddenId, newId } from '../../shared/ids';
import { slotOf } from '../../shared/store/slot';
import { DuplicateKey, type UnitOfWork } from '../../shared/store/unit-of-work';
import type { AuthenticationWish } from '../connectors/three-ds';
import type { Recurrence } from '../contracts/contract';
import { type ContractCharge, isContractRefused, requireContract } from '../contracts/contract.service';
import type { Warning } from '../operations/operation';
import type { CheckoutTerminal, MerchantFacts } from '../ports';
import { type CheckoutSession, hostedPageOf, type SessionKind } from '../sessions/checkout-session';
import type { CheckoutDeps } from '../sessions/checkout-session.service';
import { fieldSetOf, type ViewedFieldSet } from '../sessions/checkout-view';
import { languageOfCountry } from '../sessions/languages';
import { newSession, openingWrites } from '../sessions/session-opening';
import {
  assertSafeReturns,
  decideCaptureType,
  decideCurrency,
  decideMerchantOrigin,
  decideMethod,
  decideOffer,
} from '../terminal-rules';
import { firstStep } from './method-choice.service';
import { type CheckoutRequest, parseCheckoutRequest } from './order-rules';

export interface BuildInput {
  merchantUrl?: string | null;
  version?: string | null;
  order?: unknown;
  paymentSession?: unknown;
  pluginName?: string | null;
  isOlderPath?: boolean | null;
}

export interface HostedOrder {
  sessionId: string;
  hostedPage: string;
  securityToken: string;
  warnings: Warning[];
}

const missingResultUrl: Warning = {
  code: 'TRA002',
  description: 'paymentSession.resultUrl is missing: our own page shows the result.',
};

/** Creates an order whose card fields stand in the shop's page. Refuses with the codes of 2.2-D. */
export function buildCheckout(deps: CheckoutDeps, context: RequestContext, input: BuildInput): Promise<ViewedFieldSet> {
  return deps.onceBegun(context, 'buildCheckout', async ({ complete }) => {
    const request = await readRequest(deps, context, input, 'BUILD');
    const opened = await open(deps, context, request);
    const fieldSet = fieldSetOf(opened.session, opened.securityToken, deps);
    await store(deps, opened, complete(fieldSet));
    return fieldSet;
  });
}

/** Creates an order for our hosted page. Refuses with the codes of 2.2-D. */
export function buildHostedOrder(deps: CheckoutDeps, context: RequestContext, input: BuildInput): Promise<HostedOrder> {
  return deps.onceBegun(context, 'createHostedOrder', async ({ complete }) => {
    const request = await readRequest(deps, context, input, 'HOSTED');
    const opened = await open(deps, context, request);
    const { sessionId, warnings } = opened.session;
    const { securityToken } = opened;
    const order = { sessionId, securityToken, warnings, hostedPage: hostedPageOf(sessionId, deps.config.PAY_URL) };
    await store(deps, opened, complete(order));
    return order;
  });
}

/** A request with everything that terminal, merchant and contract say about it. */
interface JudgedRequest {
  request: CheckoutRequest;
  kind: SessionKind;
  flowVersion: '1' | '3';
  terminal: CheckoutTerminal;
  merchant: MerchantFacts;
  merchantOrigin: string | null;
  currency: string;
  method: string | null;
  methods: CheckoutSession['methods'];
  captureType: CheckoutSession['captureType'];
  contract: ContractCharge | null;
  recurrence: Recurrence | null;
  pluginName: string | null;
}

async function readRequest(
  deps: CheckoutDeps,
  { caller }: RequestContext,
  input: BuildInput,
  kind: SessionKind,
): Promise<JudgedRequest> {
  const { terminal, merchant } = await requireTerminal(deps, caller.environment, caller.terminalId ?? '');
  const isOlderPath = input.isOlderPath ?? false;
  const { order, paymentSession, pluginName = null } = input;
  const flowVersion = decideVersion(input.version ?? '1');
  const merchantUrl = input.merchantUrl ?? null;
  const merchantOrigin = kind === 'BUILD' ? decideMerchantOrigin(merchantUrl, terminal, deps.config.isSandbox) : null;
  const request = parseCheckoutRequest(order, paymentSession, { kind, isOlderPath, now: deps.clock.now() });
  const currency = decideCurrency(request.currency, terminal);
  const method = decideMethod(request.paymentService, terminal);
  const captureType = decideCaptureType(terminal.captureType, request.captureType);
  checkNotification(deps, request.notificationUrl);
  const { cancelUrl, resultUrl } = request;
  const returns = { 'paymentSession.cancelUrl': cancelUrl, 'paymentSession.resultUrl': resultUrl };
  assertSafeReturns(returns, deps.config.isSandbox);
  const methods = decideOffer(request, method, terminal);
  const contract = await contractOf(deps, caller, request, terminal.merchantId);
  return {
    request,
    kind,
    flowVersion,
    terminal,
    merchant,
    merchantOrigin,
    currency,
    method,
    methods,
    captureType,
    contract,
    recurrence: recurrenceOf(request, contract),
    pluginName,
  };
}

async function requireTerminal(
  deps: CheckoutDeps,
  environment: 'sandbox' | 'production',
  terminalId: string,
): Promise<{ terminal: CheckoutTerminal; merchant: MerchantFacts }> {
  const terminal = await deps.readTerminal(environment, terminalId);
  if (terminal?.status !== 'ACTIVE') throw new DomainError('terminalNotFound');
  const merchant = await deps.readMerchant(environment, terminal.merchantId);
  if (!merchant) throw new Error('a terminal without its merchant');
  return { terminal, merchant };
}

function decideVersion(version: string): '1' | '3' {
  if (version === '1' || version === '3') return version;
  throw new DomainError('invalidData', 'version is not 1 or 3', { field: 'version' });
}

function checkNotification(deps: CheckoutDeps, notificationUrl: string | null): void {
  const fault = notificationUrl === null ? null : deps.judgeAddress(notificationUrl);
  if (fault === null) return;
  const field = 'paymentSession.notificationUrl';
  throw new DomainError('invalidData', `${field} cannot be called: ${fault}`, { field });
}

/** The contract that a later payment is charged by; null where the payer enters a card. */
async function contractOf(
  deps: CheckoutDeps,
  caller: RequestContext['caller'],
  { recurrence }: CheckoutRequest,
  merchantId: string,
): Promise<ContractCharge | null> {
  if (!recurrence) return null;
  if (recurrence.action === 'SUBSEQUENT_PAYMENT') return requireContract(deps, caller, { merchantId, recurrence });
  const known = recurrence.contractId
    ? await deps.contracts.find(caller.environment, merchantId, recurrence.contractId)
    : null;
  const field = 'paymentSession.recurrence.contractId';
  if (recurrence.action === 'CARD_SUBSTITUTION' && !known)
    throw new DomainError('contractUnknown', undefined, { field });
  if (recurrence.action === 'CONTRACT_CREATION' && known && !(await isContractRefused(deps, caller, known)))
    throw new DomainError('invalidData', `${field} is in use: CARD_SUBSTITUTION changes its card`, { field });
  return null;
}

interface OpenedVisit {
  session: CheckoutSession;
  securityToken: string;
  inserts: ReturnType<CheckoutDeps['money']['openPayment']>['inserts'];
}

async function open(deps: CheckoutDeps, { caller }: RequestContext, judged: JudgedRequest): Promise<OpenedVisit> {
  const { request, terminal, kind, method, currency, captureType } = judged;
  const { environment } = caller;
  const { accountId, merchantId, terminalId } = terminal;
  const sessionId = newHiddenId(slotOf({ merchantId, accountId }));
  const securityToken = randomBytes(16).toString('hex');
  const sealedToken = await deps.vault.seal({ owner: accountId, field: 'notification.securityToken' }, securityToken);
  const orderId = request.orderId ?? randomBytes(12).toString('hex');
  const owner = { environment, accountId, merchantId, terminalId, orderId, currency, captureType } as const;
  const { payment, inserts } = deps.money.openPayment({
    ...owner,
    ...paymentOf(judged, orderId),
    sessionId,
    notification:
      request.notificationUrl === null ? null : { url: request.notificationUrl, securityToken: sealedToken },
  });
  const session = newSession(
    {
      ...owner,
      ...sessionFactsOf(judged, sealedToken),
      family: 'checkout',
      kind,
      method,
      paymentId: payment.paymentId,
    },
    ...([sessionId, deps.clock.now()] as const),
  );
  const change = kind === 'BUILD' ? (await firstStep(deps, session)).change : {};
  return { session: { ...session, ...change }, securityToken, inserts };
}

function paymentOf({ request, terminal, recurrence }: JudgedRequest, orderId: string) {
  const { actionType, customField, customerInfo, description, installmentQty, order } = request;
  return {
    family: 'checkout',
    amountMinor: actionType === 'VERIFY' ? 0n : request.amountMinor,
    captureDelayMs: terminal.captureDelayHours * 3_600_000,
    isIncremental: actionType === 'PREAUTH',
    contractId: recurrence?.contractId ?? null,
    details: { order: { ...order, orderId }, actionType },
    operationDefaults: {
      customField,
      customerInfo,
      description,
      installmentQty,
      paymentLinkId: null,
      omnichannelId: null,
      contractType: recurrence?.contractType ?? null,
    },
  } as const;
}

const wishes: Readonly<Record<CheckoutRequest['exemption'], AuthenticationWish>> = {
  NO_PREFERENCE: 'NONE',
  CHALLENGE_REQUESTED: 'CHALLENGE_REQUESTED',
  EXEMPTION_REQUESTED: 'REQUESTED',
};

function sessionFactsOf(judged: JudgedRequest, securityToken: Sealed) {
  const { request, merchant, flowVersion, merchantOrigin, methods, captureType, contract, recurrence, pluginName } =
    judged;
  const { actionType, amountMinor, description, customField, order, cancelUrl, resultUrl, notificationUrl } = request;
  return {
    amountMinor,
    description,
    customField,
    order,
    cancelUrl,
    resultUrl,
    notificationUrl,
    securityToken,
    flowVersion,
    merchantOrigin,
    pluginName,
    merchantName: merchant.name,
    methods,
    aim: actionType === 'VERIFY' ? 'VERIFY' : captureType === 'IMPLICIT' ? 'SALE' : 'AUTHORIZE',
    exemption: wishes[request.exemption],
    recurrence,
    instrument: contract?.contract.instrument ?? null,
    language: request.language,
    countryLanguage: languageOfCountry(merchant.country),
    warnings: resultUrl === null ? [missingResultUrl] : [],
  } as const;
}

function recurrenceOf({ recurrence }: CheckoutRequest, charge: ContractCharge | null): Recurrence | null {
  if (!recurrence) return null;
  return {
    ...recurrence,
    contractId: recurrence.contractId ?? newId(),
    contractType: charge?.contractType ?? recurrence.contractType ?? 'MIT_UNSCHEDULED',
  };
}

async function store(deps: CheckoutDeps, { session, inserts }: OpenedVisit, kept: UnitOfWork): Promise<void> {
  try {
    const opening = [...inserts, ...openingWrites(deps, session)];
    await deps.inTransaction({ ...kept, inserts: [...opening, ...(kept.inserts ?? [])] });
  } catch (error) {
    if (!(error instanceof DuplicateKey && error.collection === 'payments')) throw error;
    throw new DomainError('orderIdTaken', undefined, { field: 'order.orderId' });
  }
}
