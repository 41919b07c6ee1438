// How a session ends without its payer: cancelled, forgotten, or left behind by a call that died (2.2-C of the decision register).
import { systemCaller } from '../../shared/callers/caller';
import { type RequestContext, requestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { inParallel, inRounds } from '../../shared/store/in-parallel';
import { allSlots, isFirst, type SlotRange } from '../../shared/store/slot';
import { type CheckoutSession, isForgotten } from './checkout-session';
import { alone, type CheckoutDeps, isPaying, requireSession } from './checkout-session.service';
import { endUntouched } from './idle-ending.service';
import { adopt, endByRecord, endingOperation } from './session-outcome.service';
import { completeAway } from './session-return.service';

/** Sessions that one round of the janitor ends. */
const endedAtOnceMax = 1_024;
/** Sessions that need a look of their own, worked on at the same time. */
const width = 64;
/** For as long they end without a pause. */
const endingMsMax = 20_000;

/** The payer's own cancel, and what an idle session comes to: CANCEL with CANCELED, unless the payer has paid meanwhile where they were sent to. */
export async function cancelSession(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  {
    trigger,
    channelDetail,
    isDone,
  }: { trigger: 'cancel' | 'expire'; channelDetail: string; isDone(session: CheckoutSession): boolean },
): Promise<CheckoutSession> {
  return alone(deps, context, sessionId, {
    isDone,
    run: async (session) => {
      if (await completeAway(deps, context, session, { trigger, channelDetail })) return null;
      if (await adopt(deps, context, sessionId)) return null;
      await endByRecord(deps, context, session, { type: 'CANCEL', result: 'CANCELED', channelDetail, trigger });
      return null;
    },
  });
}

/** A payment of family A can be charged by its merchant, with a stored token, while its page is open. */
async function wasChargedPastPage(
  deps: CheckoutDeps,
  context: RequestContext,
  { family, paymentId }: CheckoutSession,
): Promise<boolean> {
  if (family !== 'paymentService') return false;
  const payment = await deps.money.findPayment(context.caller, paymentId);
  return payment !== null && endingOperation(payment) !== null;
}

/** Ends a session by the charge that was made past it; an open visit at a method is withdrawn first, so that nobody pays twice. */
function endCharged(deps: CheckoutDeps, context: RequestContext, sessionId: string): Promise<CheckoutSession> {
  return alone(deps, context, sessionId, {
    isDone: ({ state }) => state === 'PAYMENT_COMPLETE',
    run: async (session) => {
      const isComplete = await completeAway(deps, context, session, { trigger: 'cancel', channelDetail: 'CHARGED' });
      if (!isComplete) await adopt(deps, context, sessionId);
      return null;
    },
  });
}

/**
 * The session as it should be by now: ended when it was forgotten, or when its payment was charged by a call that died. Waits for a live call only
 * where the session is forgotten: that call is most likely the janitor's, and whoever knows the time must not see the session open.
 */
export async function settled(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
): Promise<CheckoutSession> {
  if (session.state === 'PAYMENT_COMPLETE') return session;
  if (!isPaying(session)) {
    if (session.payingSince && (await adopt(deps, context, session.sessionId)))
      return requireSession(deps, context, session.sessionId);
    if (await wasChargedPastPage(deps, context, session)) return endCharged(deps, context, session.sessionId);
  }
  if (!isForgotten(session, deps.clock.now())) return session;
  try {
    return await cancelSession(deps, context, session.sessionId, {
      trigger: 'expire',
      channelDetail: 'IDLE',
      isDone: (present) => present.state === 'PAYMENT_COMPLETE' || !isForgotten(present, deps.clock.now()),
    });
  } catch (error) {
    // A method that does not answer may have been paid: the session stays open until it says so.
    if (error instanceof DomainError && error.code === 'unavailable') return session;
    throw error;
  }
}

/**
 * The janitor of a lane, or of all: forgotten sessions end, by the charge of a dead call where there was one; with the first lane, card parts that
 * outlived their time are wiped. Returns how many sessions ended.
 */
export async function expireSessions(
  deps: CheckoutDeps,
  stopping?: AbortSignal,
  slots: SlotRange = allSlots,
): Promise<number> {
  let ended = 0;
  await inRounds({ msMax: endingMsMax, stopping }, async () => {
    const { seen, endedNow, putOff } = await endForgotten(deps, slots);
    ended += endedNow;
    return { hasMore: seen >= endedAtOnceMax && endedNow + putOff > 0 };
  });
  if (isFirst(slots)) await wipeLeftCards(deps);
  return ended;
}

/** Card parts of sessions that ended or were left otherwise: those of forgotten ones went with them. */
async function wipeLeftCards(deps: CheckoutDeps): Promise<void> {
  const now = deps.clock.now();
  await inParallel(await deps.cards.listExpired(now, endedAtOnceMax), width, (entry) =>
    decideAgain(async () => {
      const held = await deps.cards.findHeld(entry);
      if (held && held.expiresAt <= now && Object.keys(held.parts).length > 0)
        await deps.inTransaction({ updates: [deps.cards.wipeOf(held)] });
    }),
  );
}

async function endForgotten(deps: CheckoutDeps, slots: SlotRange) {
  const { environment } = deps.config;
  const context = requestContext(systemCaller(environment, 'checkout-janitor'), newId());
  const now = deps.clock.now();
  const checked = await deps.sessions.listIdleChecks({ environment, slots }, now, endedAtOnceMax);
  const idle = checked.filter((session) => isForgotten(session, now));
  const touched = checked.filter((session) => !isForgotten(session, now));
  await deps.sessions.putOffIdleChecks(touched);
  const ended = await endUntouched(deps, context, idle);
  let endedNow = ended.size;
  await inParallel(idle, width, async (session) => {
    if (ended.has(session.sessionId) || isPaying(session)) return;
    if ((await settled(deps, context, session)).state === 'PAYMENT_COMPLETE') endedNow += 1;
  });
  return { seen: checked.length, endedNow, putOff: touched.length };
}
