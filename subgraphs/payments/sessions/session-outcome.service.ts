// The writes that end a session beside the operation that ended it, whoever recorded that operation (2.2-C of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { withoutUndefined } from '../../shared/present-members';
import { decideAgain } from '../../shared/store/decide-again';
import type { UnitOfWork, UpdateWrite } from '../../shared/store/unit-of-work';
import { consentWrites } from '../contracts/contract.service';
import type { Alongside, Outcome, Recording } from '../money/money';
import { leaveOperation } from '../operations/recorded-operation';
import type { Payment } from '../payment/payment';
import type { CardEntry } from './card-entry';
import { type CheckoutSession, type FlowTrigger, flow } from './checkout-session';
import type { SessionChange } from './checkout-session.repository';
import { type CheckoutDeps, requireSession } from './checkout-session.service';

/** A session that its caller has claimed, with the card's parts where it has read them (null: there are none); both as they are unless somebody else was faster. */
export interface Claimed {
  session: CheckoutSession;
  held?: CardEntry | null;
}

export interface SessionEnding {
  /** Writes that end the session beside the outcome; none when it has ended already. Asked again after a conflict, it reads everything anew. */
  alongside: Alongside;
  /** Once the outcome is committed: the session as it was ended; null when it had ended before. */
  ended(): CheckoutSession | null;
}

/** Ends the session with an outcome, whatever that is. */
export function endingBy(
  deps: CheckoutDeps,
  context: RequestContext,
  claimed: Claimed,
  trigger: FlowTrigger,
): SessionEnding {
  let known: Claimed | null = claimed;
  let ended: CheckoutSession | null = null;
  return {
    async alongside(outcome) {
      const { session, held } = known ?? { session: await requireSession(deps, context, claimed.session.sessionId) };
      [known, ended] = [null, null];
      leaveOperation(context, null);
      if (session.state === 'PAYMENT_COMPLETE') return {};
      const change = endOf(deps, session, outcome, trigger);
      ended = { ...session, ...change, version: session.version + 1 };
      leaveOperation(context, outcome.operation);
      return endingWrites(deps, { session, ...withoutUndefined({ held }) }, outcome, change);
    },
    ended: () => ended,
  };
}

function endOf(
  { clock }: CheckoutDeps,
  session: CheckoutSession,
  { operation, payment }: Outcome,
  trigger: FlowTrigger,
) {
  return {
    state: flow[session.state][trigger] ?? ('PAYMENT_COMPLETE' as const),
    operationId: operation.operationId,
    instrument: payment.instrument ?? session.instrument,
    warnings: session.warnings,
    payingSince: null,
    touchedAt: clock.now(),
    ...withoutUndefined({ redirection: session.redirection?.answeredAt ? session.redirection : undefined }),
  };
}

async function endingWrites(
  deps: CheckoutDeps,
  { session, held }: Claimed,
  outcome: Outcome,
  change: SessionChange,
): Promise<UnitOfWork> {
  const { inserts = [], updates = [] } = await consentWrites(deps, session, outcome);
  const end = deps.sessions.updateOf(session, change);
  return { inserts, updates: [end, ...(await wipeWrites(deps, session, held)), ...updates] };
}

/** The write that wipes the card's parts, where there are any; `held` are the parts as they were just read, null where there were none. */
export async function wipeWrites(
  deps: Pick<CheckoutDeps, 'cards'>,
  session: CheckoutSession,
  held?: CardEntry | null,
): Promise<UpdateWrite[]> {
  const entry = held === undefined ? await deps.cards.findHeld(session) : held;
  return entry && Object.keys(entry.parts).length > 0 ? [deps.cards.wipeOf(entry)] : [];
}

/** What the operation warns of: all but that our page shows the result (TRA002), which is said of the order alone. */
export function operationWarningsOf({ warnings }: CheckoutSession): CheckoutSession['warnings'] {
  return warnings.filter(({ code }) => code !== 'TRA002');
}

/** Records an outcome that the acquirer had no part in, and ends the session with it. */
export function endByRecord(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  {
    trigger,
    held,
    ...recording
  }: Pick<
    Recording,
    | 'seen'
    | 'type'
    | 'result'
    | 'channelDetail'
    | 'instrument'
    | 'visitId'
    | 'method'
    | 'circuit'
    | 'feeMinor'
    | 'amountMinor'
  > &
    Pick<Claimed, 'held'> & {
      trigger: FlowTrigger;
    },
): Promise<Outcome> {
  const { sessionId, paymentId, amountMinor } = session;
  const claimed = { session, ...withoutUndefined({ held }) };
  const { alongside } = endingBy(deps, context, claimed, trigger);
  const isWithoutMoney =
    recording.type === 'CARD_CHECK' || recording.type === 'CARD_VERIFICATION' || amountMinor === null;
  const zero = isWithoutMoney ? { amountMinor: 0n } : {};
  const warnings = operationWarningsOf(session);
  return deps.money.record(context, { ...recording, ...zero, paymentId, sessionId, warnings, alongside });
}

/**
 * Ends a session whose payment says that it has been charged, by a call that died before it could tell or past the page altogether.
 * False when there is nothing to adopt.
 */
export async function adopt(deps: CheckoutDeps, context: RequestContext, sessionId: string): Promise<boolean> {
  return decideAgain(async () => {
    const session = await requireSession(deps, context, sessionId);
    if (session.state === 'PAYMENT_COMPLETE') return true;
    const payment = await deps.money.findPayment(context.caller, session.paymentId);
    const operationId = payment && endingOperation(payment);
    const operation = operationId ? await deps.money.readOperation(context, operationId) : null;
    if (!payment || !operation) return false;
    const trigger = session.state === 'REDIRECTED_TO_EXTERNAL_DOMAIN' ? 'return' : 'finalize';
    const outcome = { payment, operation };
    await deps.inTransaction(await endingWrites(deps, { session }, outcome, endOf(deps, session, outcome, trigger)));
    return true;
  });
}

const endingTypes: ReadonlySet<string> = new Set([
  'AUTHORIZATION',
  'CARD_VERIFICATION',
  'CARD_CHECK',
  'CANCEL',
  'NOSHOW',
  'DELAY_CHARGE',
]);

/** The operation that ends the payer's visit; null while there is none. */
export function endingOperation({ entries }: Payment): string | null {
  return (
    entries.find(({ type, parentOperationId }) => endingTypes.has(type) && parentOperationId === null)?.operationId ??
    null
  );
}
