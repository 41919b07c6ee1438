// One job: how far it has come, who began it and why, what it came to, its report row by row, and the ways to hold or end it.
import { useParams } from '@tanstack/react-router';
import { CircleStop, Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { useAct } from '../graph/ask';
import { type AtOnce, useAtOnce, useTakenBack } from '../graph/at-once';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts } from '../kit/facts';
import { ActDialog, ActRefusal } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Drawer } from '../kit/overlays';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { When } from '../kit/when';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import { JobReportRows } from './job-report';
import { JobName } from './jobs-screen';
import { jobMoney, Refusals } from './outcome';
import { Hindrance, Progress } from './progress';
import { CancelJob, PauseJob, ResumeJob } from './queries';
import { type JobOnScreen, useJob } from './use-job';

type Move = 'pause' | 'resume';

/** Whether these go on is said when it is so, not before. */
const movesMoney: ReadonlySet<JobOnScreen['act']> = new Set(['CAPTURE_PAYMENT', 'REFUND_PAYMENT', 'VOID_PAYMENT']);

/** How a job stands that was held or goes on again. */
function after(job: JobOnScreen, move: Move): JobOnScreen {
  const [state, given, next] =
    move === 'pause' ? (['PAUSED', 'PAUSE', 'RESUME'] as const) : (['RUNNING', 'RESUME', 'PAUSE'] as const);
  const actions = job.actions.map((each) => (each.action === given ? { ...each, action: next } : each));
  return { ...job, state, actions: actions.filter(({ action, allowed }) => allowed || action !== next) };
}

export function JobDrawer() {
  const { jobId } = useParams({ strict: false }) as { jobId: string };
  const { open, hrefOf } = useAddress();
  const text = words().jobs;
  const readReport = useRef<() => unknown>(() => undefined);
  const { job: told, readAt, isUnknown, error, isOld, again } = useJob(jobId, () => readReport.current());
  const { shown: job, act } = useAtOnce(told, jobId);
  return (
    <Drawer of={jobId} title={text.one} actions={<CopyId id={jobId} short />} onClose={() => open(hrefOf('/jobs'))}>
      {job ? (
        <>
          <Lead job={job} act={act} again={again} />
          <Progress of={job} isWide />
          <Hindrance job={job} />
          <Facts
            rows={[
              [words().reason, job.reason],
              [text.by, job.startedByName],
              [text.at, <When key="at" at={job.createdAt} shape="exact" />],
              [text.finished, job.finishedAt ? <When key="finished" at={job.finishedAt} shape="exact" /> : null],
              [job.dryRun ? text.wouldMove : text.moved, jobMoney(job)],
              [text.rest, job.hasMore ? text.hasMore : null],
            ]}
          />
          <Refusals job={job} />
          <JobReportRows
            job={job}
            register={(read) => {
              readReport.current = read;
            }}
          />
        </>
      ) : null}
      {isUnknown ? <Empty title={text.unknown} /> : null}
      {error && !job ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {job || isUnknown || error ? null : <SkeletonLines count={10} />}
    </Drawer>
  );
}

function Lead({ job, act, again }: { job: JobOnScreen; act: AtOnce<JobOnScreen | null>['act']; again(): void }) {
  const text = words().jobs;
  const { jobId } = job;
  const tell = useToast();
  const takenBack = useTakenBack();
  const [error, setError] = useState<AskError | null>(null);
  const [isAsking, setAsking] = useState(false);
  const runs = { pause: useAct(PauseJob), resume: useAct(ResumeJob) };
  const may = (asked: JobOnScreen['actions'][number]['action']) =>
    job.actions.some(({ action, allowed, reason }) => {
      // A sign-in that is too long ago is asked for where the act is refused: its button leads there.
      const isOffered = allowed || reason?.code === 'freshSignInNeeded';
      return action === asked && isOffered;
    });

  async function run(move: Move): Promise<void> {
    setError(null);
    const ask = () => runs[move].run({ jobId });
    const next = movesMoney.has(job.act) ? null : after(job, move);
    const refused = next ? await act(next, ask) : (await ask()).error;
    if (refused) return next ? takenBack(refused) : setError(refused);
    tell(text.done[move]);
    again();
  }

  return (
    <>
      <div className={kit.lead}>
        <strong>
          <JobName job={job} />
        </strong>
        <Chip state={job.state} />
        <span className={kit.leadActs}>
          {may('PAUSE') ? (
            <Button onClick={() => void run('pause')}>
              <Pause aria-hidden />
              {text.acts.pause}
            </Button>
          ) : null}
          {may('RESUME') ? (
            <Button onClick={() => void run('resume')}>
              <Play aria-hidden />
              {text.acts.resume}
            </Button>
          ) : null}
          {may('CANCEL') ? (
            <Button onClick={() => setAsking(true)}>
              <CircleStop aria-hidden />
              {text.acts.cancel}
            </Button>
          ) : null}
        </span>
      </div>
      {error ? <ActRefusal error={error} /> : null}
      {isAsking ? <CancelDialog jobId={jobId} again={again} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

/** An end is not shown before it is there. */
function CancelDialog({ jobId, again, onClose }: { jobId: string; again(): void; onClose(): void }) {
  const text = words().jobs;
  const tell = useToast();
  const { isRunning, run } = useAct(CancelJob);
  const [error, setError] = useState<AskError | null>(null);
  async function cancel(): Promise<void> {
    const outcome = await run({ jobId });
    setError(outcome.error);
    if (outcome.error) return;
    onClose();
    tell(text.done.cancel);
    again();
  }
  return (
    <ActDialog
      title={text.cancelTitle}
      hint={text.cancelHint}
      confirm={text.cancelDo}
      isDangerous
      isRunning={isRunning}
      error={error}
      onSubmit={() => void cancel()}
      onClose={onClose}
    />
  );
}
