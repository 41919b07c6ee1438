// Which of the due callbacks may go now: never two in flight per ordering key, first attempts in order, others wait at most until the first
// retry and then overtake (2.4-A of the decision register).
import type { Blocker, DueCallback } from '../subgraphs/notifications';

export interface Plan {
  send: DueCallback[];
  /** What waits for a retry of its key that is not due yet: looked at again at that retry's time. */
  defer: { callbackId: string; until: Date }[];
  /** What waits for something of its key that goes now, is in flight or waits itself. */
  waiting: DueCallback[];
}

/** `due` in order of dueAt and position; `others` are further open callbacks of the same keys that are ordered or in flight. */
export function planCallbacks(due: readonly DueCallback[], others: readonly Blocker[], now: Date): Plan {
  const byKey = new Map<string, Blocker[]>();
  const ofDue = due.map((callback): Blocker => ({ ...callback, status: 'PENDING' }));
  for (const blocker of [...ofDue, ...others]) {
    const known = byKey.get(keyOf(blocker));
    if (known) known.push(blocker);
    else byKey.set(keyOf(blocker), [blocker]);
  }
  const plan: Plan = { send: [], defer: [], waiting: [] };
  const goingKeys = new Set<string>();
  for (const callback of due) {
    const ofKey = byKey.get(keyOf(callback)) ?? [];
    const retry = callback.ordered ? earlierRetry(callback, ofKey, now) : null;
    if (goingKeys.has(keyOf(callback)) || ofKey.some(({ status }) => status === 'SENDING')) plan.waiting.push(callback);
    else if (retry) plan.defer.push({ callbackId: callback._id, until: retry });
    else if (callback.ordered && ofKey.some((other) => isAhead(other, callback))) plan.waiting.push(callback);
    else {
      goingKeys.add(keyOf(callback));
      plan.send.push(callback);
    }
  }
  return plan;
}

/** What is kept in order: an aggregate at one address; an endpoint may have several addresses. */
function keyOf({ orderingKey, address }: Pick<Blocker, 'orderingKey' | 'address'>): string {
  return address ? `${orderingKey} ${address}` : orderingKey;
}

/** When the first retry of an earlier one of the key is still to come: its time. */
function earlierRetry(callback: DueCallback, others: readonly Blocker[], now: Date): Date | null {
  const waits = others
    .filter((other) => isAhead(other, callback) && other.dueAt > now)
    .map(({ dueAt }) => dueAt.getTime());
  return waits.length > 0 ? new Date(Math.max(...waits)) : null;
}

function isAhead(other: Blocker, callback: DueCallback): boolean {
  return other.ordered && other.position < callback.position;
}
