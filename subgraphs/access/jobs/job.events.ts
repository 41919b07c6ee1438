// Events of jobs, ready for the log: that one began, how far it has come, how it ended.
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';
import type { Job } from './job';

type JobEventName = 'job.started' | 'job.progressed' | 'job.paused' | 'job.resumed' | 'job.cancelled' | 'job.finished';

/** The event with the job's own sequence: of staff's jobs no account's, which no account sees. */
export function jobEvent(requestId: string, type: JobEventName, job: Job): NewEvent {
  const { jobId, environment, accountId, act, isDryRun, state, total, succeeded, failed, updatedAt, sequence } = job;
  const owner = { accountId: accountId ?? '', merchantId: null };
  return {
    _id: newEventId(owner),
    environment,
    ...owner,
    aggregateType: 'job',
    aggregateId: jobId,
    sequence,
    type,
    version: 1,
    occurredAt: updatedAt,
    requestId,
    data: { act, isDryRun, state, total, succeeded, failed },
  };
}
