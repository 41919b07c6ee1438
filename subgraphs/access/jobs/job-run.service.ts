// Carries jobs out, a few rows at a time, through the graph in the name of whoever began them. A row is done once whatever dies: what it acts on is written down before the act, and its own idempotency key makes the next one find what the former did.
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../shared/callers/caller';
import { type RequestContext, requestContext } from '../../shared/callers/context';
import { idempotencyKeptMs } from '../../shared/idempotency/idempotency-record';
import { sha256 } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { inParallel, taken } from '../../shared/store/in-parallel';
import { decideProgress, type Job } from './job';
import { jobEvent } from './job.events';
import type { ClaimedJob } from './job.repository';
import { askerOf, type ExecuteOperation, type JobRunDeps } from './job-asker.service';
import { gatherMore } from './job-gathering.service';
import { answeredCodeOf, isAskedAgain, noteHindrance } from './job-hindrance.service';
import { type JobRow, nothingKnown, type RowEnding, unknown } from './job-row';
import { isReady, jobSteps, type Ready } from './job-step';

const jobsAtOnce = 8;
/** Rows between two looks at who began the job, and at whether somebody holds it. */
const rowsAtOnce = 20;
const rowsInParallel = 4;
/** One run ends after that time, so that whoever stops it need not wait. */
const runMsMax = 5_000;
const pauseMs = 500;
/** A row that was tried is not tried again when the key that guards it may have been forgotten. */
const againWithinMs = idempotencyKeptMs - 4 * 3_600_000;

/** Goes on with what runs and no other process has claimed, several jobs side by side, until there is nothing to do or the time is over; resolves with how many jobs those were. */
export async function carryOutJobs(deps: JobRunDeps, stopping: AbortSignal): Promise<number> {
  const until = performance.now() + runMsMax;
  const isOver = () => stopping.aborted || performance.now() >= until;
  let count = 0;
  const claimed = taken(jobsAtOnce, async () => (isOver() ? null : deps.jobs.claim(deps.environment)));
  await inParallel(claimed, jobsAtOnce, async (first) => {
    count += 1;
    await carryOut(deps, first, { stopping, isOver });
  });
  return count;
}

/** A job whose step throws keeps its claim until that is over: it would be the first to be claimed again, and again, before the others. */
async function carryOut(
  deps: JobRunDeps,
  first: ClaimedJob,
  { stopping, isOver }: { stopping: AbortSignal; isOver: () => boolean },
): Promise<void> {
  let claimed: ClaimedJob | null = first;
  while (claimed?.isOpen && !isOver()) {
    const { isHindered } = await goOn(deps, claimed);
    if (isHindered) await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    claimed = await deps.jobs.claimOn(claimed);
  }
  if (claimed) await deps.jobs.release(claimed);
}

type RowStep = { row: JobRow } & ({ ending: RowEnding } | { hindrance: string });

/** Of a cancelled job what was begun is asked for its outcome, and nothing else is begun. */
async function goOn(deps: JobRunDeps, claimed: ClaimedJob): Promise<{ isHindered: boolean }> {
  const { job } = claimed;
  const isCancelled = job.state === 'CANCELLED';
  const asker = await askerOf(deps, job);
  const isGone = 'outcome' in asker;
  if (!job.isGathered && !isCancelled) {
    const { hindrance } = await gatherMore(deps, job, isGone ? asker : contextOf(asker, job));
    if (hindrance !== null) await noteHindrance(deps, job.jobId, hindrance);
    return { isHindered: hindrance !== null };
  }
  const rows = await (isCancelled ? deps.rows.begun(job.jobId, rowsAtOnce) : deps.rows.waiting(job, rowsAtOnce));
  if (isCancelled && rows.length === 0) await deps.jobs.settle(claimed);
  const steps: RowStep[] = isGone
    ? rows.map((row) => ({ row, ending: endingWithout(asker, row) }))
    : await doAll(deps, job, asker, rows);
  const ended = steps.flatMap((step) => ('ending' in step ? [step] : []));
  const hindrance = steps.find((step) => 'hindrance' in step);
  await record(deps, job.jobId, ended);
  if (hindrance && ended.length === 0) await noteHindrance(deps, job.jobId, hindrance.hindrance);
  return { isHindered: ended.length === 0 && rows.length > 0 };
}

/** Nobody is left to ask in whose name what came of a row that was begun: it may have been done. */
function endingWithout(refusal: RowEnding, { attemptedAt }: JobRow): RowEnding {
  if (attemptedAt === null) return refusal;
  return unknown('outcomeUnknown', 'It was begun and broken off: look what became of it.');
}

/** Looks all of them up, writes down what is about to be done, and does it. */
async function doAll(deps: JobRunDeps, job: Job, asker: Caller, rows: readonly JobRow[]): Promise<RowStep[]> {
  const now = deps.clock.now();
  const looked = await each(rows, (row) => lookAt(deps, job, asker, row, now));
  const done = looked.flatMap((each) => ('ready' in each ? [] : [each]));
  const ready = looked.flatMap((each) => ('ready' in each ? [each] : []));
  if (job.isDryRun) {
    const would = ready.map(({ row, ready: { amount, currency } }) => ({
      row,
      ending: { ...nothingKnown, outcome: 'SUCCEEDED' as const, amount, currency },
    }));
    return [...done, ...would];
  }
  const attempted = ready.map(({ row, ready: { target } }) => ({
    ...row,
    target,
    attemptedAt: row.attemptedAt ?? now,
  }));
  await deps.rows.attempt(attempted.filter(({ number }) => rows.some((row) => row.number === number && !row.target)));
  return [...done, ...(await each(attempted, (row) => act(deps, job, asker, row)))];
}

type LookedRow = RowStep | { row: JobRow; ready: Ready };

async function lookAt(deps: JobRunDeps, job: Job, asker: Caller, row: JobRow, now: Date): Promise<LookedRow> {
  const { target, attemptedAt } = row;
  if (target !== null && attemptedAt !== null) {
    if (now.getTime() - attemptedAt.getTime() < againWithinMs)
      return { row, ready: { target, amount: row.amount, currency: row.currency } };
    return { row, ending: unknown('outcomeUnknown', 'It was begun long ago and broken off: look what became of it.') };
  }
  const step = jobSteps[job.act];
  const { operation, variables } = step.look(row);
  const { data, errors } = await deps.execute(operation, variables, contextOf(asker, job));
  const refused = refusalOf(row, errors);
  if (refused) return refused;
  const judged = step.judge(data ?? {}, row);
  return isReady(judged) ? { row, ready: judged } : { row, ending: judged };
}

async function act(deps: JobRunDeps, job: Job, asker: Caller, row: JobRow & { target: string }): Promise<RowStep> {
  const step = jobSteps[job.act];
  const { operation, variables } = step.act(row, job.reason);
  const key = {
    key: `${job.jobId}:${row.number}`,
    scope: 'job',
    fingerprint: sha256(JSON.stringify([operation, variables])),
  };
  const { data, errors } = await deps.execute(operation, variables, contextOf(asker, job, key));
  return refusalOf(row, errors) ?? { row, ending: step.ended(data ?? {}) };
}

function refusalOf(row: JobRow, errors: Awaited<ReturnType<ExecuteOperation>>['errors']): RowStep | null {
  const [error] = errors ?? [];
  if (!error) return null;
  const code = answeredCodeOf(error);
  if (isAskedAgain(code)) return { row, hindrance: error.message };
  if (code === 'internal') return { row, ending: unknown(code, 'A defect of the platform: look what became of it.') };
  return { row, ending: { ...nothingKnown, outcome: 'FAILED', code, message: error.message } };
}

/** Every call of a job has the job's id as its request id: by it logs, audit and events are found. */
function contextOf(asker: Caller, job: Job, idempotency?: RequestContext['idempotency']): RequestContext {
  return requestContext(asker, job.jobId, idempotency);
}

/** Rows, counts and event in one transaction; rows that another process ended meanwhile are left to it. */
function record(deps: JobRunDeps, jobId: string, ended: readonly { row: JobRow; ending: RowEnding }[]): Promise<void> {
  return decideAgain(async () => {
    const job = await deps.jobs.read(deps.environment, jobId);
    if (!job) return;
    const open = await deps.rows.stillWaiting(
      jobId,
      ended.map(({ row }) => row.number),
    );
    const own = ended.filter(({ row }) => open.has(row.number));
    if (own.length === 0 && !(job.state === 'RUNNING' && job.succeeded + job.failed === job.total)) return;
    const succeeded = own.filter(({ ending }) => ending.outcome === 'SUCCEEDED').length;
    const now = deps.clock.now();
    const next = decideProgress(job, { succeeded, failed: own.length - succeeded }, now);
    await deps.inTransaction({
      updates: [...own.map(({ row, ending }) => deps.rows.end(row, ending, now)), deps.jobs.replace(next)],
      events: [jobEvent(jobId, next.state === 'DONE' ? 'job.finished' : 'job.progressed', next)],
    });
  });
}

async function each<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  await inParallel(items.entries(), rowsInParallel, async ([index, item]) => {
    results[index] = await run(item);
  });
  return results;
}
