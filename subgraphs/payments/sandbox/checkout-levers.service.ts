// The sandbox's levers: what a payer would do on pages and frames, in one call (docs/sandbox.md, sections 6 and 9).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { finalizeSession } from '../checkout/finalize.service';
import {
  type CardToEnter,
  chooseMethod,
  confirm,
  openPage,
  reportDeviceCheck,
  takeCard,
} from '../checkout/flow.service';
import type { PaymentState } from '../payment/payment';
import type { CheckoutSession } from '../sessions/checkout-session';
import { type CheckoutDeps, requireSession } from '../sessions/checkout-session.service';
import { completeReturn } from '../sessions/session-return.service';
import { requireVisit } from '../sessions/visit.service';

export const leverOutcomes = ['PASS', 'FAIL', 'CANCEL'] as const;

/** Stands in when a lever names no holder. */
const anyHolder = 'Sandbox Shopper';

/**
 * Fills the card as the shopper would: picks CARDS, passes the device check, presses version 3's "continue", and on our own page "pay".
 * Refuses with `invalidData` a card that the fields would not take, `flowStateInvalid`.
 */
export async function fillCard(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  card: CardToEnter,
): Promise<CheckoutSession> {
  const { session: found, held } = await requireVisit(deps, context, sessionId);
  const opened = found.kind === 'HOSTED' ? await openPage(deps, context, sessionId) : found;
  const isToChoose = opened.state === 'PAYMENT_METHOD_SELECTION';
  const ready = isToChoose ? await chooseMethod(deps, context, sessionId, 'CARDS') : opened;
  const typed = { ...card, holder: card.holder || anyHolder };
  const { session, errors } = await takeCard(deps, context, { session: ready, held }, typed);
  const [error] = errors;
  if (error) {
    const member = members[error.field];
    throw new DomainError('invalidData', `${member}: ${error.code}`, { field: member });
  }
  const confirmed = session.state === 'CARD_DATA_COLLECTION' ? await confirm(deps, context, sessionId) : session;
  const checked =
    confirmed.state === 'GDI_VERIFICATION'
      ? await reportDeviceCheck(deps, context, { session: confirmed }, true)
      : confirmed;
  return checked.kind === 'HOSTED' ? finalizeSession(deps, context, sessionId) : checked;
}

/** Answers the pending challenge or alternative method and comes back. Refuses with `flowStateInvalid` when none is pending. */
export async function settleChallenge(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  outcome: string,
): Promise<CheckoutSession> {
  const answer = leverOutcomes.find((known) => known === outcome);
  if (!answer)
    throw new DomainError('invalidInput', `outcome is not one of ${leverOutcomes.join(', ')}`, { field: 'outcome' });
  const { state, redirection } = await requireSession(deps, context, sessionId);
  if (state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN' || !redirection)
    throw new DomainError('flowStateInvalid', `nothing is pending in the flow state ${state}`);
  const { kind, id } = redirection;
  if (kind === 'challenge') await deps.threeDs.answer(id, answer);
  else await deps.money.alternativeMethods.answer(id, answer);
  return completeReturn(deps, context, sessionId);
}

/** Does on family A's hosted page what the payer would; stops at the challenge when no answer is given. Refuses like `fillCard`. */
export async function fillPaymentCard(
  deps: CheckoutDeps,
  context: RequestContext,
  paymentId: string,
  { card, challenge }: { card: CardToEnter; challenge: string | null },
): Promise<PaymentState> {
  const session = await deps.sessions.findByPayment(context.caller, paymentId);
  if (!session) throw new DomainError('notFound', 'There is no such payment with a hosted page.');
  const { state, instrument } = await openPage(deps, context, session.sessionId);
  // A card that was stored before is not typed again.
  const isStored = state === 'READY_FOR_PAYMENT' && instrument !== null;
  const filled = await (isStored
    ? finalizeSession(deps, context, session.sessionId)
    : fillCard(deps, context, session.sessionId, card));
  if (challenge !== null && filled.state === 'REDIRECTED_TO_EXTERNAL_DOMAIN')
    await settleChallenge(deps, context, session.sessionId, challenge);
  const payment = await deps.money.findPayment(context.caller, paymentId);
  if (!payment) throw new Error('a session without its payment');
  return payment.state;
}

const members = {
  CARD_NUMBER: 'number',
  EXPIRATION_DATE: 'expiry',
  SECURITY_CODE: 'cvv',
  CARDHOLDER_NAME: 'holder',
  CARDHOLDER_EMAIL: 'email',
} as const;
