// Ids that are good for one call: remembered in this process, and between the processes of a role in Redis while it answers.
import { DomainError } from '../../subgraphs/shared/errors';
import { callRememberedMs } from './internal-call';

/** True when nobody told that id within `forMs` before, or when nobody can say. */
export type FirstUse = (id: string, forMs: number) => Promise<boolean>;

/** More would be more mutations than one process answers in that time. */
const idsMax = 500_000;

/** Lets each id through once. Without Redis (or when `firstUse` is absent) the memory of this process alone decides. */
export function createSingleUse(firstUse?: FirstUse): (id: string) => Promise<void> {
  let newer = new Set<string>();
  let older = new Set<string>();
  let turnsAtMs = 0;

  function remember(id: string): boolean {
    const now = performance.now();
    if (now >= turnsAtMs || newer.size >= idsMax) {
      [older, newer] = [newer, new Set()];
      turnsAtMs = now + callRememberedMs;
    }
    if (newer.has(id) || older.has(id)) return false;
    newer.add(id);
    return true;
  }

  return async (id) => {
    const isFirst = remember(id) && (await (firstUse?.(id, callRememberedMs) ?? true));
    if (!isFirst) throw new DomainError('unauthenticated', 'the signed caller was refused: its id was used before');
  };
}
