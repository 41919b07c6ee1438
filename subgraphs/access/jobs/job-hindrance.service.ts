// What keeps a job from going on, told once for as long as it lasts.
import { decideAgain } from '../../shared/store/decide-again';
import { changed, type JobState } from './job';
import { jobEvent } from './job.events';
import type { JobRunDeps } from './job-asker.service';

/** Says nothing about what was asked: it is asked again. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'rateLimited', 'conflict', 'duplicateInFlight']);

export function isAskedAgain(code: string): boolean {
  return passing.has(code);
}

export function answeredCodeOf(error: { extensions?: Record<string, unknown> | undefined }): string {
  return String(error.extensions?.['code'] ?? 'internal');
}

/** Held up, one that was cancelled waits for what was begun. */
const hindered: ReadonlySet<JobState> = new Set(['RUNNING', 'CANCELLED']);

export function noteHindrance(
  deps: Pick<JobRunDeps, 'jobs' | 'environment' | 'clock' | 'inTransaction'>,
  jobId: string,
  hindrance: string,
): Promise<void> {
  return decideAgain(async () => {
    const job = await deps.jobs.read(deps.environment, jobId);
    if (!job || !hindered.has(job.state) || job.hindrance === hindrance) return;
    const next = changed(job, { hindrance }, deps.clock.now());
    await deps.inTransaction({
      updates: [deps.jobs.replace(next)],
      events: [jobEvent(jobId, 'job.progressed', next)],
    });
  });
}
