// The payment service's calls: create, authorize, capture, cancel, refund, read (payment service).
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import type { KeyWork } from '../../shared/idempotency/once-begun';
import { newHiddenId, newOrderedId } from '../../shared/ids';
import { slotOf } from '../../shared/store/slot';
import { type InsertWrite, type InTransaction, together } from '../../shared/store/unit-of-work';
import type { Outcome } from '../money/money';
import type { Payment } from '../payment/payment';
import type { ReadMerchant } from '../ports';
import { hostedPageOf } from '../sessions/checkout-session';
import type { PageVisitOf } from '../sessions/session-opening';
import type { CreatePayment } from './create-payment';
import {
  checkBasket,
  decideAnswer,
  decideOpening,
  decideVisit,
  factsOf,
  isChargedAtOnce,
  needsPayerOfToken,
  type PaymentServiceFacts,
  planCharge,
  secretOf,
} from './payment-service';
import {
  type Made,
  madeOf,
  type PaymentStepDeps,
  performStep,
  requireServicePayment,
  type StepName,
} from './payment-step.service';
import type { StoredToken } from './stored-token.service';

export interface PaymentServiceDeps extends PaymentStepDeps {
  inTransaction: InTransaction;
  vault: Vault;
  readMerchant: ReadMerchant;
  config: { PAY_URL: string };
  readRequest(request: unknown): CreatePayment;
  /** A visit of the hosted page, as writes; its id is the payment's sessionId. */
  openVisit(visit: PageVisitOf, sessionId: string): InsertWrite[];
  /** The consent that a payment has stored; null when it has stored none. */
  readConsent(caller: Caller, paymentId: string): Promise<StoredToken | null>;
}

export interface CreatedPayment {
  payment: Payment;
  hostedPageUrl: string;
}

export type PaymentService = ReturnType<typeof createPaymentService>;

export function createPaymentService(deps: PaymentServiceDeps) {
  return {
    create: (context: RequestContext, request: object) => create(deps, context, request),
    /** Authorize, capture, cancel or refund. */
    perform: (context: RequestContext, step: { name: StepName; paymentId: string; input: object }): Promise<Outcome> =>
      performStep(deps, context, step),
    /** Null for what is absent, somebody else's, or an order of hosted checkout. */
    read: (context: RequestContext, paymentId: string) => read(deps, context, paymentId),
  };
}

/**
 * Creates a payment and its hosted page; a stored token whose processing moves money is charged as well, and a refusal by the issuer is then
 * `declined` although the payment stays readable. Refuses with `invalidInput`, `invalidData`, `invalidState`, `paymentMethodMissing`, `declined`.
 */
async function create(deps: PaymentServiceDeps, context: RequestContext, request: object): Promise<CreatedPayment> {
  const asked = deps.readRequest(request);
  const made = await deps.onceBegun<Made>(context, 'createPayment', async (key) => {
    // The payment that a request of the same key opened before it died is charged, not another one.
    const begun = key.subject === null ? null : await deps.money.readPayment(context, key.subject);
    const { payment, inserts } = begun ? { payment: begun, inserts: [] } : await open(deps, context, asked);
    if (isChargedAtOnce(asked)) return chargeAtOnce(deps, context, { payment, inserts, key });
    const result: Made = { paymentId: payment.paymentId, operationId: null };
    await deps.inTransaction(together({ inserts }, key.complete(result)));
    return result;
  });
  const operation = made.operationId ? await deps.money.readOperation(context, made.operationId) : null;
  if (operation && operation.result !== 'PENDING') decideAnswer(operation);
  const payment = await requireServicePayment(deps, context, made.paymentId);
  return { payment, hostedPageUrl: hostedPageUrlOf(deps, payment) ?? '' };
}

async function open(
  deps: PaymentServiceDeps,
  context: RequestContext,
  request: CreatePayment,
): Promise<{ payment: Payment; inserts: InsertWrite[] }> {
  const { caller } = context;
  const { environment, merchantId = '' } = caller;
  const merchant = await deps.readMerchant(environment, merchantId);
  if (!merchant || merchant.accountId !== caller.accountId)
    throw new DomainError('forbidden', 'The access token belongs to no merchant.');
  if (merchant.status !== 'ACTIVE') throw new DomainError('invalidState', 'The merchant is not active.');
  const { accountId, currency } = merchant;
  const secret = secretOf(request);
  const sealed = secret === null ? null : await deps.vault.seal({ owner: accountId, field: 'payment.method' }, secret);
  const owner = { environment, accountId, merchantId, currency };
  const slot = slotOf(owner);
  const [paymentId, sessionId] = [newOrderedId(slot), newHiddenId(slot)];
  const opening = { ...decideOpening(request, owner, sealed), paymentId, sessionId };
  const stored = needsPayerOfToken(request) ? await cardToChallenge(deps, context, opening) : null;
  const { payment, inserts } = deps.money.openPayment({ ...opening, contractId: stored?.contractId ?? null });
  const visit = deps.openVisit({ ...decideVisit(payment, request, merchant), ...stored?.shown }, sessionId);
  return { payment, inserts: [...inserts, ...visit] };
}

/** The card behind a token, for the visit in which its payer is challenged; null for a method that knows no challenge. Refuses with `paymentMethodMissing`. */
async function cardToChallenge(
  { money, readChargedToken }: PaymentServiceDeps,
  context: RequestContext,
  opening: Parameters<typeof money.openPayment>[0],
) {
  const { payment } = money.openPayment(opening);
  const { instrument, contractId } = await readChargedToken(context, {
    payment,
    facts: factsOf(payment) as PaymentServiceFacts,
    amountMinor: payment.amountMinor,
  });
  const { card, circuit } = instrument;
  return card && { contractId, shown: { instrument, cardData: { ...card, circuit } } };
}

/** The token is judged before anything is stored; the payment is stored before the acquirer is asked. */
async function chargeAtOnce(
  deps: PaymentServiceDeps,
  context: RequestContext,
  { payment, inserts, key }: { payment: Payment; inserts: InsertWrite[]; key: KeyWork<Made> },
): Promise<Made> {
  const facts = factsOf(payment) as PaymentServiceFacts;
  checkBasket(payment);
  const plan = planCharge(payment, facts);
  const charged = await deps.readChargedToken(context, { payment, facts, amountMinor: plan.amountMinor });
  const { paymentId } = payment;
  const opening = [...inserts, ...key.inserts(paymentId)];
  if (opening.length > 0) await deps.inTransaction({ inserts: opening });
  key.taken();
  const outcome = await deps.money.charge(context, {
    ...plan,
    ...charged,
    paymentId,
    sessionId: payment.sessionId,
    claim: key,
    alongside: (reached) => key.complete(madeOf(reached)),
  });
  return madeOf(outcome);
}

export interface PaymentServiceRead {
  payment: Payment;
  facts: PaymentServiceFacts;
  hostedPageUrl: string | null;
  token: StoredToken | null;
}

async function read(
  deps: PaymentServiceDeps,
  context: RequestContext,
  paymentId: string,
): Promise<PaymentServiceRead | null> {
  const payment = await requireServicePayment(deps, context, paymentId).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'notFound') return null;
    throw error;
  });
  const facts = payment ? factsOf(payment) : null;
  if (!payment || !facts) return null;
  return {
    payment,
    facts,
    hostedPageUrl: hostedPageUrlOf(deps, payment),
    token: await deps.readConsent(context.caller, paymentId),
  };
}

function hostedPageUrlOf({ config }: PaymentServiceDeps, { sessionId }: Payment): string | null {
  return sessionId === null ? null : hostedPageOf(sessionId, config.PAY_URL);
}
