// A visit step by step: loaded, judged, saved where nobody else was faster; one finalize call at a time (2.2-C of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { createDeadline } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import type { KeyClaim, OnceBegun } from '../../shared/idempotency/once-begun';
import { isUuid } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { type InTransaction, together, type UnitOfWork, WriteConflict } from '../../shared/store/unit-of-work';
import type { ThreeDs } from '../connectors/three-ds';
import type { ContractRepository } from '../contracts/contract.repository';
import type { Money } from '../money/money';
import type { RunExclusive } from '../payment/payment-lock.service';
import type { JudgeAddress, ReadMerchant, ReadTerminal } from '../ports';
import type { CardEntryRepository } from './card-entry.repository';
import type { CheckoutSession } from './checkout-session';
import type { CheckoutSessionRepository, SessionChange } from './checkout-session.repository';
import type { VisitRepository } from './visit.repository';

export interface CheckoutDeps {
  sessions: CheckoutSessionRepository;
  visits: VisitRepository;
  cards: CardEntryRepository;
  contracts: ContractRepository;
  money: Money;
  threeDs: ThreeDs;
  readTerminal: ReadTerminal;
  readMerchant: ReadMerchant;
  judgeAddress: JudgeAddress;
  inTransaction: InTransaction;
  onceBegun: OnceBegun;
  clock: Clock;
  vault: Vault;
  config: { environment: 'sandbox' | 'production'; isSandbox: boolean; PAY_URL: string };
  /** `sha384-...` of the field script as it is served. */
  sriHash: string;
  /** Four frames of one session speak at once: within a process they take turns. */
  runExclusive: RunExclusive;
  /** Twins of a call that pays a session take turns within a process. */
  runPaying: RunExclusive;
}

/** A finalize call that has been silent for so long is taken to be dead; real time. */
const payingSilentMsMax = 15_000;
/** How long a twin waits for the call that is at work; real time. */
export const twinWaitMsMax = 9_000;
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
 * Changes a session by what `decide` makes of it; null changes nothing. `known` is the session as the caller has just read it. Waits while it is being paid or ended, and decides about what that left.
 * Refuses with `notFound`, `conflict`, and with `flowStateInvalid` when the other call does not end.
 */
export async function changeSession(
  deps: CheckoutDeps,
  context: RequestContext,
  { sessionId, known }: { sessionId: string; known?: CheckoutSession },
  decide: (session: CheckoutSession) => Promise<SessionStep | null> | SessionStep | null,
): Promise<CheckoutSession> {
  return deps.runExclusive(sessionId, (notes) => {
    // Who had to wait for others of the session does not begin with what it saw before them.
    let seen = notes.has(sessionId) || !known || isPaying(known) ? null : known;
    notes.set(sessionId, true);
    return decideAgain(async () => {
      const session = seen ?? (await quietSession(deps, context, sessionId));
      seen = null;
      const decided = await decide(session);
      if (!decided) return session;
      const change = { touchedAt: deps.clock.now(), ...decided.change };
      await saveSession(deps, session, change, decided.alongside);
      return { ...session, ...change, version: session.version + 1 };
    });
  });
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

/** The claim of a call that looks and asks before the session has to be its own: one of the writes by which it begins for good. */
export interface LateClaim {
  /** The session as the claim leaves it, and the write that does so. */
  on(session: CheckoutSession): { claimed: CheckoutSession; writes: NonNullable<UnitOfWork['updates']> };
  /** Its writes are committed. */
  taken(): void;
  /** What the call says now is not judged again, although the session is another one by then. */
  spoken(): void;
  /** Of the request's idempotency key, made with it. */
  key: KeyClaim | undefined;
}

export interface LateJudgement {
  key: KeyClaim | undefined;
  isDone(session: CheckoutSession): boolean;
  /** Like `run` above; what it writes of the session without the claim is saved on the version that it was given. */
  run(session: CheckoutSession, claim: LateClaim): Promise<CheckoutSession | null>;
}

/**
 * Like `alone`, but the session is claimed with the first thing that must not happen twice, not by a write of its own before: within a process twins
 * take turns, between processes the later one fails on the version of the session and is judged by what the other left.
 */
export function aloneOnceBegun(
  deps: CheckoutDeps,
  context: RequestContext,
  known: CheckoutSession,
  { key, isDone, run }: LateJudgement,
): Promise<CheckoutSession> {
  const { sessionId } = known;
  return deps.runPaying(sessionId, async (notes) => {
    const isOver = createDeadline(twinWaitMsMax);
    const isFirst = !notes.has(sessionId);
    notes.set(sessionId, true);
    for (let present = isFirst ? known : null; ; present = null) {
      const session = present ?? (await requireSession(deps, context, sessionId));
      if (isDone(session)) return session;
      const ended = isPaying(session) ? null : await runOnce(deps, context, session, { run, key });
      if (ended) return ended;
      if (isOver())
        throw new DomainError('unavailable', 'Another call for this session is still running.', {
          retryAfterSeconds: 1,
        });
      if (isPaying(session)) await key?.look();
      if (isPaying(session)) await new Promise((resolve) => setTimeout(resolve, twinPollMs));
    }
  });
}

/** Null: somebody else moved the session meanwhile, so that nothing of what this call found counts. */
async function runOnce(
  deps: CheckoutDeps,
  context: RequestContext,
  session: CheckoutSession,
  { run, key }: Pick<LateJudgement, 'run' | 'key'>,
): Promise<CheckoutSession | null> {
  const payingSince = new Date();
  let [isTaken, isSpoken] = [false, false];
  const claim: LateClaim = {
    on: (unclaimed) => ({
      claimed: { ...unclaimed, payingSince, version: unclaimed.version + 1 },
      writes: [deps.sessions.updateOf(unclaimed, { payingSince, warnings: unclaimed.warnings })],
    }),
    taken: () => {
      isTaken = true;
    },
    spoken: () => {
      isSpoken = true;
    },
    key,
  };
  const claimed = { ...session, payingSince };
  try {
    const ended = await run(session, claim);
    if (ended) return ended;
  } catch (error) {
    if (isSpoken) throw error;
    if (!isTaken && error instanceof WriteConflict) return null;
    const present = isTaken ? null : await requireSession(deps, context, session.sessionId);
    // Whether the claim was committed may be unknown.
    const isOurs = isTaken || present?.payingSince?.getTime() === payingSince.getTime();
    if (isOurs) await release(deps, context, claimed, leftOpen);
    if (isOurs || present?.version === session.version) throw error;
    return null;
  }
  return isTaken ? release(deps, context, claimed, null) : requireSession(deps, context, session.sessionId);
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
  alongside?: UnitOfWork,
): Promise<void> {
  return deps.inTransaction(together({ updates: [deps.sessions.updateOf(session, change)] }, alongside));
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
