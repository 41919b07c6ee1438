// Jobs, wired: where they and their rows are kept, what the graph knows of them, and how they are carried out (docs/graph.md, Acts in bulk).
import type { Connection } from 'mongoose';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { Find } from '../../shared/search';
import { createJobRepository } from './job.repository';
import { jobReference, jobResolvers } from './job.resolver';
import type { JobServiceDeps } from './job.service';
import type { ExecuteOperation, JobRunDeps } from './job-asker.service';
import { createJobRowRepository } from './job-row.repository';
import { carryOutJobs } from './job-run.service';

export type { ExecuteOperation } from './job-asker.service';

export interface Jobs {
  find: Find;
  resolvers: object[];
  references: Record<string, ResolveReference>;
  /** Goes on with what runs and no other process carries out, through the graph, for a few seconds at most; resolves with how many jobs those were. */
  carryOut(execute: ExecuteOperation, stopping: AbortSignal): Promise<number>;
  ensureIndexes(): Promise<void>;
}

export function createJobs(
  deps: Omit<JobServiceDeps, 'jobs' | 'rows'> &
    Pick<JobRunDeps, 'environment' | 'clients' | 'people'> & { connection: Connection },
): Jobs {
  const jobs = createJobRepository(deps.connection);
  const rows = createJobRowRepository(deps.connection);
  const kept = { ...deps, jobs, rows };
  return {
    find: jobs.search,
    resolvers: jobResolvers(kept),
    references: { Job: jobReference(jobs) },
    carryOut: (execute, stopping) => carryOutJobs({ ...kept, execute }, stopping),
    async ensureIndexes() {
      await Promise.all([jobs.ensureIndexes(), rows.ensureIndexes()]);
    },
  };
}
