// Closes connections whose access token or session was revoked, has expired or may do other things than at connect, within the promised second. What it asks
// follows what changes, not how many are connected: tokens revoked and clients changed since the last look, those that have just come, those whose
// time is over, and a slice of all others for whatever no look would tell of. A wake-up brings the next look forward; without Redis it comes all the same.
import type { Caller, CredentialChange, LiveScopes } from '../../subgraphs/shared/callers/caller';
import type { Clock } from '../../subgraphs/shared/clock';
import type { Log } from '../../subgraphs/shared/log/log';
import { type CloseCode, closeCodes } from './subscription-connection';

const checkMs = 400;
const wakeMs = 20;
/** Every connection is looked at once in that time, whatever the changes say. */
const roundMs = 60_000;
/** A look reaches back so far, in real time: for changes that were on their way to the database, and for clocks that are not quite the same. */
const overlapMs = 15_000;
/** Changes that one look reads; where there are more, everybody is looked at. */
const changesMax = 5_000;
/** Hashes asked for in one question. */
const questionMax = 1_000;

export interface LiveCredentials {
  /** Watches the connection of a caller, whose rights it keeps as they were at connect; returns how to stop that. */
  watch(caller: WatchedCaller, close: (why: CloseCode) => void): () => void;
  stop(): void;
}

type WatchedCaller = Pick<Caller, 'kind' | 'accessTokenHash' | 'credentialId' | 'scopes' | 'expiresAt'>;

export interface LiveCredentialsDeps {
  liveScopes(accessTokenHashes: readonly string[]): Promise<LiveScopes>;
  /** Tokens revoked and clients changed at `since` or later, on the one clock; `limit` of them at most. */
  changedSince(since: Date, limit: number): Promise<readonly CredentialChange[]>;
  /** Calls `wake` whenever a credential may have changed; returns how to stop that. */
  credentialWakeUps(wake: () => void): () => void;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

interface WatchedSocket {
  scopes: string;
  close(why: CloseCode): void;
}

export function createLiveCredentials(deps: LiveCredentialsDeps): LiveCredentials {
  const connections = new Map<string, Set<WatchedSocket>>();
  const byClient = grouped<string>();
  const byEnd = grouped<number>();
  /** Sessions of people, which end by themselves when nothing is asked: few, so each look is at all of them. */
  const sessions = new Set<string>();
  /** To be asked about; what a failed question was about stays. */
  const pending = new Set<string>();
  const looks = createLooks(deps.clock);
  let known = new Set<string>();
  let round = connections.keys();
  let isAsking = false;
  let wakeTimer: NodeJS.Timeout | null = null;

  async function check(): Promise<void> {
    for (const hash of sessions) pending.add(hash);
    collectEnded();
    collectSlice();
    await collectChanged();
    const asked = [...pending];
    for (let index = 0; index < asked.length; index += questionMax)
      await judge(asked.slice(index, index + questionMax));
  }

  async function collectChanged(): Promise<void> {
    const changes = await deps.changedSince(looks.next(), changesMax);
    const names = changes.map(({ kind, id, at }) => `${kind} ${id} ${at.getTime()}`);
    changes.forEach(({ kind, id }, index) => {
      if (known.has(names[index] as string)) return;
      for (const hash of kind === 'token' ? [id] : byClient.of(id)) if (connections.has(hash)) pending.add(hash);
    });
    known = new Set(names);
    if (changes.length >= changesMax) for (const hash of connections.keys()) pending.add(hash);
  }

  function collectEnded(): void {
    const now = deps.clock.now().getTime();
    for (const end of byEnd.keys()) if (end <= now) for (const hash of byEnd.of(end)) pending.add(hash);
  }

  function collectSlice(): void {
    for (let left = Math.ceil((connections.size * checkMs) / roundMs); left > 0; left -= 1) {
      const { done, value } = round.next();
      if (!done) pending.add(value);
      else {
        round = connections.keys();
        return;
      }
    }
  }

  async function judge(hashes: readonly string[]): Promise<void> {
    const live = await deps.liveScopes(hashes);
    for (const hash of hashes) {
      pending.delete(hash);
      const scopes = live.get(hash)?.join();
      for (const watched of connections.get(hash) ?? []) {
        if (scopes === undefined) watched.close(closeCodes.revoked);
        else if (scopes !== watched.scopes) watched.close(closeCodes.changed);
      }
    }
  }

  function look(): void {
    if (isAsking) return;
    if (connections.size === 0) {
      looks.forget();
      return;
    }
    isAsking = true;
    check()
      .catch((error: unknown) =>
        deps.log.warn({ error, dependency: 'mongodb' }, 'open connections could not be checked; trying again'),
      )
      .finally(() => {
        isAsking = false;
      });
  }

  /** However many wake-ups come, looks are a moment apart. */
  function wake(): void {
    wakeTimer ??= setTimeout(() => {
      wakeTimer = null;
      if (isAsking) wake();
      else look();
    }, wakeMs);
  }

  const timer = setInterval(look, checkMs);
  const stopWakeUps = deps.credentialWakeUps(wake);

  return {
    watch({ kind, accessTokenHash: hash, credentialId, scopes, expiresAt }, close) {
      if (hash === undefined) return () => {};
      const watched = { scopes: scopes.join(), close };
      const own = connections.get(hash) ?? new Set();
      own.add(watched);
      connections.set(hash, own);
      const end = Math.ceil((expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) / 1_000) * 1_000;
      byClient.add(credentialId, hash);
      byEnd.add(end, hash);
      if (kind === 'person') sessions.add(hash);
      // Who it is was perhaps remembered from before a change that has been looked at since.
      pending.add(hash);
      return () => {
        own.delete(watched);
        if (own.size > 0 || connections.get(hash) !== own) return;
        connections.delete(hash);
        sessions.delete(hash);
        pending.delete(hash);
        byClient.remove(credentialId, hash);
        byEnd.remove(end, hash);
      };
    },
    stop() {
      clearInterval(timer);
      if (wakeTimer) clearTimeout(wakeTimer);
      stopWakeUps();
    },
  };
}

/** Hashes under what they have in common. */
function grouped<Key>() {
  const groups = new Map<Key, Set<string>>();
  return {
    keys: () => groups.keys(),
    of: (key: Key): readonly string[] => [...(groups.get(key) ?? [])],
    add(key: Key, hash: string): void {
      const group = groups.get(key) ?? new Set();
      groups.set(key, group.add(hash));
    },
    remove(key: Key, hash: string): void {
      const group = groups.get(key);
      group?.delete(hash);
      if (group?.size === 0) groups.delete(key);
    },
  };
}

/** From when the next look is to reach: the time of the one clock `overlapMs` of real time ago, however far that clock was moved since. */
function createLooks(clock: Pick<Clock, 'now'>) {
  let looks: { atMs: number; now: Date }[] = [];
  return {
    next(): Date {
      const [atMs, now] = [performance.now(), clock.now()];
      const isOld = (look: { atMs: number }) => look.atMs <= atMs - overlapMs;
      const oldest = looks.findLastIndex(isOld);
      looks = [...looks.slice(Math.max(oldest, 0)), { atMs, now }];
      const first = looks[0] as { atMs: number; now: Date };
      return isOld(first) ? first.now : new Date(first.now.getTime() - overlapMs);
    },
    forget(): void {
      looks = [];
    },
  };
}
