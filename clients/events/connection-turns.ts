// When a lost connection is tried again, one wait for all subscriptions: doubled at each failure, with jitter, and from the start after one that lasted.
export interface ConnectionTurns {
  connected(): void;
  closed(): void;
  /** Refused for now on a connection that stays open: a failure as a lost one is. */
  refused(): void;
  /** Waits for the next try; all that wait go on together. */
  next(over: AbortSignal): Promise<void>;
  /** Whether coming back after this error is of no use. */
  isFinal(error: unknown): boolean;
}

/** Closings of the protocol that speak about this client itself. */
const finalCodes = new Set([4400, 4406, 4409, 4429]);
/** The credential: refused for good when it is a new one, to be renewed when it has worked until now. */
const credentialCodes = new Set([4401, 4403]);
/** Refusals of an operation that say nothing of it: the same may be taken a moment later. */
const passingCodes = new Set<unknown>(['unavailable', 'rateLimited', 'internal']);
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
  let isCounted = false;
  let connectedAt: number | null = null;
  let wasAccepted = false;
  let waiting: Promise<void> | null = null;

  function waitMs(): number {
    const most = Math.min(retryMsMax, retryMs * 2 ** failures);
    return most / 2 + Math.random() * (most / 2);
  }

  /** Once for each wait, however many subscriptions tell of it. */
  function failed(): void {
    if (!isCounted) failures += 1;
    isCounted = true;
  }

  return {
    connected() {
      connectedAt = Date.now();
      wasAccepted = true;
    },
    closed() {
      wasAccepted = connectedAt !== null;
      if (connectedAt !== null && Date.now() - connectedAt >= stableMs) failures = 0;
      else failed();
      connectedAt = null;
    },
    refused: failed,
    async next(over) {
      waiting ??= new Promise<void>((resolve) => setTimeout(resolve, waitMs())).finally(() => {
        waiting = null;
        isCounted = false;
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
      if (Array.isArray(error)) return !isPassing(error);
      const code = (error as { code?: unknown } | null)?.code;
      if (typeof code !== 'number') return false;
      return finalCodes.has(code) || (credentialCodes.has(code) && !wasAccepted);
    },
  };
}

function isPassing(errors: readonly { extensions?: { code?: unknown } }[]): boolean {
  return errors.length > 0 && errors.every(({ extensions }) => passingCodes.has(extensions?.code));
}
