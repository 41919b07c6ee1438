// Acts in bulk in the graph: jobs with their reports, begun, held and ended (docs/graph.md, Acts in bulk).
import type DataLoader from 'dataloader';
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { type JudgedAction, judgeActions } from '../../shared/callers/judged-action';
import { may, type Rule } from '../../shared/callers/rights';
import { DomainError } from '../../shared/errors';
import { MoneyResolver } from '../../shared/graph/money.resolver';
import { moneyOf } from '../../shared/graph/money.type';
import { PageArgs } from '../../shared/graph/page.type';
import { knownRefusal } from '../../shared/graph/refusal-code.type';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { assertListFilter } from '../../shared/list-filter';
import { numberAt, readSlice, timeAt } from '../../shared/lists/list-order';
import { connection, emptyPage } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import {
  type CallbackSelection,
  decideJobMove,
  doneOf,
  type Job,
  type JobAct,
  type JobMove,
  jobActs,
  jobMoves,
} from './job';
import type { JobRepository } from './job.repository';
import { asksFreshSignInFor, type JobServiceDeps, moveJob, startJob } from './job.service';
import {
  JobActionType,
  JobConnectionType,
  JobFilterInput,
  JobRefusalType,
  JobRowConnectionType,
  JobRowOutcomes,
  JobSumType,
  JobType,
  StartJobInput,
} from './job.type';
import type { JobRow, RowOutcome } from './job-row';
import { jobSubjectOf } from './job-subject.type';

/** Of any of the acts; which one it must be is judged with the job at hand. */
const actRights = [...new Set(Object.values(jobActs).map(({ right }) => right))] as [Rule, ...Rule[]];

const jobIdArgument = { description: 'Id of the job that is acted on.' };

@Resolver(() => JobType)
class JobResolver {
  constructor(private readonly deps: JobServiceDeps) {}

  @Allow('jobs:read')
  @Query(() => JobType, {
    nullable: true,
    description: 'One job; null when it does not exist or the caller may not see it.',
  })
  job(
    @Arg('jobId', () => ID, { description: 'Id of the job that is wanted.' }) jobId: string,
    @Ctx() context: RequestContext,
  ): Promise<Job | null> {
    return jobLoader(this.deps.jobs, context).load(jobId);
  }

  @Allow('jobs:read')
  @Query(() => JobConnectionType, { description: 'Jobs, newest first.' })
  async jobs(
    @Arg('filter', () => JobFilterInput, { nullable: true, description: 'Which jobs are wanted; absent: all.' })
    filter: JobFilterInput | null,
    @Args(() => PageArgs) asked: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    const slice = readSlice(asked, timeAt);
    assertListFilter(filter ?? {});
    const page = await this.deps.jobs.list(context.caller, filter ?? {}, slice);
    return connection(page, slice, ({ createdAt, jobId }) => [createdAt.getTime(), jobId]);
  }

  @Allow(...actRights)
  @Mutation(() => JobType, {
    description:
      'Begins an act on many things; needs the right to the act, and of a person who moves money a sign-in of the last ten minutes. Rows are done one by one in the name of whoever began it, each once, with the rights of then.',
  })
  async startJob(
    @Arg('input', () => StartJobInput, { description: 'Everything that the call is about, in one object.' })
    { act, ids, amounts, callbacks, reason, dryRun }: StartJobInput,
    @Ctx() context: RequestContext,
  ): Promise<Job> {
    const wanted = { act, ids: ids ?? null, amounts, callbacks: selectionOf(callbacks), reason, isDryRun: dryRun };
    return this.shown(context, await startJob(this.deps, context, wanted));
  }

  @Allow(...actRights)
  @Mutation(() => JobType, {
    description: 'Holds a job after the rows that are under way; needs the right to its act.',
  })
  pauseJob(@Arg('jobId', () => ID, jobIdArgument) jobId: string, @Ctx() context: RequestContext): Promise<Job> {
    return this.move(context, jobId, 'pause');
  }

  @Allow(...actRights)
  @Mutation(() => JobType, {
    description: 'Lets a held job go on; needs the right to its act, and a fresh sign-in where money moves.',
  })
  resumeJob(@Arg('jobId', () => ID, jobIdArgument) jobId: string, @Ctx() context: RequestContext): Promise<Job> {
    return this.move(context, jobId, 'resume');
  }

  @Allow(...actRights)
  @Mutation(() => JobType, {
    description: 'Ends a job after the rows that are under way; what was done stays done. Needs the right to its act.',
  })
  cancelJob(@Arg('jobId', () => ID, jobIdArgument) jobId: string, @Ctx() context: RequestContext): Promise<Job> {
    return this.move(context, jobId, 'cancel');
  }

  @FieldResolver(() => Boolean, { description: 'It tells what would happen, and changes nothing.' })
  dryRun(@Root() { isDryRun }: Job): boolean {
    return isDryRun;
  }

  @FieldResolver(() => Int, { description: 'How many rows have ended.' })
  done(@Root() job: Job): number {
    return doneOf(job);
  }

  @FieldResolver(() => [JobActionType], {
    description: 'What can be done with it, and whether this caller may do it now.',
  })
  actions(@Root() job: Job, @Ctx() { caller }: RequestContext): JudgedAction<JobMove>[] {
    const rights = [jobActs[job.act].right];
    const now = this.deps.clock.now();
    return judgeActions(
      caller,
      jobMoves.map((action) => ({
        action,
        rights,
        freshAt: asksFreshSignInFor(job, action) ? now : null,
        decide: () => assertMoves(job, action),
      })),
    );
  }

  @FieldResolver(() => [JobSumType], { description: 'What the rows that succeeded moved, by currency.' })
  async sums(@Root() { jobId }: Job, @Ctx() context: RequestContext): Promise<JobSumType[]> {
    const { sums } = this.deps.rows;
    const found = (await ofEachJob(context, 'JobSums', sums).load(jobId))?.found ?? [];
    return found.map((sum) => ({ ...sum, money: moneyOf(BigInt(sum.amount), sum.currency) }));
  }

  @FieldResolver(() => [JobRefusalType], { description: 'Why the rows that did not succeed did not, the most first.' })
  async refusals(@Root() { jobId }: Job, @Ctx() context: RequestContext): Promise<JobRefusalType[]> {
    const { refusals } = this.deps.rows;
    const found = (await ofEachJob(context, 'JobRefusals', refusals).load(jobId))?.found ?? [];
    return found.map((refusal) => ({ ...refusal, code: knownRefusal(refusal.code) }));
  }

  @FieldResolver(() => JobRowConnectionType, { description: 'Its report: every row, in their order.' })
  async rows(
    @Root() { jobId, act }: Job,
    @Arg('outcome', () => JobRowOutcomes, { nullable: true, description: 'Rows of this outcome only; absent: all.' })
    outcome: RowOutcome | null,
    @Args(() => PageArgs) asked: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    const slice = readSlice(asked, numberAt);
    const query = { outcome: outcome ?? null };
    const pages = requestLoader(
      context,
      `JobRows ${JSON.stringify([query, slice])}`,
      async (jobIds) => [...(await this.deps.rows.list(context.caller, { ...query, jobIds }, slice))],
      ([id]) => id,
    );
    const [, page] = (await pages.load(jobId)) ?? [jobId, emptyPage];
    const items = page.items.map((row) => reported(context.caller, act, row));
    return connection({ ...page, items }, slice, ({ number }) => [number]);
  }

  private async move(context: RequestContext, jobId: string, move: JobMove): Promise<Job> {
    const moved = this.deps.idempotent(context, `${move}Job`, () => moveJob(this.deps, context, { jobId, move }));
    return this.shown(context, await moved);
  }

  private async shown(context: RequestContext, { jobId }: { jobId: string }): Promise<Job> {
    const job = await jobLoader(this.deps.jobs, context).load(jobId);
    if (!job) throw new DomainError('notFound');
    return job;
  }
}

/** With the amounts of its sums and rows. */
export function jobResolvers(deps: JobServiceDeps): object[] {
  return [new JobResolver(deps), new MoneyResolver()];
}

function reported(caller: Caller, act: JobAct, row: JobRow) {
  const { amount, currency, code } = row;
  const money = amount === null || currency === null ? null : moneyOf(BigInt(amount), currency);
  return { ...row, subject: jobSubjectOf(caller, act, row.key), code: code && knownRefusal(code), money };
}

function selectionOf(asked: StartJobInput['callbacks']): CallbackSelection | null {
  if (!asked) return null;
  const { since, until, endpointId, merchantId, includeDelivered } = asked;
  const to = { endpointId: endpointId ?? null, merchantId: merchantId ?? null };
  return { since, until: until ?? null, ...to, includeDelivered };
}

/** As the mutation decides; one that changes nothing is no choice. */
function assertMoves(job: Job, move: JobMove): void {
  if (decideJobMove(job, move, job.updatedAt) === null)
    throw new DomainError('invalidState', `The job is ${job.state} already.`);
}

/** Absent, foreign, and not for this caller's eyes look alike. */
export function jobReference(jobs: JobRepository): ResolveReference {
  return ({ jobId }, context) =>
    typeof jobId === 'string' && may(context.caller, 'jobs:read') ? jobLoader(jobs, context).load(jobId) : null;
}

/** What one question tells of many jobs, by job. */
function ofEachJob<Found extends { jobId: string }>(
  context: RequestContext,
  name: string,
  ask: (jobIds: readonly string[]) => Promise<Found[]>,
): DataLoader<string, { jobId: string; found: Found[] } | null> {
  return requestLoader(
    context,
    name,
    async (jobIds) => {
      const all = await ask(jobIds);
      return jobIds.map((jobId) => ({ jobId, found: all.filter((one) => one.jobId === jobId) }));
    },
    ({ jobId }) => jobId,
  );
}

function jobLoader(jobs: JobRepository, context: RequestContext): DataLoader<string, Job | null> {
  return requestLoader(
    context,
    'Job',
    (ids) => jobs.find(context.caller, ids),
    ({ jobId }) => jobId,
  );
}
