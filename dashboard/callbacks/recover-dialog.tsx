// Since when it is sent again, and why.
import { useState } from 'react';
import { useAct } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { StartJob } from '../jobs/queries';
import { Field, ReasonAct } from '../kit/form';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import style from './callbacks.module.css';

const hourMs = 3_600_000;

/** Whose callbacks; absent: everybody's. */
export interface RecoverProps {
  merchantId?: string | undefined;
  endpointId?: string | undefined;
}

export function RecoverDialog({ merchantId = '', endpointId = '', onClose }: RecoverProps & { onClose(): void }) {
  const text = words().callbacks;
  const { open } = useAddress();
  const [since, setSince] = useState(() => localOf(new Date(Date.now() - hourMs)));
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const tell = useToast();
  const start = useAct(StartJob);

  async function submit(reason: string): Promise<void> {
    const from = new Date(since);
    if (Number.isNaN(from.getTime())) return setFault(text.sinceFault);
    const callbacks = {
      since: from.toISOString(),
      merchantId: merchantId || null,
      endpointId: endpointId || null,
      includeDelivered: false,
    };
    const outcome = await start.run({
      input: { act: 'REDELIVER_CALLBACK', callbacks, amounts: [], reason, dryRun: false },
    });
    if (outcome.error) return setError(outcome.error);
    sessionStorage.removeItem('draft recover');
    tell(words().bulk.begun);
    open(`/jobs/${outcome.data.startJob.jobId}`);
  }

  return (
    <ReasonAct
      title={text.recover}
      hint={merchantId || endpointId ? text.recoverHintNarrow : text.recoverHint}
      confirm={text.recoverDo}
      isRunning={start.isRunning}
      error={error}
      draft="recover"
      onSubmit={(reason) => void submit(reason)}
      onClose={onClose}
    >
      <div className={style.two}>
        <Field label={text.since} fault={fault}>
          {(field) => (
            <input {...field} type="datetime-local" value={since} onChange={({ target }) => setSince(target.value)} />
          )}
        </Field>
      </div>
    </ReasonAct>
  );
}

/** As a field for date and time takes it: in this machine's zone, to the minute. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
