// The dialog of an act on chosen rows: asks why, shows first what would happen, and then begins the job.
import { useState } from 'react';
import { useAct } from '../graph/ask';
import { type JobAct } from '../graph/contract';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { ActRefusal, Field, useDraft } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/overlays';
import type { Selection } from '../lists/rows-props';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import style from './jobs.module.css';
import { jobMoney, Refusals } from './outcome';
import { Progress } from './progress';
import { StartJob } from './queries';
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
  selection: Selection;
  onClose(): void;
}

/** The job that looks, for this dialog alone, and then the one that acts. */
export function BulkDialog({ act, selection, onClose }: DialogProps) {
  const text = words().bulk;
  const ids = [...selection.chosen];
  const { open } = useAddress();
  const tell = useToast();
  const start = useAct(StartJob);
  const [reason, setReason, forget] = useDraft(`bulk ${act}`);
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const [checkId, setCheckId] = useState<string | null>(null);
  const { job: check, error: unread } = useJob(checkId);
  const isChecked = check?.state === 'DONE';

  async function begin(dryRun: boolean): Promise<void> {
    if (!reason.trim()) return setFault(words().faults.reason);
    setError(null);
    const outcome = await start.run({ input: { act, ids, amounts: [], reason: reason.trim(), dryRun } });
    if (outcome.error) return setError(outcome.error);
    const { jobId } = outcome.data.startJob;
    if (dryRun) return setCheckId(jobId);
    forget();
    selection.clear();
    tell(text.begun);
    open(`/jobs/${jobId}`);
  }

  function leave(): void {
    forget();
    onClose();
  }

  return (
    <Dialog title={text.title[act](ids.length)} hint={text.hint[act]} onClose={leave}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!start.isRunning && (checkId === null || isChecked)) void begin(checkId === null);
        }}
      >
        <Field label={words().reason} hint={words().reasonHint} fault={fault}>
          {(field) => (
            <textarea
              {...field}
              value={reason}
              maxLength={500}
              disabled={checkId !== null}
              onChange={({ target }) => {
                setReason(target.value);
                setFault(null);
              }}
            />
          )}
        </Field>
        {checkId === null ? null : <Checked job={check} />}
        {(error ?? unread) ? <ActRefusal error={(error ?? unread) as AskError} /> : null}
        <div className={kit.dialogFoot}>
          <Button onClick={leave}>{words().cancel}</Button>
          <Confirm
            act={act}
            check={check}
            isChecked={isChecked}
            isBusy={start.isRunning || (checkId !== null && !isChecked)}
          />
        </div>
      </form>
    </Dialog>
  );
}

function Checked({ job }: { job: JobOnScreen | null }) {
  const text = words().bulk;
  if (!job) return <p className="soft">{words().working}</p>;
  if (job.state !== 'DONE')
    return (
      <div className={style.checking} role="status">
        <span>{text.checking}</span>
        <Progress of={job} isWide />
        {job.hindrance ? <p className="soft">{words().jobs.hindered}</p> : null}
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
      {job.succeeded === 0 ? <p className="soft">{text.nothingToDo}</p> : null}
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
      {isBusy ? words().working : isChecked ? text.title[act](count) : text.check}
    </Button>
  );
}
