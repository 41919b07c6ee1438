// How an attempt came out, and the update of its callback's row that says so.
import { withoutUndefined } from '../../shared/present-members';
import type { Attempt, CallbackStatus, EndReason } from '../callbacks/callback';

const attemptsKeptMax = 50;

/** How an attempt ended and what follows from it. */
export interface AttemptOutcome {
  callbackId: string;
  endpointId: string;
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

/** Callbacks that are written alike, and the endpoints that they go to. */
export interface Alike<Outcome extends AttemptOutcome> {
  ids: string[];
  endpointIds: Set<string>;
  outcome: Outcome;
}

/** Outcomes that are written alike share one update: most of healthy endpoints do, which saves more than half of what a result costs. */
export function alike<Outcome extends AttemptOutcome>(
  outcomes: readonly Outcome[],
  fenceOf: (outcome: Outcome) => number,
): Alike<Outcome>[] {
  const groups = new Map<string, Alike<Outcome>>();
  for (const outcome of outcomes) {
    const { callbackId, endpointId } = outcome;
    const key = JSON.stringify({ ...outcome, callbackId: '', endpointId: '', fence: fenceOf(outcome) });
    const known = groups.get(key) ?? { ids: [], endpointIds: new Set(), outcome };
    known.ids.push(callbackId);
    known.endpointIds.add(endpointId);
    groups.set(key, known);
  }
  return [...groups.values()];
}

/** By their ids, beside the endpoints: in shards those are asked that have callbacks of these. */
export function named({ ids, endpointIds }: Pick<Alike<AttemptOutcome>, 'ids' | 'endpointIds'>) {
  return { _id: oneOrAny(ids), endpointId: oneOrAny([...endpointIds]) };
}

function oneOrAny(values: readonly string[]): string | { $in: string[] } {
  const [only] = values;
  return values.length === 1 && only ? only : { $in: [...values] };
}

/** As it was claimed: not recorded since, not taken over by a later holder of the lease, no redelivery asked for. */
export function claimed({ outcome: { attempt, redelivery }, ...those }: Alike<AttemptOutcome>, fence: number) {
  return {
    ...named(those),
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
