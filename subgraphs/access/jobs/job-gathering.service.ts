// From the selection of a job to its rows: page after page of the graph's own list, in the name of whoever began it, as far as a job may be large.
import type { RequestContext } from '../../shared/callers/context';
import { DuplicateKey, WriteConflict } from '../../shared/store/unit-of-work';
import { changed, decideGivingUp, type Job, jobRowsMax } from './job';
import { jobEvent } from './job.events';
import { newRow } from './job.service';
import type { JobRunDeps } from './job-asker.service';
import { answeredCodeOf, isAskedAgain } from './job-hindrance.service';
import type { JobRow, RowEnding } from './job-row';

const givenUp = ['EXHAUSTED', 'REJECTED', 'ENDED'] as const;

interface GatheringPlace {
  /** Of the statuses that are gone through. */
  status: number;
  after: string | null;
}

interface GatheredPage {
  edges: { node: { callbackId: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** One page more. Without anybody to ask in whose name there is nothing to gather; what hinders for a while is told, and a selection that is refused ends the job. */
export async function gatherMore(
  deps: JobRunDeps,
  job: Job,
  asker: RequestContext | RowEnding,
): Promise<{ hindrance: string | null }> {
  const { selection } = job;
  if ('outcome' in asker || !selection) return save(deps, changed(job, { isGathered: true }, deps.clock.now()));
  const statuses = selection.includeDelivered ? [...givenUp, 'DELIVERED'] : givenUp;
  const place: GatheringPlace = job.gatheredTo === null ? { status: 0, after: null } : JSON.parse(job.gatheredTo);
  const { since, until, endpointId, merchantId } = selection;
  const times = { since: since.toISOString(), until: (until ?? job.createdAt).toISOString() };
  const filter = { ...times, endpointId, merchantId, status: statuses[place.status] };
  const { data, errors } = await deps.execute('CallbacksOfJob', { filter, after: place.after }, asker);
  const [error] = errors ?? [];
  if (error && !isAskedAgain(answeredCodeOf(error)))
    return save(deps, decideGivingUp(job, error.message, deps.clock.now()));
  if (error || !data) return { hindrance: error?.message ?? 'The selection cannot be read.' };
  const { edges, pageInfo } = data['found'] as GatheredPage;
  const room = jobRowsMax - job.total;
  const taken = edges
    .slice(0, room)
    .map(({ node }, index) => newRow(job, job.total + index + 1, { key: node.callbackId, asked: null }));
  const next: GatheringPlace = pageInfo.hasNextPage
    ? { status: place.status, after: pageInfo.endCursor }
    : { status: place.status + 1, after: null };
  const total = job.total + taken.length;
  const hasMore = edges.length > room || (total === jobRowsMax && next.status < statuses.length);
  const isGathered = hasMore || next.status >= statuses.length;
  const progress = { total, hasMore, isGathered, gatheredTo: JSON.stringify(next) };
  return save(deps, changed(job, progress, deps.clock.now()), taken);
}

/** With its rows or not at all: somebody who held the job meanwhile goes first, and the page is read again, which may be another by then. */
async function save(deps: JobRunDeps, next: Job, taken: readonly JobRow[] = []): Promise<{ hindrance: string | null }> {
  const type = next.state === 'CANCELLED' ? 'job.cancelled' : 'job.progressed';
  try {
    await deps.inTransaction({
      inserts: taken.map((row) => deps.rows.insert(row)),
      updates: [deps.jobs.replace(next)],
      events: [jobEvent(next.jobId, type, next)],
    });
    return { hindrance: null };
  } catch (error) {
    if (error instanceof WriteConflict) return { hindrance: null };
    if (!(error instanceof DuplicateKey)) throw error;
    // The job is as it was read, so nobody else counts them: 0.5.0 wrote a page's rows first, and may have been stopped there.
    await deps.rows.putAnew(taken);
    return save(deps, next);
  }
}
