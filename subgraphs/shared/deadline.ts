// Waiting with a limit. A machine that stood still is not the silence of the other side: after a standstill timers fire before the answers are
// read that lie in the sockets, so what counts is the time in which this process could have noticed.
import { DomainError } from './errors';

/** Of the time between two looks so much counts. */
const stretchMsMax = 500;
/** A timer that runs so much after its time was kept from it. */
const lateMs = 20;

/** Calls `onOver` once so much time has passed; returns what stops it. A process that was busy at the end gets one stretch more: it may not even have sent yet. */
export function startDeadline(limitMs: number, onOver: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const wait = (leftMs: number, mayExtend: boolean): void => {
    const stretchMs = Math.min(leftMs, stretchMsMax);
    const dueMs = performance.now() + stretchMs;
    timer = setTimeout(() => {
      if (stretchMs < leftMs) wait(leftMs - stretchMs, mayExtend);
      else if (mayExtend && performance.now() - dueMs > lateMs) wait(stretchMs, false);
      else setImmediate(end);
    }, stretchMs);
  };
  // The event loop reads what has arrived after its timers and before this.
  const end = () => {
    if (!isStopped) onOver();
  };
  wait(limitMs, true);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** What the promise comes to; rejects with what `late` makes when it does not settle in time. */
export function inTime<Value>(promise: Promise<Value>, limitMs: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = startDeadline(limitMs, () => reject(late()));
    promise.then(resolve, reject).finally(stop);
  });
}

/** For a loop that looks again and again: true once it has gone on for `limitMs` since this was made. */
export function createDeadline(limitMs: number): () => boolean {
  let leftMs = limitMs;
  let lookedMs = performance.now();
  return () => {
    const nowMs = performance.now();
    leftMs -= Math.min(nowMs - lookedMs, stretchMsMax);
    lookedMs = nowMs;
    return leftMs <= 0;
  };
}

/** The result, or `unavailable` when it takes too long; work that goes on ends by itself, and its effect is whole or absent. */
export function within<Result>(timeoutMs: number, work: Promise<Result> | Result): Promise<Result> {
  return inTime(Promise.resolve(work), timeoutMs, () => new DomainError('unavailable'));
}
