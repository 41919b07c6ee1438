// What every worker gives back when it was started, and how workers wait.
import { startDeadline } from '../subgraphs/shared/deadline';

export interface Running {
  /** Takes nothing new, finishes what is under way within its limit, and resolves when all is quiet. */
  stop(): Promise<void>;
}

/** Resolves after `ms` of real time, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** The promise's value, or `otherwise` when it takes longer: for calls whose loss something else covers. Rejects as the promise does. */
export function orElseAfter<Value>(ms: number, promise: Promise<Value>, otherwise: Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = startDeadline(ms, () => resolve(otherwise));
    promise.then(resolve, reject).finally(stop);
  });
}

/** Gives a turn when it is one's own: call what it resolves with when the turn is over. */
export type TakeTurn = () => Promise<() => void>;

/** One at a time, in the order in which they ask. Nobody waits longer than `msMax`, and nobody for one whose turn lasts longer. */
export function createTurns(msMax: number): TakeTurn {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    const turn = new AbortController();
    last = before.then(() => pause(msMax, turn.signal));
    await orElseAfter(msMax, before, undefined);
    return () => turn.abort();
  };
}
