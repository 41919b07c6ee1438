// When a lost connection is tried again, one wait for all subscriptions: doubled at each failure, with jitter, and from the start after one that lasted.
export interface ConnectionTurns {
  connected(): void;
  closed(): void;
  /** Waits for the next try; all that wait go on together. */
  next(over: AbortSignal): Promise<void>;
  /** Whether coming back after this error is of no use. */
  isFinal(error: unknown): boolean;
}

/** Closings of the protocol that speak about this client itself. */
const finalCodes = new Set([4400, 4406, 4409, 4429]);
/** The credential: refused for good when it is a new one, to be renewed when it has worked until now. */
const credentialCodes = new Set([4401, 4403]);
/** A connection that lasted so long was no failure. */
const stableMs = 5_000;

export function createConnectionTurns({
  retryMs,
  retryMsMax,
}: {
  retryMs: number;
  retryMsMax: number;
}): ConnectionTurns {
  let failures = 0;
  let connectedAt: number | null = null;
  let wasAccepted = false;
  let waiting: Promise<void> | null = null;

  function waitMs(): number {
    const most = Math.min(retryMsMax, retryMs * 2 ** failures);
    return most / 2 + Math.random() * (most / 2);
  }

  return {
    connected() {
      connectedAt = Date.now();
      wasAccepted = true;
    },
    closed() {
      wasAccepted = connectedAt !== null;
      failures = connectedAt !== null && Date.now() - connectedAt >= stableMs ? 0 : failures + 1;
      connectedAt = null;
    },
    async next(over) {
      waiting ??= new Promise<void>((resolve) => setTimeout(resolve, waitMs())).finally(() => {
        waiting = null;
      });
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      over.addEventListener('abort', leave);
      await Promise.race([waiting, left]);
      over.removeEventListener('abort', leave);
    },
    isFinal(error) {
      // Errors of the operation itself come as a list.
      if (Array.isArray(error)) return true;
      const code = (error as { code?: unknown } | null)?.code;
      if (typeof code !== 'number') return false;
      return finalCodes.has(code) || (credentialCodes.has(code) && !wasAccepted);
    },
  };
}
