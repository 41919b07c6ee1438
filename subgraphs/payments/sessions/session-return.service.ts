// Coming back from an issuer's challenge or an alternative method, by the browser's way or without it: what was decided there completes the session (2.2-C of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { MethodVisit } from '../connectors/alternative-method';
import type { ChallengeOutcome, ChallengeStatus } from '../connectors/three-ds';
import type { Recording } from '../money/money';
import type { Instrument } from '../payment/instrument';
import type { CheckoutSession, FlowTrigger, Redirection } from './checkout-session';
import { alone, type CheckoutDeps, findSession, requireSession } from './checkout-session.service';
import { charge, detailOf, recordedTypes, wasCharged } from './session-charge.service';
import { endByRecord } from './session-outcome.service';

/** Why the payer is not waited for any longer. */
type GivenUp = Extract<FlowTrigger, 'cancel' | 'expire'>;

/** The browser is back, or the payer has answered: completes by what the connector says; while that is nothing yet, the session stays. */
export async function completeReturn(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutSession> {
  const before = await requireSession(deps, context, sessionId);
  const { redirection } = before;
  if (before.state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN' || !redirection) return before;
  if (!(await hasAnswer(deps, redirection))) return before;
  return alone(deps, context, sessionId, {
    isDone: ({ state }) => state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN',
    async run(session) {
      await completeAway(deps, context, session, { trigger: 'return', channelDetail: detailOf(session) });
      return null;
    },
  });
}

/**
 * What an issuer or a method tells us by itself: the payment is complete whether the browser comes back or not. Where that is not possible now,
 * the return or the janitor does it later.
 */
export async function completeWhenTold(deps: CheckoutDeps, context: RequestContext, sessionId: string): Promise<void> {
  if (!(await findSession(deps, context, sessionId))) return;
  try {
    await completeReturn(deps, context, sessionId);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
  }
}

/**
 * Completes a session of the present call by what its payer did at the issuer or at the method; false while that is nothing.
 * A payer who is given up is asked back first: an open visit is withdrawn, so that nobody can pay it any more, and one that was paid is never
 * given up. A challenge that was passed has moved no money: it is charged unless the shop or the payer cancels.
 */
export async function completeAway(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { trigger, channelDetail }: { trigger: 'return' | GivenUp; channelDetail: string },
): Promise<boolean> {
  const { redirection } = session;
  if (session.state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN' || !redirection) return false;
  if (redirection.kind === 'challenge') return completeChallenge(deps, context, session, { redirection, trigger });
  const visit = await readVisit(deps, redirection.id, trigger);
  if (visit.status === 'OPEN') return false;
  const isToBeCharged = visit.isAgreement && session.aim !== 'COLLECT';
  if (isToBeCharged && (visit.status === 'PAID' || visit.status === 'PENDING'))
    return chargeAgreed(deps, context, session, { visit, trigger });
  await giveBackIfChargedOtherwise(deps, context, session, visit);
  if (await wasCharged(deps, context, session)) return true;
  const isGivenUp = visit.status === 'CANCELLED';
  await endByRecord(deps, context, session, {
    ...visitRecording(visit),
    amountMinor: visit.amountMinor,
    feeMinor: visit.amountMinor - (session.amountMinor ?? 0n),
    trigger,
    channelDetail: isGivenUp ? channelDetail : detailOf(session),
  });
  return true;
}

/** An invoice that its payer has agreed to has moved no money: it is charged, as a card is, unless the shop or the payer cancels. */
async function chargeAgreed(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { visit, trigger }: { visit: MethodVisit; trigger: 'return' | GivenUp },
): Promise<boolean> {
  if (trigger === 'cancel' || visit.status !== 'PAID') return false;
  if (!(await wasCharged(deps, context, session)))
    await charge(deps, context, session, { instrument: instrumentOf(visit), trigger: 'return' });
  return true;
}

async function hasAnswer(deps: CheckoutDeps, { kind, id }: { kind: string; id: string }): Promise<boolean> {
  const { status } = kind === 'challenge' ? await readChallenge(deps, id) : await readVisit(deps, id, 'return');
  return status !== 'OPEN';
}

async function readVisit(deps: CheckoutDeps, visitId: string, trigger: 'return' | GivenUp): Promise<MethodVisit> {
  const { alternativeMethods } = deps.money;
  const visit = await (trigger === 'return' ? alternativeMethods.ask(visitId) : alternativeMethods.withdraw(visitId));
  if (!visit) throw new Error('a session without its visit');
  return visit;
}

async function readChallenge(deps: CheckoutDeps, challengeId: string): Promise<{ status: ChallengeStatus }> {
  const challenge = await deps.threeDs.ask(challengeId);
  if (!challenge) throw new Error('a session without its challenge');
  return challenge;
}

/** A payment that was charged past the page while its payer paid at a method: the method gives the money back, once. */
async function giveBackIfChargedOtherwise(
  deps: CheckoutDeps,
  context: RequestContext,
  { paymentId }: CheckoutSession,
  { visitId, status, amountMinor, currency, isAgreement }: MethodVisit,
): Promise<void> {
  if (status !== 'PAID' || isAgreement) return;
  const payment = await deps.money.findPayment(context.caller, paymentId);
  if (!payment?.instrument || payment.entries.length === 0 || payment.instrument.reference === visitId) return;
  await deps.money.alternativeMethods.refund({ callId: visitId, visitId, amountMinor, currency });
}

async function completeChallenge(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { redirection, trigger }: { redirection: Redirection; trigger: 'return' | GivenUp },
): Promise<boolean> {
  const { status } = await readChallenge(deps, redirection.id);
  const isDecided = trigger === 'return' || status === 'PASSED' || status === 'FAILED';
  if (status === 'OPEN' || !isDecided || trigger === 'cancel') return false;
  if (await wasCharged(deps, context, session)) return true;
  // Written down with what ends the visit.
  const told = { ...redirection, outcome: status, answeredAt: deps.clock.now() };
  const answered = { ...session, redirection: told };
  if (status !== 'PASSED') {
    await endUnauthenticated(deps, context, answered, status);
    return true;
  }
  if (!session.instrument) throw new Error('a challenged session without an instrument');
  await charge(deps, context, answered, {
    instrument: { ...session.instrument, threeDs: 'challenge' },
    trigger: 'return',
  });
  return true;
}

/** A challenge that was cancelled is the payer's cancel; one that failed or ran out is THREEDS_FAILED. */
async function endUnauthenticated(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  status: Exclude<ChallengeOutcome, 'PASSED'>,
): Promise<void> {
  const outcome =
    status === 'CANCELLED'
      ? ({ type: 'CANCEL', result: 'CANCELED', instrument: session.instrument } as const)
      : ({ type: recordedTypes[session.aim], result: 'THREEDS_FAILED', instrument: session.instrument } as const);
  await endByRecord(deps, context, session, { ...outcome, channelDetail: detailOf(session), trigger: 'return' });
}

function visitRecording(
  visit: MethodVisit,
): Pick<Recording, 'type' | 'result' | 'instrument' | 'visitId' | 'method' | 'circuit'> {
  const instrument = instrumentOf(visit);
  const common = { method: 'APM', circuit: visit.method, visitId: visit.visitId } as const;
  switch (visit.status) {
    case 'PAID':
      if (visit.isAgreement) return { ...common, type: 'CARD_CHECK', result: 'THREEDS_VALIDATED', instrument };
      return { ...common, type: 'AUTHORIZATION', result: 'EXECUTED', instrument };
    case 'DECLINED':
      return { ...common, type: 'AUTHORIZATION', result: 'DECLINED' };
    case 'CANCELLED':
      return { ...common, type: 'CANCEL', result: 'CANCELED' };
    default:
      return { ...common, type: 'AUTHORIZATION', result: 'PENDING', instrument };
  }
}

/** What the payer paid by, or has agreed to be charged by. */
function instrumentOf({ visitId, method, instrumentInfo, endToEndId }: MethodVisit): Instrument {
  return {
    reference: visitId,
    method: 'APM',
    circuit: method,
    info: instrumentInfo ?? '',
    card: null,
    additionalData: {},
    threeDs: 'none',
    endToEndId,
  };
}
