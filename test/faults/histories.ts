// Whether what happened to a virtual account is what its only client was told.
import type { Life, Step, StepName } from './traffic';

export const eventOf: Partial<Record<StepName, string>> = {
  CREATE: 'virtualAccount.created',
  SUSPEND: 'virtualAccount.suspended',
  RESUME: 'virtualAccount.resumed',
  REPLACE_CARD: 'virtualAccount.cardUpdated',
  EXTEND_EXPIRY: 'virtualAccount.cardUpdated',
  DELETE: 'virtualAccount.deleted',
  CALLER_DELETE: 'virtualAccount.deleted',
};

/** What may happen again at once. */
const cardUpdated = 'virtualAccount.cardUpdated';
/** Steps with an idempotency key: all their tries are one. */
const marked: ReadonlySet<StepName> = new Set(['CREATE', 'CALLER_DELETE']);

/** How many tries of a type may still be under way: their connection broke, and the client went on. */
type Lost = ReadonlyMap<string, number>;

export function historyFaults(
  { virtualAccountId, steps }: Pick<Life, 'virtualAccountId' | 'steps'>,
  byAccount: ReadonlyMap<string, readonly { type: string }[]>,
): string[] {
  if (!virtualAccountId) return [];
  const types = (byAccount.get(virtualAccountId) ?? []).map(({ type }) => type);
  const states = types.filter((type) => type !== cardUpdated);
  const isRepeated = states.some((type, index) => type === states[index - 1]);
  if (!isRepeated && agree(types, steps, new Map())) return [];
  return [`${virtualAccountId}: ${types.join(' ')} after ${JSON.stringify(steps)}`];
}

/** Each acknowledged step happened, in order; each try that was lost at most once, then or later; and nothing else. */
function agree([type, ...types]: readonly string[], steps: readonly Step[], lost: Lost): boolean {
  const late = type === undefined ? 0 : (lost.get(type) ?? 0);
  if (type !== undefined && late > 0 && agree(types, steps, new Map(lost).set(type, late - 1))) return true;
  const [step, ...later] = steps;
  if (!step) return type === undefined;
  const all = type === undefined ? [] : [type, ...types];
  const wanted = eventOf[step.name];
  if (!wanted) return agree(all, later, lost);
  const losing = (count: number) =>
    marked.has(step.name) ? lost : new Map(lost).set(wanted, (lost.get(wanted) ?? 0) + count);
  if (type === wanted && agree(types, later, losing(Math.max(0, step.tries - 1)))) return true;
  return !step.isAcknowledged && agree(all, later, losing(step.tries));
}
