// Chains the records of the audit in the order in which they are found, a moment after they were written, and signs a head for each day that is over.
import type { KeyObject } from 'node:crypto';
import type { Environment } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import {
  auditDayOf,
  type ChainEnd,
  type ChainEntry,
  chainStart,
  type DayHead,
  daysOver,
  nextEntry,
  signedHead,
} from './audit-chain';
import type { AuditChainRepository, AuditMark } from './audit-chain.repository';

const batchMax = 500;

export interface AuditChainDeps {
  environment: Environment;
  clock: Clock;
  chain: AuditChainRepository;
}

/**
 * Each call runs until nothing waits or the signal aborts; two at once are harmless, one of them finds its numbers taken. It returns the heads that it
 * signed.
 */
export function createAuditChaining(
  deps: AuditChainDeps,
  key: KeyObject,
): (stopping: AbortSignal) => Promise<DayHead[]> {
  /** The day on which all days before it had their heads. */
  let quietDay: string | null = null;
  return async (stopping) => {
    const signed: DayHead[] = [];
    while (!stopping.aborted) {
      const today = auditDayOf(deps.clock.now());
      const marks = await deps.chain.waiting(deps.environment, batchMax);
      if (marks.length === 0 && quietDay === today) return signed;
      const { entries, heads, isFull } = await nextBatch(deps, key, marks);
      if (entries.length === 0 && heads.length === 0) {
        quietDay = today;
        return signed;
      }
      if (await deps.chain.append(entries, heads)) signed.push(...heads);
      if (!isFull) return signed;
    }
    return signed;
  };
}

async function nextBatch({ environment, clock, chain }: AuditChainDeps, key: KeyObject, marks: readonly AuditMark[]) {
  const now = clock.now();
  const lastHead = await chain.lastHead(environment);
  const first = lastHead === null ? ((await chain.firstEntry(environment))?.chainedAt ?? now) : now;
  const days = daysOver(lastHead?.day ?? null, first, now);
  if (marks.length === 0 && days.length === 0) return { entries: [], heads: [], isFull: false };
  const last = await chain.lastEntry(environment);
  const end: ChainEnd = last ? { sequence: last.sequence, hash: last.hash } : chainStart;
  const heads = days.map((day) => signedHead(key, { environment, day, ...end }));
  const ids = marks.map(({ _id }) => _id);
  const [records, chained] = [await chain.records(ids), await chain.chained(environment, ids)];
  await chain.unmark([...chained]);
  const entries: ChainEntry[] = [];
  for (const id of ids.filter((each) => !chained.has(each))) {
    const record = records.get(id);
    // A record that vanished before it was chained keeps its mark: that is how the verification knows of it.
    if (record) entries.push(nextEntry(entries.at(-1) ?? end, record, now));
  }
  return { entries, heads, isFull: marks.length === batchMax && entries.length > 0 };
}
