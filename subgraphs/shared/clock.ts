// One clock for everything that waits. In the sandbox it can be moved forward; it never goes back.

/** Reads the one clock. `now` is the time of the platform; real time (leases, time-outs, rate windows) is Date.now(). */
export interface Clock {
  now(): Date;
  /** Milliseconds that the clock is ahead of real time. */
  offsetMs(): number;
}

/** A clock moved by hand, for tests of pure decisions. */
export function manualClock(start: Date): Clock & { advance(ms: number): void } {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    offsetMs: () => nowMs - Date.now(),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
