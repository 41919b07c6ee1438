// A loop that must not stand still is run in turns under a watchdog: a turn that has not moved for its time, while the database answers, is abandoned,
// so that the loop can begin anew. What an abandoned turn still does must be fenced off by whatever it writes to.

import { createDeadline } from '../deadline';
import type { Log } from './log';
import type { Metrics } from './metrics';

const lookMs = 250;
/** Each turn that is abandoned without having moved doubles the deadline of the next: work that is slow, but gets on, must come to its end. */
const doublingsMax = 4;

/** Why a turn's signal aborted, when the watchdog did it. */
export const abandoned = Symbol('abandoned');

export interface Turn {
  /** Aborts when the turn is abandoned, and when whoever began it stops. */
  signal: AbortSignal;
  /** The loop got on, or looked and found nothing to do. */
  moved(): void;
}

export interface WatchdogDeps {
  /** What stands in the log line and in the metric. */
  loop: string;
  stillMsMax: number;
  log: Pick<Log, 'error'>;
  metrics?: Pick<Metrics, 'watchdogRestarts'> | undefined;
  /** Whether the database answers now: while it does not, nobody can move. */
  answers(): Promise<boolean>;
}

/** Runs one turn; settles as it does, or resolves when it was abandoned. */
export type Watch = (run: (turn: Turn) => Promise<void>, stopping: AbortSignal) => Promise<void>;

export function createWatchdog({ loop, stillMsMax, log, metrics, answers }: WatchdogDeps): Watch {
  let doublings = 0;
  return async (run, stopping) => {
    const over = new AbortController();
    const end = () => over.abort();
    stopping.addEventListener('abort', end, { once: true });
    if (stopping.aborted) end();
    const newDeadline = () => createDeadline(stillMsMax * 2 ** doublings);
    let isLate = newDeadline();
    let isEnded = false;
    const moved = () => {
      doublings = 0;
      isLate = newDeadline();
    };
    const running = run({ signal: over.signal, moved }).finally(() => {
      isEnded = true;
    });
    // Of a turn that was abandoned nobody hears any more.
    running.catch(() => undefined);
    const standing = async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, lookMs).unref());
        // What moved while the database was asked has not stood still.
        if (isEnded || (isLate() && (await answers()) && isLate())) return;
      }
    };
    await Promise.race([running, standing()]).finally(() => stopping.removeEventListener('abort', end));
    if (isEnded) return running;
    over.abort(abandoned);
    doublings = Math.min(doublings + 1, doublingsMax);
    metrics?.watchdogRestarts.inc({ loop });
    log.error({ operation: loop }, 'the watchdog abandoned a loop that stood still; it begins anew');
  };
}
