// Closes connections whose access token was revoked or has expired: one question per process every 400 ms (the promise is a second).
import type { Log } from '../subgraphs/shared/log';

const checkMs = 400;
/** Hashes asked for in one question. */
const questionMax = 1_000;

export interface LiveCredentials {
  /** Watches a connection; returns how to stop that. */
  watch(accessTokenHash: string | undefined, close: () => void): () => void;
  stop(): void;
}

export function createLiveCredentials(
  areLive: (accessTokenHashes: readonly string[]) => Promise<ReadonlySet<string>>,
  log: Log,
): LiveCredentials {
  const connections = new Map<string, Set<() => void>>();
  let isAsking = false;

  async function check(): Promise<void> {
    const hashes = [...connections.keys()];
    for (let index = 0; index < hashes.length; index += questionMax) {
      const asked = hashes.slice(index, index + questionMax);
      const live = await areLive(asked);
      for (const hash of asked) {
        if (!live.has(hash)) for (const close of connections.get(hash) ?? []) close();
      }
    }
  }

  const timer = setInterval(() => {
    if (isAsking || connections.size === 0) return;
    isAsking = true;
    check()
      .catch((error: unknown) =>
        log.warn({ error, dependency: 'mongodb' }, 'open connections could not be checked; trying again'),
      )
      .finally(() => {
        isAsking = false;
      });
  }, checkMs);

  return {
    watch(hash, close) {
      if (hash === undefined) return () => {};
      const known = connections.get(hash) ?? new Set();
      known.add(close);
      connections.set(hash, known);
      return () => {
        known.delete(close);
        if (known.size === 0 && connections.get(hash) === known) connections.delete(hash);
      };
    },
    stop: () => clearInterval(timer),
  };
}
