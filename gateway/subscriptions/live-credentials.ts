// Closes connections whose access token was revoked, has expired or may do other things than at connect: one question per process every 400 ms (the promise is a second).
import type { Caller, LiveScopes } from '../../subgraphs/shared/callers/caller';
import type { Log } from '../../subgraphs/shared/log/log';
import { type CloseCode, closeCodes } from './subscription-connection';

const checkMs = 400;
/** Hashes asked for in one question. */
const questionMax = 1_000;

export interface LiveCredentials {
  /** Watches the connection of a caller, whose rights it keeps as they were at connect; returns how to stop that. */
  watch(caller: Pick<Caller, 'accessTokenHash' | 'scopes'>, close: (why: CloseCode) => void): () => void;
  stop(): void;
}

interface Watched {
  scopes: string;
  close(why: CloseCode): void;
}

export function createLiveCredentials(
  liveScopes: (accessTokenHashes: readonly string[]) => Promise<LiveScopes>,
  log: Log,
): LiveCredentials {
  const connections = new Map<string, Set<Watched>>();
  let isAsking = false;

  async function check(): Promise<void> {
    const hashes = [...connections.keys()];
    for (let index = 0; index < hashes.length; index += questionMax) {
      const asked = hashes.slice(index, index + questionMax);
      const live = await liveScopes(asked);
      for (const hash of asked) {
        const scopes = live.get(hash)?.join();
        for (const watched of connections.get(hash) ?? []) {
          if (scopes === undefined) watched.close(closeCodes.revoked);
          else if (scopes !== watched.scopes) watched.close(closeCodes.changed);
        }
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
    watch({ accessTokenHash: hash, scopes }, close) {
      if (hash === undefined) return () => {};
      const watched = { scopes: scopes.join(), close };
      const known = connections.get(hash) ?? new Set();
      known.add(watched);
      connections.set(hash, known);
      return () => {
        known.delete(watched);
        if (known.size === 0 && connections.get(hash) === known) connections.delete(hash);
      };
    },
    stop: () => clearInterval(timer),
  };
}
