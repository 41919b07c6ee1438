// The common end of a forgotten session, many at a time: what a page of them needs is read at once, and each ends by one unit of work (2.2-C of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { inParallel } from '../../shared/store/in-parallel';
import { WriteConflict } from '../../shared/store/unit-of-work';
import type { Payment } from '../payment/payment';
import type { CardEntry } from './card-entry';
import type { CheckoutSession } from './checkout-session';
import type { CheckoutDeps } from './checkout-session.service';
import { endByRecord, endingOperation } from './session-outcome.service';

/** Sessions worked on at the same time: while one transaction's worth of them commits, the next is decided. */
const width = 256;

/**
 * Ends those of these sessions whose payer is nowhere else and whose payment nobody has touched, upon what is read here: no claim is needed, as a
 * payer who comes back moves the session's version or the payment's. Returns the ids of those it ended; the others need a look of their own.
 */
export async function endUntouched(
  deps: CheckoutDeps,
  context: RequestContext,
  sessions: readonly CheckoutSession[],
): Promise<Set<string>> {
  const here = sessions.filter(isHere);
  if (here.length === 0) return new Set();
  const [payments, entries] = await Promise.all([
    deps.money.findPayments(
      context.caller,
      here.map(({ paymentId }) => paymentId),
    ),
    deps.cards.findManyHeld(here.map(({ sessionId }) => sessionId)),
  ]);
  const paymentOf = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const heldOf = new Map(entries.map((entry) => [entry.sessionId, entry]));
  const ended = new Set<string>();
  await inParallel(here, width, async (session) => {
    const seen = paymentOf.get(session.paymentId);
    if (!seen || !isUntouched(seen)) return;
    if (await endAsSeen(deps, context, session, { seen, held: heldOf.get(session.sessionId) ?? null }))
      ended.add(session.sessionId);
  });
  return ended;
}

/** Nobody pays it, and its payer was not sent to an issuer or a method, which would have to be asked. */
function isHere({ state, payingSince }: CheckoutSession): boolean {
  return payingSince === null && state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN' && state !== 'PAYMENT_COMPLETE';
}

function isUntouched(payment: Payment): boolean {
  return payment.activeCallId === null && endingOperation(payment) === null;
}

/** False when the session or its payment has moved since. */
async function endAsSeen(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { seen, held }: { seen: Payment; held: CardEntry | null },
): Promise<boolean> {
  const cancel = { type: 'CANCEL', result: 'CANCELED', channelDetail: 'IDLE', trigger: 'expire' } as const;
  try {
    await endByRecord(deps, context, session, { ...cancel, seen, held });
    return true;
  } catch (error) {
    if (error instanceof WriteConflict || (error instanceof DomainError && error.code === 'invalidState')) return false;
    throw error;
  }
}
