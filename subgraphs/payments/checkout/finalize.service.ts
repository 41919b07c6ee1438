// Paying: the card is authenticated, handed to the acquirer and charged; or its holder is sent to the issuer and comes back (2.2-B finalize, 2.2-C of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { KeyClaim } from '../../shared/idempotency/once-begun';
import { withoutUndefined } from '../../shared/present-members';
import type { AuthenticationAnswer, CardToAuthenticate } from '../connectors/three-ds';
import type { Warning } from '../operations/operation';
import type { Instrument } from '../payment/instrument';
import type { Payment } from '../payment/payment';
import type { CardEntry } from '../sessions/card-entry';
import { type CheckoutSession, decideFlow, isMerchantInitiated, returnAddressOf } from '../sessions/checkout-session';
import {
  alone,
  aloneOnceBegun,
  type CheckoutDeps,
  type LateClaim,
  type LateJudgement,
  saveSession,
} from '../sessions/checkout-session.service';
import {
  charge,
  chargeAmountOf,
  chargeFeeOf,
  detailOf,
  recordedTypes,
  wasCharged,
} from '../sessions/session-charge.service';
import { cancelSession, settled } from '../sessions/session-ending.service';
import { endByRecord, wipeWrites } from '../sessions/session-outcome.service';
import type { Visit } from '../sessions/visit.repository';
import { requireVisit } from '../sessions/visit.service';
import { openCard } from './entered-card.service';

const skipped: Warning = { code: 'TRA001', description: '3-D Secure was skipped.' };
const exemptionIgnored: Warning = {
  code: 'TRA004',
  description: 'The exemption was ignored: the issuer asks its cardholder.',
};

/**
 * Pays a session that is ready. One that was redirected or is complete answers as it is; a twin waits for the call at work.
 * Refuses with `notFound`, `flowStateInvalid` in every earlier state, `unavailable`.
 */
export async function finalizeSession(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  key?: KeyClaim,
): Promise<CheckoutSession> {
  const visit = await requireVisit(deps, context, sessionId);
  const known = await settled(deps, context, visit.session);
  const judgement: LateJudgement = {
    key,
    isDone({ state, amountMinor, aim }) {
      if (state === 'PAYMENT_COMPLETE' || state === 'REDIRECTED_TO_EXTERNAL_DOMAIN') return true;
      decideFlow(state, 'finalize');
      if (amountMinor === null && aim !== 'VERIFY')
        throw new DomainError('flowStateInvalid', 'the order has no amount, which only VERIFY can do without');
      return false;
    },
    async run(session, claim) {
      // A visit of family B is charged by its finalize alone: only one that died can have done so before.
      const mayBeCharged = session.payingSince !== null || session.family === 'paymentService';
      if (mayBeCharged && (await wasCharged(deps, context, session))) return null;
      const { instrument } = session;
      if (!instrument) return payByCard(deps, context, session === visit.session ? visit : { session }, claim);
      if (isMerchantInitiated(session))
        return charge(deps, context, session, { instrument, trigger: 'finalize', claim });
      return payByStoredCard(deps, context, session, { stored: instrument, claim });
    },
  };
  return aloneOnceBegun(deps, context, known, judgement);
}

/** The shop's or the payer's cancel. Refuses with `flowStateInvalid` what was completed otherwise. */
export async function cancelOnRequest(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  channelDetail: string,
): Promise<CheckoutSession> {
  const session = await cancelSession(deps, context, sessionId, {
    trigger: 'cancel',
    channelDetail,
    isDone: ({ state }) => state === 'PAYMENT_COMPLETE',
  });
  const operation = session.operationId ? await deps.money.readOperation(context, session.operationId) : null;
  if (operation?.type !== 'CANCEL') throw new DomainError('flowStateInvalid', 'the session is complete');
  return session;
}

async function payByCard(
  deps: CheckoutDeps,
  context: RequestContext,
  visit: Pick<Visit, 'session'> | Visit,
  claim: LateClaim,
): Promise<CheckoutSession | null> {
  const { session } = visit;
  const [held, seen] =
    'held' in visit
      ? [visit.held, visit.payment]
      : await Promise.all([
          deps.cards.find(session, deps.clock.now()),
          deps.money.findPayment(context.caller, session.paymentId),
        ]);
  const card = held && (await openCard(deps, session, held));
  if (!card) {
    // The parts outlived their minutes: the payer types them again.
    await saveSession(deps, session, {
      state: decideFlow(session.state, 'editCard'),
      entered: [],
      cardData: null,
      payingSince: null,
    });
    claim.spoken();
    throw new DomainError('flowStateInvalid', 'the card has to be entered again');
  }
  const { number, expiry } = card;
  const shown = { number, bin: number.slice(0, 6), lastFour: number.slice(-4), expiry };
  const answer = await authenticate(deps, session, { card: shown, circuit: card.circuit });
  const instrument = await deps.money.registerInstrument(context, {
    accountId: session.accountId,
    merchantId: session.merchantId,
    threeDs: answer.outcome,
    card: { number, expiry, cvv: card.cvv, holder: card.holder },
  });
  return chargeAuthenticated(deps, context, session, {
    answer,
    instrument,
    held,
    claim,
    ...withoutUndefined({ seen: seen ?? undefined }),
  });
}

/** The card behind a contract with its payer present: authenticated as if it had been typed, and never typed. */
async function payByStoredCard(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { stored, claim }: { stored: Instrument; claim: LateClaim },
): Promise<CheckoutSession | null> {
  if (!stored.card) throw new Error('a contract without a card');
  const { circuit, card } = stored;
  const answer = await authenticate(deps, session, { card: { ...card, number: null }, circuit });
  const instrument = { ...stored, threeDs: answer.outcome };
  return chargeAuthenticated(deps, context, session, { answer, instrument, claim });
}

/** At once, or by the way of the issuer. */
async function chargeAuthenticated(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  {
    answer,
    instrument,
    held,
    seen,
    claim,
  }: { answer: AuthenticationAnswer; instrument: Instrument; held?: CardEntry; seen?: Payment; claim: LateClaim },
): Promise<CheckoutSession | null> {
  if (answer.outcome === 'challenge') return sendToIssuer(deps, context, session, { answer, instrument });
  const paid = answer.outcome === 'frictionless' ? session : { ...session, warnings: [...session.warnings, skipped] };
  return charge(deps, context, paid, {
    instrument,
    trigger: 'finalize',
    claim,
    ...withoutUndefined({ held, seen }),
  });
}

function authenticate(
  deps: CheckoutDeps,
  session: CheckoutSession,
  { card, circuit }: { card: CardToAuthenticate; circuit: string },
): Promise<AuthenticationAnswer> {
  const { sessionId, accountId, merchantName, currency, language, exemption } = session;
  return deps.threeDs.authenticate({
    sessionId,
    accountId,
    merchantName,
    currency,
    language,
    wish: exemption,
    circuit,
    card,
    amountMinor: chargeAmountOf(session) + chargeFeeOf(session, { method: 'CARD', circuit, card }),
    returnUrl: returnAddressOf(sessionId, deps.config.PAY_URL),
  });
}

type ChallengeAnswer = Extract<AuthenticationAnswer, { outcome: 'challenge' }>;

async function sendToIssuer(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { answer, instrument }: { answer: ChallengeAnswer; instrument: Instrument },
): Promise<null> {
  const payment = await deps.money.findPayment(context.caller, session.paymentId);
  if (!payment) throw new Error('a session without its payment');
  const now = deps.clock.now();
  const change = {
    state: decideFlow(session.state, 'challenge'),
    redirection: { kind: 'challenge', id: answer.challengeId, url: answer.url, sentAt: now },
    warnings: answer.isExemptionIgnored ? [...session.warnings, exemptionIgnored] : session.warnings,
    instrument,
    payingSince: null,
    touchedAt: now,
  } as const;
  const updates = [...deps.money.setState(payment, 'CHALLENGE_SHOWN'), ...(await wipeWrites(deps, session))];
  await saveSession(deps, session, change, { updates });
  return null;
}

/** Ends a session whose device check failed too often. */
export function endByFailedCheck(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutSession> {
  return alone(deps, context, sessionId, {
    isDone: ({ state }) => state !== 'GDI_VERIFICATION',
    async run(session) {
      const failed = { type: recordedTypes[session.aim], result: 'THREEDS_FAILED', trigger: 'failCheck' } as const;
      await endByRecord(deps, context, session, { ...failed, channelDetail: detailOf(session) });
      return null;
    },
  });
}
