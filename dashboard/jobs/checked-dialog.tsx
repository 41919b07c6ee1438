// The dialog of an act as a job: asks why, shows first what would happen (a dry run), and then begins the job, which opens.
import { type ReactNode, useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import type { JobAct, StartJobInput } from '../graph/contract';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { stateWord } from '../kit/chip';
import { printCount } from '../kit/count';
import { ActRefusal, AskForm, Field, useDraft } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/overlays';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import style from './jobs.module.css';
import { actTitle, jobMoney, Refusals } from './outcome';
import { Hindrance, Progress } from './progress';
import { JobReport, StartJob } from './queries';
import { subjectWords } from './subject-words';
import { type JobOnScreen, useJob } from './use-job';

/** What takes something from somebody. */
const grave: ReadonlySet<JobAct> = new Set([
  'REFUND_PAYMENT',
  'VOID_PAYMENT',
  'ABANDON_APPLICATION',
  'DEACTIVATE_MERCHANT',
]);

interface DialogProps {
  act: JobAct;
  title: string;
  hint: string;
  /** Under which name what is typed is kept on a way round by a new sign-in. */
  draft: string;
  /** What the job would be about; null: what was typed for it is wrong, and says so itself. */
  about(): Pick<StartJobInput, 'ids' | 'callbacks'> | null;
  onBegun?(): void;
  onClose(): void;
  /** Where nothing would be done. */
  nothing?: string;
  /** The first rows are shown too, of what nobody chose by hand. */
  showsRows?: boolean;
  /** Fields before the reason; locked from the dry run on, unless that was cancelled. */
  children?(isLocked: boolean): ReactNode;
}

/** The job that looks, for this dialog alone, and then the one that acts. */
export function CheckedDialog(props: DialogProps) {
  const { act, title, hint, draft, about, onBegun, onClose, children } = props;
  const text = words().bulk;
  const { open } = useAddress();
  const tell = useToast();
  const start = useAct(StartJob);
  const [reason, setReason, forget] = useDraft(draft);
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const [checkId, setCheckId] = useState<string | null>(null);
  const { job: check, error: unread } = useJob(checkId);
  const isChecked = check?.state === 'DONE';
  // It was cancelled: it can be looked at again.
  const isBroken = check?.state === 'CANCELLED';
  const isOpen = checkId === null || isBroken;

  async function begin(dryRun: boolean): Promise<void> {
    // Both are told, where both are wrong.
    const what = about();
    if (!reason.trim()) setFault(words().faults.reason);
    if (!what || !reason.trim()) return;
    setError(null);
    const outcome = await start.run({ input: { act, ...what, amounts: [], reason: reason.trim(), dryRun } });
    if (outcome.error) return setError(outcome.error);
    const { jobId } = outcome.data.startJob;
    if (dryRun) return setCheckId(jobId);
    forget();
    onBegun?.();
    tell(text.begun);
    open(`/jobs/${jobId}`);
  }

  function leave(): void {
    forget();
    onClose();
  }

  return (
    <Dialog title={title} hint={hint} onClose={leave}>
      <AskForm
        onSubmit={() => {
          if (!start.isRunning && (isOpen || isChecked)) void begin(isOpen);
        }}
      >
        {children?.(!isOpen)}
        <Field label={words().reason} hint={words().reasonHint} fault={fault}>
          {(field) => (
            <textarea
              {...field}
              value={reason}
              maxLength={500}
              disabled={!isOpen}
              onChange={({ target }) => {
                setReason(target.value);
                setFault(null);
              }}
            />
          )}
        </Field>
        {checkId === null ? null : <Checked job={check} nothing={props.nothing ?? text.nothingToDo} />}
        {isChecked && props.showsRows ? <FirstRows job={check} /> : null}
        {(error ?? unread) ? <ActRefusal error={(error ?? unread) as AskError} /> : null}
        <div className={kit.dialogFoot}>
          <Button onClick={leave}>{words().cancel}</Button>
          <Confirm act={act} check={check} isChecked={isChecked} isBusy={start.isRunning || !(isOpen || isChecked)} />
        </div>
      </AskForm>
    </Dialog>
  );
}

const rowsShown = 5;

/** What the first of them are about, and how many more there are. */
function FirstRows({ job: { jobId, total } }: { job: JobOnScreen }) {
  const { data } = useAsk(JobReport, { jobId, outcome: null, first: rowsShown, after: null });
  const rows = data?.job?.rows.edges ?? [];
  if (rows.length === 0) return null;
  return (
    <div className={kit.box}>
      {rows.map(({ node: { number, key, subject } }) => {
        const told = subject ? subjectWords(subject) : null;
        return (
          <div key={number} className={kit.boxRow}>
            <span className={told ? 'ellipsis' : 'mono ellipsis'}>{told?.name ?? key}</span>
            <span className="faint nowrap">{told?.detail}</span>
          </div>
        );
      })}
      {total > rows.length ? (
        <div className={`${kit.boxRow} faint`}>{words().bulk.more(printCount(total - rows.length))}</div>
      ) : null}
    </div>
  );
}

function Checked({ job, nothing }: { job: JobOnScreen | null; nothing: string }) {
  const text = words().bulk;
  if (!job) return <p className="soft">{words().working}</p>;
  if (job.state === 'CANCELLED')
    return job.refusal ? <Hindrance job={job} /> : <p className="soft">{stateWord(job.state)}</p>;
  if (job.state !== 'DONE')
    return (
      <div className={style.checking} role="status">
        <span>{text.checking}</span>
        <Progress of={job} isWide />
        <Hindrance job={job} />
      </div>
    );
  return (
    <div className={style.checked} role="status">
      <dl className={style.tiles}>
        <div data-part="succeeded">
          <dt>{text.would}</dt>
          <dd className="number">{job.succeeded}</dd>
        </div>
        <div data-part="failed">
          <dt>{text.wouldNot}</dt>
          <dd className="number">{job.failed}</dd>
        </div>
        {job.sums.length > 0 ? (
          <div>
            <dt>{text.together}</dt>
            <dd className="number">{jobMoney(job)}</dd>
          </div>
        ) : null}
      </dl>
      <Refusals job={job} />
      {job.succeeded === 0 ? <p className="soft">{nothing}</p> : null}
    </div>
  );
}

interface ConfirmProps {
  act: JobAct;
  check: JobOnScreen | null;
  isChecked: boolean;
  isBusy: boolean;
}

/** First it looks, then it does. */
function Confirm({ act, check, isChecked, isBusy }: ConfirmProps) {
  const text = words().bulk;
  const count = check?.succeeded ?? 0;
  const isPointless = isChecked && count === 0;
  return (
    <Button
      type="submit"
      look={isChecked && grave.has(act) ? 'danger' : 'primary'}
      disabled={isPointless}
      aria-disabled={isBusy}
    >
      {isBusy ? words().working : isChecked ? actTitle(act, count) : text.check}
    </Button>
  );
}
