// How an attempt came out, and the update of its callback's row that says so.
import { withoutUndefined } from '../../shared/present-members';
import type { Attempt, CallbackStatus, EndReason } from '../callbacks/callback';

const attemptsKeptMax = 50;

/** How an attempt ended and what follows from it. */
export interface AttemptOutcome {
  callbackId: string;
  attempt: Attempt;
  /** The nonce that the callback had when it was claimed. */
  redelivery: string | null;
  status: CallbackStatus;
  reason: EndReason | null;
  tries: number;
  ordered: boolean;
  dueAt: Date;
  endedAt: Date | null;
}

/**
 * A callback that nobody recorded an attempt of has the fencing number 0, and one that is delivered is closed: between these two no holder's number can
 * matter, and results of many endpoints may be alike.
 */
export function writtenFence({ attempt, status }: AttemptOutcome, fence: number): number {
  return attempt.number === 1 && status === 'DELIVERED' ? 0 : fence;
}

/** Outcomes that are written alike share one update: most of healthy endpoints do, which saves more than half of what a result costs. */
export function alike<Outcome extends AttemptOutcome>(
  outcomes: readonly Outcome[],
  fenceOf: (outcome: Outcome) => number,
): { ids: string[]; outcome: Outcome }[] {
  const groups = new Map<string, { ids: string[]; outcome: Outcome }>();
  for (const outcome of outcomes) {
    const key = JSON.stringify({ ...outcome, callbackId: '', fence: fenceOf(outcome) });
    const known = groups.get(key);
    if (known) known.ids.push(outcome.callbackId);
    else groups.set(key, { ids: [outcome.callbackId], outcome });
  }
  return [...groups.values()];
}

/** As it was claimed: not recorded since, not taken over by a later holder of the lease, no redelivery asked for. */
export function claimed(ids: readonly string[], { attempt, redelivery }: AttemptOutcome, fence: number) {
  const [id] = ids;
  return {
    _id: ids.length === 1 && id ? id : { $in: [...ids] },
    open: true,
    attemptsMade: attempt.number - 1,
    fence: { $lte: fence },
    redelivery,
  };
}

/** `sequence`: of the event that tells it; absent where none does. */
export function resultOf(outcome: AttemptOutcome, fence: number, sequence?: number) {
  const { status, reason, tries, ordered, dueAt, endedAt } = outcome;
  const open = endedAt === null;
  const { $set, $push } = attemptOf(outcome, fence, sequence);
  return {
    $set: {
      ...$set,
      status,
      open,
      reason,
      tries,
      ordered,
      dueAt,
      endedAt,
      redelivery: null,
      ...withoutUndefined({ outOfTurn: ordered ? true : undefined }),
    },
    ...withoutUndefined({ $unset: ordered ? undefined : { outOfTurn: true } }),
    $push,
  };
}

/** The attempt alone: what follows from it is decided by somebody else. */
export function attemptOf({ attempt }: AttemptOutcome, fence: number, sequence?: number) {
  return {
    $set: { fence, attemptsMade: attempt.number, ...withoutUndefined({ sequence }) },
    $push: { attempts: { $each: [attempt], $slice: -attemptsKeptMax } },
  };
}

/** An attempt whose outcome nobody knows, as stages of a pipeline. */
export function interruptedAttempt(at: Date, nextAt: Date) {
  const number = { $add: ['$attemptsMade', 1] };
  const unknown = { status: null, durationMs: null, excerpt: null };
  const isManual = { $ne: ['$redelivery', null] };
  const attempt = { number, at, result: 'interrupted', ...unknown, nextAt, isManual };
  return {
    attemptsMade: number,
    sequence: { $add: [{ $ifNull: ['$sequence', 0] }, 1] },
    outOfTurn: { $cond: ['$ordered', true, '$$REMOVE'] },
    attempts: { $slice: [{ $concatArrays: ['$attempts', [attempt]] }, -attemptsKeptMax] },
  };
}
