// What becomes of a merchant's open sessions when it is deleted: each ends as if its payer had cancelled; what was authorized goes on (decision register 2.3-A, Inactive and Deleted).
import { type Environment, systemCaller } from '../../shared/callers/caller';
import { requestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import { inParallel } from '../../shared/store/in-parallel';
import { type CheckoutDeps, isPaying } from './checkout-session.service';
import { cancelSession } from './session-ending.service';

/** Sessions that one run ends. */
const endedAtOnceMax = 200;
/** Sessions worked on at the same time. */
const width = 16;

/** Ends open sessions of the merchant, at most two hundred; returns how many are open still: harmless to repeat until it is 0. */
export async function closeSessionsOf(
  deps: CheckoutDeps,
  environment: Environment,
  merchantId: string,
): Promise<number> {
  const context = requestContext(systemCaller(environment, 'merchant-end'), newId());
  const open = await deps.sessions.listOpenOf(environment, merchantId, endedAtOnceMax + 1);
  let left = open.length;
  await inParallel(open.slice(0, endedAtOnceMax), width, async (session) => {
    if (isPaying(session)) return;
    try {
      const after = await cancelSession(deps, context, session.sessionId, {
        trigger: 'cancel',
        channelDetail: 'MERCHANT_DELETED',
        isDone: ({ state }) => state === 'PAYMENT_COMPLETE',
      });
      if (after.state === 'PAYMENT_COMPLETE') left -= 1;
    } catch (error) {
      // A method that does not answer may have been paid: the session stays open until it says so.
      if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
    }
  });
  return left;
}
