// Verifies the audit from its first record to its last: the chain, the signed heads of days, and that no record stands beside it. Reads only.
import type { KeyObject } from 'node:crypto';
import { createDeadline } from '../../shared/deadline';
import {
  type ChainEnd,
  type ChainEntry,
  chainStart,
  type DayHead,
  daysOver,
  faultOfEntry,
  isSignedBy,
} from './audit-chain';
import type { AuditChainDeps } from './audit-chain.service';

const batchSize = 1_000;
const lookMs = 100;

export interface VerificationOptions {
  keys: readonly KeyObject[];
  /** How long a record may wait for its entry, and a day for its head. Real time. */
  waitMsMax: number;
  /** An end of the chain that was noted before: it must still be a part of it. */
  expected?: ChainEnd;
}

export interface Verification {
  end: ChainEnd;
  heads: number;
  /** The first thing that is wrong, in words; null when the audit holds. */
  fault: string | null;
}

export async function verifyAudit(deps: AuditChainDeps, options: VerificationOptions): Promise<Verification> {
  const late = await waitForChain(deps, options.waitMsMax);
  const heads = await deps.chain.heads(deps.environment);
  const { end, first, fault } = await walkChain(deps);
  const verified = { end, heads: heads.length };
  if (fault) return { ...verified, fault };
  const others = [
    () => judgeHeads(deps, { heads, end, first, keys: options.keys }),
    () => judgeExpected(deps, end, options.expected),
    () => findBeside(deps),
    async () => late,
  ];
  for (const judge of others) {
    const found = await judge();
    if (found) return { ...verified, fault: found };
  }
  return { ...verified, fault: null };
}

/** Until the marks that stand now are gone and yesterday has its head; what is still missing after `waitMsMax`, in words. */
async function waitForChain({ environment, clock, chain }: AuditChainDeps, waitMsMax: number): Promise<string | null> {
  const isOut = createDeadline(waitMsMax);
  const marked = (await chain.waiting(environment, batchSize)).map(({ _id }) => _id);
  for (;;) {
    const waiting = await chain.stillWaiting(marked);
    const [first, head] = [await chain.firstEntry(environment), await chain.lastHead(environment)];
    const [day] = head || first ? daysOver(head?.day ?? null, first?.chainedAt ?? clock.now(), clock.now()) : [];
    if (!waiting && !day) return null;
    if (isOut()) return waiting ? faultOfWaiting(waiting, waitMsMax, await chain.records([waiting])) : headMissing(day);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

function faultOfWaiting(auditId: string, waitMsMax: number, { size }: { size: number }): string {
  return size === 0
    ? `record ${auditId} was removed before it was chained`
    : `record ${auditId} is not chained after ${waitMsMax / 1_000} s`;
}

function headMissing(day = ''): string {
  return `the head of ${day} is missing: it was not signed, or it was removed`;
}

async function walkChain({ environment, chain }: AuditChainDeps) {
  let end: ChainEnd = chainStart;
  let first: ChainEntry | null = null;
  for (;;) {
    const batch = await chain.entries(environment, end.sequence, batchSize);
    if (batch.length === 0) return { end, first, fault: null };
    first ??= batch[0] ?? null;
    const records = await chain.records(batch.map(({ auditId }) => auditId));
    for (const entry of batch) {
      const fault = faultOfEntry(end, entry, records.get(entry.auditId) ?? null);
      if (fault) return { end, first, fault };
      end = { sequence: entry.sequence, hash: entry.hash };
    }
  }
}

interface JudgedChain {
  heads: readonly DayHead[];
  end: ChainEnd;
  first: ChainEntry | null;
  keys: readonly KeyObject[];
}

async function judgeHeads(deps: AuditChainDeps, { heads, end, first, keys }: JudgedChain): Promise<string | null> {
  let last: DayHead | null = null;
  for (const head of heads) {
    const named = `the head of ${head.day}`;
    const since = first?.chainedAt ?? new Date(`${head.day}T00:00:00Z`);
    const [missing] = daysOver(last?.day ?? null, since, new Date(`${head.day}T00:00:00Z`));
    if (missing) return headMissing(missing);
    if (!isSignedBy(keys, head)) return `${named} is forged: none of the audit's keys signed it`;
    const fault = await faultOfHead(deps, head, end);
    if (fault) return `${named} ${fault}`;
    last = head;
  }
  return null;
}

async function faultOfHead({ environment, chain }: AuditChainDeps, head: ChainEnd, end: ChainEnd) {
  if (head.sequence > end.sequence)
    return `names entry ${head.sequence}, and the chain ends at ${end.sequence}: entry ${end.sequence + 1} is missing`;
  if (head.sequence === 0) return null;
  const found = await chain.entry(environment, head.sequence);
  return found?.hash === head.hash ? null : `was signed for another entry ${head.sequence}: the chain was made anew`;
}

async function judgeExpected(deps: AuditChainDeps, end: ChainEnd, expected?: ChainEnd): Promise<string | null> {
  const fault = expected ? await faultOfHead(deps, expected, end) : null;
  return fault && `the end that was noted ${fault}`;
}

/** A record that has neither an entry nor a mark: somebody put it there, or took its entry away. */
async function findBeside({ environment, chain }: AuditChainDeps): Promise<string | null> {
  const beside = (id: string) => `record ${id} stands beside the chain: it was inserted, or its entry was removed`;
  const strange = await chain.strangeRecord(environment);
  if (strange) return beside(strange);
  for (let after = ''; ; ) {
    const ids = await chain.recordIds(environment, after, batchSize);
    const last = ids.at(-1);
    if (last === undefined) return null;
    const chained = await chain.chained(environment, ids);
    for (const id of ids.filter((each) => !chained.has(each))) {
      // Its mark goes as its entry comes, so what has no mark is looked for once more.
      const isKnown = (await chain.stillWaiting([id])) || (await chain.chained(environment, [id])).has(id);
      if (!isKnown) return beside(id);
    }
    after = last;
  }
}
