// Reads of a session: its state and card for the shop's server, its page for the payer (hosted checkout, build/state and build/cardData).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { operationLeft } from '../operations/recorded-operation';
import type { CardData, CheckoutSession } from './checkout-session';
import { type CheckoutDeps, findSession } from './checkout-session.service';
import { type CheckoutPage, type CheckoutResult, fieldSetOf, pageOf } from './checkout-view';
import { settled } from './session-ending.service';

/** What the shop's server is told. */
export async function viewResultOf(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
): Promise<CheckoutResult> {
  const { accountId, state, operationId } = session;
  const [securityToken, operation] = await Promise.all([
    session.securityToken
      ? deps.vault.open({ owner: accountId, field: 'notification.securityToken' }, session.securityToken)
      : null,
    operationId ? (operationLeft(context, operationId) ?? deps.money.readOperation(context, operationId)) : null,
  ]);
  const fieldSet = fieldSetOf(session, securityToken, deps);
  return { fieldSet, state, operation, url: fieldSet.url };
}

/** What our pages draw. */
export async function checkoutPageOf(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
): Promise<CheckoutPage> {
  const [payment, operation] = await Promise.all([
    deps.money.findPayment(context.caller, session.paymentId),
    session.operationId ? deps.money.readOperation(context, session.operationId) : null,
  ]);
  if (!payment) throw new Error('a session without its payment');
  return pageOf(session, { config: deps.config, operation, paymentState: payment.state });
}

/** Null for a session that is absent or somebody else's. */
export async function readResult(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutResult | null> {
  const session = await findSession(deps, context, sessionId);
  return session && viewResultOf(deps, context, await settled(deps, context, session));
}

/** Null for a session that is absent. */
export async function readCheckoutPage(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutPage | null> {
  const session = await findSession(deps, context, sessionId);
  return session && checkoutPageOf(deps, context, await settled(deps, context, session));
}

/** Null for a session that is absent or somebody else's. Refuses with `flowStateInvalid` before the card is complete. */
export async function readCardData(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CardData | null> {
  const found = await findSession(deps, context, sessionId);
  if (!found) return null;
  const { cardData, instrument } = await settled(deps, context, found);
  if (cardData) return cardData;
  if (instrument?.card) return { ...instrument.card, circuit: instrument.circuit };
  throw new DomainError('flowStateInvalid', 'the card is not complete');
}
