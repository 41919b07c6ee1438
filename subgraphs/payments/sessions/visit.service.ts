// A visit as paying and entering a card begin with it.
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { isUuid } from '../../shared/ids';
import type { CheckoutDeps } from './checkout-session.service';
import type { Visit } from './visit.repository';

/** The session with its payment and its card. Refuses with `notFound` what is absent, malformed or somebody else's. */
export async function requireVisit(
  deps: Pick<CheckoutDeps, 'visits' | 'clock'>,
  { caller }: RequestContext,
  sessionId: string,
): Promise<Visit> {
  const visit = isUuid(sessionId) ? await deps.visits.find(caller, sessionId.toLowerCase(), deps.clock.now()) : null;
  if (!visit) throw new DomainError('notFound', 'There is no such session.');
  return visit;
}
