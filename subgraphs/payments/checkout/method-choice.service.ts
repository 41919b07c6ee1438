// How a session begins and where a chosen method leads: to the card fields, or to the method's own page (2.2-C of the decision register).
import { DomainError } from '../../shared/errors';
import { invoiceMethod } from '../connectors/alternative-method';
import { type CheckoutSession, decideFlow, type Redirection, returnAddressOf } from '../sessions/checkout-session';
import type { CheckoutDeps, SessionStep } from '../sessions/checkout-session.service';
import { decidePageFee, pageRulesOf } from '../sessions/page-rules';

/** Where a session begins, by what was chosen for the payer beforehand. */
export async function firstStep(deps: CheckoutDeps, session: CheckoutSession): Promise<SessionStep> {
  if (session.instrument) return { change: { state: decideFlow(session.state, 'chargeStored') } };
  // A payment of family A may get its amount later, and its page opens without one.
  const isWithoutAmount = session.family === 'paymentService' && session.amountMinor === null;
  if (session.method === null || isWithoutAmount) return { change: { state: decideFlow(session.state, 'open') } };
  return chosen(deps, session, session.method);
}

/** The step that a choice makes. Refuses with `invalidData` what is not offered, `flowStateInvalid`. */
export async function chosen(deps: CheckoutDeps, session: CheckoutSession, method: string): Promise<SessionStep> {
  if (!session.methods.some((offered) => offered.method === method))
    throw new DomainError('invalidData', 'the method is not offered', { field: 'method' });
  const state = decideFlow(session.state, method === 'CARDS' ? 'chooseCards' : 'chooseMethod');
  if (method === 'CARDS') return { change: { method, state } };
  return { change: { method, state, redirection: await startVisit(deps, session, method) } };
}

async function startVisit(deps: CheckoutDeps, session: CheckoutSession, method: string): Promise<Redirection> {
  const { sessionId, paymentId, accountId, merchantName, amountMinor, currency, language, aim } = session;
  if (amountMinor === null || aim === 'VERIFY')
    throw new DomainError('flowStateInvalid', `${method} can only pay an amount`);
  const feeMinor = decidePageFee(pageRulesOf(session.pageConfiguration), { method, card: null });
  const { visitId, url } = await deps.money.alternativeMethods.start({
    sessionId,
    paymentId,
    accountId,
    merchantName,
    currency,
    language,
    method,
    amountMinor: amountMinor + feeMinor,
    isAgreement: aim === 'COLLECT' || method === invoiceMethod,
    returnUrl: returnAddressOf(sessionId, deps.config.PAY_URL),
  });
  return { kind: 'method', id: visitId, url };
}
