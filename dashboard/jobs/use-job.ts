// One job as it goes on: read again at each of its events, and now and then by itself while it runs.
import { useEffect, useRef } from 'react';
import { useAsk, useEvents } from '../graph/ask';
import { JobLife, type JobLifeQuery, JobProgress } from './queries';

export type JobOnScreen = NonNullable<JobLifeQuery['job']>;

/** Events come many a second; the job is read no more often than that. */
const readEveryMs = 400;
/** What happened before the subscription stood, nobody tells. */
const lookEveryMs = 4_000;

export function useJob(jobId: string | null, onChange: () => void = () => undefined) {
  const { data, readAt, error, isOld, again } = useAsk(JobLife, { jobId: jobId ?? '' }, { isPaused: jobId === null });
  const job = data?.job ?? null;
  const read = useRef({ again, onChange });
  read.current = { again, onChange };
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const readSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      read.current.again();
      read.current.onChange();
    }, readEveryMs);
  };
  useEvents(JobProgress, jobId === null ? [] : [{ jobId, after: null }], readSoon);
  const isRunning = job?.state === 'RUNNING';
  useEffect(() => {
    if (!isRunning) return;
    const looking = setInterval(() => read.current.again(), lookEveryMs);
    return () => clearInterval(looking);
  }, [isRunning]);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
  return { job, readAt, isUnknown: data?.job === null, error, isOld, again };
}
