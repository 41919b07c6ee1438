// A visit step by step: loaded, judged, saved where nobody else was faster; one finalize call at a time (2.2-C of the decision register).

import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { createDeadline } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import { isUuid } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import type { Idempotent } from '../../shared/store/idempotency';
import { type InTransaction, type UnitOfWork, WriteConflict } from '../../shared/store/outbox';
import type { CardEntryRepository } from '../checkout/card-entry.repository';
import type { ThreeDs } from '../connectors/three-ds';
import type { ContractRepository } from '../contracts/contract.repository';
import type { Money } from '../money/money';
import type { RunExclusive } from '../payment/payment-lock.service';
import type { JudgeAddress, ReadMerchant, ReadTerminal } from '../ports';
import type { CheckoutSession } from './checkout-session';
import type { CheckoutSessionRepository, SessionChange } from './checkout-session.repository';

export interface CheckoutDeps {
  sessions: CheckoutSessionRepository;
  cards: CardEntryRepository;
  contracts: ContractRepository;
  money: Money;
  threeDs: ThreeDs;
  readTerminal: ReadTerminal;
  readMerchant: ReadMerchant;
  judgeAddress: JudgeAddress;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  vault: Vault;
  config: { environment: 'sandbox' | 'production'; isSandbox: boolean; PAY_URL: string };
  /** `sha384-...` of the field script as it is served. */
  sriHash: string;
  /** Four frames of one session speak at once: within a process they take turns. */
  runExclusive: RunExclusive;
}

/** A finalize call that has been silent for so long is taken to be dead; real time. */
export const payingSilentMsMax = 15_000;
/** How long a twin waits for the call that is at work; real time. */
const twinWaitMsMax = 9_000;
const twinPollMs = 50;
/** How long a step of the payer waits for the call that pays or ends the session; real time. */
const quietWaitMsMax = 4_000;
/** How long a step waits for the others of its session in this process; real time. */
export const exclusiveWaitMsMax = 5_000;

/** What one step changes: the session, and what belongs beside it. */
export interface SessionStep {
  change: SessionChange;
  alongside?: UnitOfWork;
}

/** Null when it is absent, malformed or somebody else's. */
export function findSession(
  deps: Pick<CheckoutDeps, 'sessions'>,
  { caller }: RequestContext,
  sessionId: string,
): Promise<CheckoutSession | null> {
  return isUuid(sessionId) ? deps.sessions.find(caller, sessionId.toLowerCase()) : Promise.resolve(null);
}

export async function requireSession(
  deps: Pick<CheckoutDeps, 'sessions'>,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutSession> {
  const session = await findSession(deps, context, sessionId);
  if (!session) throw new DomainError('notFound', 'There is no such session.');
  return session;
}

/**
 * Changes a session by what `decide` makes of it; null changes nothing. Waits while it is being paid or ended, and decides about what that left.
 * Refuses with `notFound`, `conflict`, and with `flowStateInvalid` when the other call does not end.
 */
export async function changeSession(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  decide: (session: CheckoutSession) => Promise<SessionStep | null> | SessionStep | null,
): Promise<CheckoutSession> {
  const step = async (): Promise<CheckoutSession> => {
    const session = await quietSession(deps, context, sessionId);
    const decided = await decide(session);
    if (!decided) return session;
    const change = { touchedAt: deps.clock.now(), ...decided.change };
    await saveSession(deps, session, change, decided.alongside);
    return { ...session, ...change, version: session.version + 1 };
  };
  return deps.runExclusive(sessionId, () => decideAgain(step));
}

/** The session once no call pays or ends it. */
async function quietSession(deps: CheckoutDeps, context: RequestContext, sessionId: string): Promise<CheckoutSession> {
  for (const isOver = createDeadline(quietWaitMsMax); ; ) {
    const session = await requireSession(deps, context, sessionId);
    if (!isPaying(session)) return session;
    if (isOver()) throw new DomainError('flowStateInvalid', 'the session is being paid');
    await new Promise((resolve) => setTimeout(resolve, twinPollMs));
  }
}

export interface Judgement {
  /** Returns true when there is nothing to do (any more); throws when the state does not allow it. */
  isDone(session: CheckoutSession): boolean;
  /**
   * Does it; nobody else pays, cancels or ends the session meanwhile. `isTakenOver`: from a call that seems to have died.
   * Returns the session as it ended it; null: it is to be read.
   */
  run(session: CheckoutSession, isTakenOver: boolean): Promise<CheckoutSession | null>;
}

/**
 * Runs the one call that may end a session: a twin waits for it and is judged by what it left. Returns the session afterwards. `known` is the
 * session as the caller has just read it.
 * Refuses with `notFound`, with what `isDone` and `run` throw, and with `unavailable` when the other call does not end.
 */
export async function alone(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  { isDone, run }: Judgement,
  known?: CheckoutSession,
): Promise<CheckoutSession> {
  const isOver = createDeadline(twinWaitMsMax);
  for (let present = known; ; present = undefined) {
    const session = present ?? (await requireSession(deps, context, sessionId));
    if (isDone(session)) return session;
    const claimed = isPaying(session) ? null : await claim(deps, session);
    if (claimed) return runClaimed(deps, context, claimed, () => run(claimed, session.payingSince !== null));
    if (present) continue;
    if (isOver())
      throw new DomainError('unavailable', 'Another call for this session is still running.', { retryAfterSeconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, twinPollMs));
  }
}

/** True while a live call pays, cancels or ends the session. */
export function isPaying({ payingSince }: CheckoutSession): boolean {
  return payingSince !== null && Date.now() - payingSince.getTime() < payingSilentMsMax;
}

/** Saves where the version read is still the present one; rejects with WriteConflict otherwise. */
export function saveSession(
  deps: Pick<CheckoutDeps, 'sessions' | 'inTransaction'>,
  session: CheckoutSession,
  change: SessionChange,
  { inserts = [], updates = [], events = [] }: UnitOfWork = {},
): Promise<void> {
  return deps.inTransaction({ inserts, updates: [deps.sessions.updateOf(session, change), ...updates], events });
}

/** Null when somebody else was faster. */
async function claim(deps: CheckoutDeps, session: CheckoutSession): Promise<CheckoutSession | null> {
  const payingSince = new Date();
  try {
    await saveSession(deps, session, { payingSince });
  } catch (error) {
    if (error instanceof WriteConflict) return null;
    throw error;
  }
  return { ...session, payingSince, version: session.version + 1 };
}

async function runClaimed(
  deps: CheckoutDeps,
  context: RequestContext,
  claimed: CheckoutSession,
  run: () => Promise<CheckoutSession | null>,
): Promise<CheckoutSession> {
  try {
    const ended = await run();
    if (ended) return ended;
  } catch (error) {
    await release(deps, context, claimed, leftOpen);
    throw error;
  }
  return release(deps, context, claimed, null);
}

/** Since when a session counts as paid by nobody whose last call failed: whoever comes next looks first whether it has charged. */
const leftOpen = new Date(0);

/** Frees a session that the call did not end; one that it ended, or that somebody took over, stays as it is. Returns it as it is then. */
function release(
  deps: CheckoutDeps,
  context: RequestContext,
  claimed: CheckoutSession,
  payingSince: Date | null,
): Promise<CheckoutSession> {
  return decideAgain(async () => {
    const session = await requireSession(deps, context, claimed.sessionId);
    const isOurs = session.payingSince !== null && session.payingSince.getTime() === claimed.payingSince?.getTime();
    if (!isOurs) return session;
    await saveSession(deps, session, { payingSince });
    return { ...session, payingSince, version: session.version + 1 };
  });
}
