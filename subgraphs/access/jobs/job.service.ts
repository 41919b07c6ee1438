// What people do with jobs: begin one, hold it, let it go on, end it; each with its right, its audit record and its event.
import { assertFreshSignIn } from '../../shared/callers/allow';
import type { RecordChange } from '../../shared/callers/audit';
import type { Caller, ClientScope } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { requireReason } from '../../shared/callers/reason';
import { may } from '../../shared/callers/rights';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { newOrderedId } from '../../shared/ids';
import { assertListFilter } from '../../shared/list-filter';
import { decideAgain } from '../../shared/store/decide-again';
import { slotOf } from '../../shared/store/slot';
import type { InTransaction } from '../../shared/store/unit-of-work';
import type { AuditAction } from '../../shared/vocabulary/audit-action';
import { type CallbackSelection, decideJobMove, type Job, type JobAct, type JobMove, jobActs, jobKeptMs } from './job';
import { jobEvent } from './job.events';
import type { JobRepository } from './job.repository';
import { type AskedAmount, type JobRow, nothingKnown, readItems } from './job-row';
import type { JobRowRepository } from './job-row.repository';

export interface JobServiceDeps {
  clock: Clock;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  audit: RecordChange;
  jobs: JobRepository;
  rows: JobRowRepository;
}

export interface NewJob {
  act: JobAct;
  ids: readonly string[] | null;
  amounts: readonly AskedAmount[];
  callbacks: CallbackSelection | null;
  reason: string;
  isDryRun: boolean;
}

/** Refuses with `invalidInput`, `amountInvalid`, `timesReversed`, `forbidden` without the right to the act, `freshSignInNeeded` where money moves. */
export async function startJob(
  deps: JobServiceDeps,
  context: RequestContext,
  wanted: NewJob,
): Promise<{ jobId: string }> {
  const { caller } = context;
  assertMayAct(caller, wanted.act);
  if (wanted.callbacks && !may(caller, 'callbacks:read'))
    throw new DomainError('forbidden', 'a selection of callbacks needs callbacks:read');
  if (movesMoney(wanted)) assertFreshSignIn(context, deps.clock.now());
  const reason = requireReason(wanted.reason);
  const items = itemsOf(wanted, deps.clock.now());
  return deps.idempotent(context, 'startJob', async (complete) => {
    const job = newJob(caller, { ...wanted, reason }, items.length, deps.clock.now());
    // Rows without their job are nothing: nobody finds them, and they go by themselves.
    await deps.rows.add(items.map((item, index) => newRow(job, index + 1, item)));
    const result = { jobId: job.jobId };
    await deps.inTransaction({
      inserts: [deps.jobs.insert(job), deps.audit(context, recordOf('job.started', job))],
      updates: complete(result),
      events: [jobEvent(context.requestId, 'job.started', job)],
    });
    return result;
  });
}

const told = { pause: 'job.paused', resume: 'job.resumed', cancel: 'job.cancelled' } as const;

/** By whoever has the right to its act. Safe to repeat. Refuses with `notFound`, `forbidden`, `freshSignInNeeded` or `invalidState`. */
export function moveJob(
  deps: JobServiceDeps,
  context: RequestContext,
  { jobId, move }: { jobId: string; move: JobMove },
): Promise<{ jobId: string }> {
  return decideAgain(async () => {
    const [job] = await deps.jobs.find(context.caller, [jobId]);
    if (!job) throw new DomainError('notFound', 'There is no such job.');
    assertMayAct(context.caller, job.act);
    const now = deps.clock.now();
    if (asksFreshSignInFor(job, move)) assertFreshSignIn(context, now);
    const next = decideJobMove(job, move, now);
    if (next)
      await deps.inTransaction({
        inserts: [deps.audit(context, recordOf(told[move], next))],
        updates: [deps.jobs.replace(next)],
        events: [jobEvent(context.requestId, told[move], next)],
      });
    return { jobId };
  });
}

function assertMayAct(caller: Caller, act: JobAct): void {
  const { right } = jobActs[act];
  if (!may(caller, right)) throw new DomainError('forbidden', `the act itself needs ${right}`);
}

/** Whether a person makes the move only within minutes of a sign-in. */
export function asksFreshSignInFor(job: Pick<Job, 'act' | 'isDryRun'>, move: JobMove): boolean {
  return move === 'resume' && movesMoney(job);
}

function movesMoney({ act, isDryRun }: Pick<Job, 'act' | 'isDryRun'>): boolean {
  return jobActs[act].isMoney && !isDryRun;
}

function itemsOf({ act, ids, amounts, callbacks }: NewJob, now: Date) {
  if ((ids === null) === (callbacks === null))
    throw new DomainError('invalidInput', 'a job is about ids or about a selection', { field: 'ids' });
  if (callbacks === null) return readItems(act, ids ?? [], amounts);
  if (act !== 'REDELIVER_CALLBACK')
    throw new DomainError('invalidInput', 'a selection of callbacks is sent again, and nothing else', {
      field: 'callbacks',
    });
  // Without an end it is about what was made until the job is begun.
  assertListFilter({ since: callbacks.since, until: callbacks.until ?? now });
  return [];
}

function newJob(caller: Caller, wanted: NewJob, total: number, now: Date): Job {
  return {
    jobId: newOrderedId(slotOf({ merchantId: null, accountId: caller.accountId ?? '' })),
    environment: caller.environment,
    accountId: caller.accountId,
    act: wanted.act,
    isDryRun: wanted.isDryRun,
    reason: wanted.reason,
    state: 'RUNNING',
    startedBy: caller.credentialId,
    startedByName: caller.name ?? caller.credentialId,
    scopes: caller.scopes as ClientScope[],
    selection: wanted.callbacks,
    gatheredTo: null,
    isGathered: wanted.callbacks === null,
    hasMore: false,
    total,
    succeeded: 0,
    failed: 0,
    hindrance: null,
    createdAt: now,
    finishedAt: null,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + jobKeptMs),
    sequence: 1,
    version: 1,
  };
}

export function newRow(
  { jobId, environment, accountId, expiresAt }: Job,
  number: number,
  { key, asked }: Pick<JobRow, 'key' | 'asked'>,
): JobRow {
  return {
    jobId,
    number,
    environment,
    accountId,
    key,
    asked,
    expiresAt,
    ...nothingKnown,
    outcome: 'WAITING',
    target: null,
    attemptedAt: null,
    endedAt: null,
  };
}

function recordOf(action: AuditAction, { jobId, act, accountId, isDryRun, reason, total, state }: Job) {
  return {
    action,
    subjectType: 'job',
    subjectId: jobId,
    accountId,
    changes: [
      { field: 'act', from: null, to: act },
      { field: 'dryRun', from: null, to: String(isDryRun) },
      { field: 'state', from: null, to: state },
      { field: 'total', from: null, to: String(total) },
      { field: 'reason', from: null, to: reason },
    ],
  };
}
