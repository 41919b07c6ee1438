// From the selection of a job to its rows: page after page of the graph's own list, in the name of whoever began it, as far as a job may be large.
import type { RequestContext } from '../../shared/callers/context';
import { WriteConflict } from '../../shared/store/unit-of-work';
import { changed, type Job, jobRowsMax } from './job';
import { jobEvent } from './job.events';
import { newRow } from './job.service';
import type { JobRunDeps } from './job-asker.service';
import type { RowEnding } from './job-row';

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

/** One page more. Without anybody to ask in whose name there is nothing to gather, and what hinders is told. */
export async function gatherMore(
  deps: JobRunDeps,
  job: Job,
  asker: RequestContext | RowEnding,
): Promise<{ hindrance: string | null }> {
  const { selection } = job;
  if ('outcome' in asker || !selection) return save(deps, job, { isGathered: true });
  const statuses = selection.includeDelivered ? [...givenUp, 'DELIVERED'] : givenUp;
  const place: GatheringPlace = job.gatheredTo === null ? { status: 0, after: null } : JSON.parse(job.gatheredTo);
  const { since, until, endpointId, merchantId } = selection;
  const times = { since: since.toISOString(), until: (until ?? job.createdAt).toISOString() };
  const filter = { ...times, endpointId, merchantId, status: statuses[place.status] };
  const { data, errors } = await deps.execute('CallbacksOfJob', { filter, after: place.after }, asker);
  if (errors?.[0] || !data) return { hindrance: errors?.[0]?.message ?? 'The selection cannot be read.' };
  const { edges, pageInfo } = data['found'] as GatheredPage;
  const room = jobRowsMax - job.total;
  const taken = edges
    .slice(0, room)
    .map(({ node }, index) => newRow(job, job.total + index + 1, { key: node.callbackId, asked: null }));
  await deps.rows.add(taken);
  const next: GatheringPlace = pageInfo.hasNextPage
    ? { status: place.status, after: pageInfo.endCursor }
    : { status: place.status + 1, after: null };
  const total = job.total + taken.length;
  const hasMore = edges.length > room || (total === jobRowsMax && next.status < statuses.length);
  const isGathered = hasMore || next.status >= statuses.length;
  return save(deps, job, { total, hasMore, isGathered, gatheredTo: JSON.stringify(next) });
}

/** Somebody who held the job meanwhile goes first: the page is read again. */
async function save(deps: JobRunDeps, job: Job, changes: Partial<Job>): Promise<{ hindrance: null }> {
  const next = changed(job, changes, deps.clock.now());
  await deps
    .inTransaction({
      updates: [deps.jobs.replace(next)],
      events: [jobEvent(job.jobId, 'job.progressed', next)],
    })
    .catch((error: unknown) => {
      if (!(error instanceof WriteConflict)) throw error;
    });
  return { hindrance: null };
}
