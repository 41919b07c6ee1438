// Charging what a session has collected, by what the visit is for (2.2-B finalize of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { withoutUndefined } from '../../shared/present-members';
import type { OperationType } from '../../shared/vocabulary/operation';
import type { ChargeType, Recording } from '../money/money';
import type { Instrument } from '../payment/instrument';
import type { Payment } from '../payment/payment';
import type { CardEntry } from './card-entry';
import { type CheckoutSession, isMerchantInitiated, type SessionAim } from './checkout-session';
import type { CheckoutDeps, LateClaim } from './checkout-session.service';
import { decidePageFee, pageRulesOf } from './page-rules';
import { adopt, endByRecord, endingBy, endingOperation, operationWarningsOf } from './session-outcome.service';

/** What a finished visit is recorded as. */
export const recordedTypes: Readonly<Record<SessionAim, Exclude<Recording['type'], 'CANCEL'>>> = {
  COLLECT: 'CARD_CHECK',
  VERIFY: 'CARD_VERIFICATION',
  AUTHORIZE: 'AUTHORIZATION',
  SALE: 'AUTHORIZATION',
};

/** What a visit is paid with, and what is known of it by then. */
interface PaidWith {
  instrument: Instrument;
  trigger: 'finalize' | 'return';
  held?: CardEntry;
  /** The payment as it was just read. */
  seen?: Payment;
  claim?: LateClaim;
}

/** Charges the instrument, or keeps it where the visit is for no more; the session ends with the outcome. Returns it as it ended; null: it is to be read. */
export async function charge(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  paid: PaidWith,
): Promise<CheckoutSession | null> {
  if (session.aim === 'COLLECT') return keep(deps, context, session, paid);
  const { instrument, trigger, held, seen, claim } = paid;
  const { sessionId, paymentId, aim, recurrence } = session;
  const feeMinor = chargeFeeOf(session, instrument);
  const isByMerchant = isMerchantInitiated(session);
  const begun = claim?.on(session);
  const beginning = claim && begun ? { updates: begun.writes, done: claim.taken } : undefined;
  const ending = endingBy(
    deps,
    context,
    { session: begun?.claimed ?? session, ...withoutUndefined({ held }) },
    trigger,
  );
  await deps.money.charge(context, {
    paymentId,
    sessionId,
    instrument,
    isMerchantInitiated: isByMerchant,
    amountMinor: chargeAmountOf(session),
    feeMinor,
    type: recordedTypes[aim] as ChargeType & OperationType,
    captureNow: aim === 'SALE',
    channel: isByMerchant ? 'BACKOFFICE' : 'ECOMMERCE',
    channelDetail: isByMerchant ? 'MIT' : detailOf(session),
    contractId: recurrence?.contractId ?? null,
    warnings: operationWarningsOf(session),
    alongside: ending.alongside,
    ...withoutUndefined({ seen, beginning, claim: claim?.key }),
  });
  return ending.ended();
}

/** Moves no money. Without a claim before it the record ends the session as it was judged, or not at all. */
async function keep(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { instrument, trigger, held, seen, claim }: PaidWith,
): Promise<null> {
  const judged = claim ? (seen ?? (await deps.money.findPayment(context.caller, session.paymentId))) : null;
  await endByRecord(deps, context, session, {
    feeMinor: chargeFeeOf(session, instrument),
    type: 'CARD_CHECK',
    result: 'THREEDS_VALIDATED',
    instrument,
    channelDetail: detailOf(session),
    trigger,
    ...withoutUndefined({ held, seen: judged ?? undefined }),
  });
  return null;
}

/** True when a call that died, or one past the page, has charged the payment already: the session is complete then. */
export async function wasCharged(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
): Promise<boolean> {
  const payment = await deps.money.findPayment(context.caller, session.paymentId);
  if (payment && endingOperation(payment)) return adopt(deps, context, session.sessionId);
  if (payment?.activeCallId)
    throw new DomainError('unavailable', 'An earlier call is still being settled.', { retryAfterSeconds: 5 });
  return false;
}

/** VERIFY and COLLECT move no money. */
export function chargeAmountOf({ aim, amountMinor }: CheckoutSession): bigint {
  return aim === 'VERIFY' ? 0n : (amountMinor ?? 0n);
}

/** What the payer pays on top of it by the page's rules for that card or method. */
export function chargeFeeOf(
  { aim, pageConfiguration }: CheckoutSession,
  { method, circuit, card }: Pick<Instrument, 'method' | 'circuit' | 'card'>,
): bigint {
  if (aim === 'VERIFY') return 0n;
  const known = method === 'CARD' && card ? { circuit, bin: card.bin } : null;
  return decidePageFee(pageRulesOf(pageConfiguration), { method: circuit, card: known });
}

/** Where the operation came from, as it is printed. */
export function detailOf({ kind }: CheckoutSession): string {
  return kind === 'BUILD' ? 'FIELDS' : 'HOSTED_PAGE';
}
