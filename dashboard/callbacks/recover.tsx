// Sends again what was not delivered since a moment: for a receiver that was away.
import { History } from 'lucide-react';
import { useState } from 'react';
import { type AskError, useAct } from '../graph/ask';
import { Button } from '../kit/button';
import { ActDialog, Field } from '../kit/form';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import style from './callbacks.module.css';
import { RedeliverCallbacks } from './queries';

interface Props {
  merchantId?: string | undefined;
  endpointId?: string | undefined;
  onDone(): void;
}

const hourMs = 3_600_000;
/** The graph sends so many at a time; more than that many turns are somebody else's job. */
const turnsMost = 100;

export function RecoverButton(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay('callbacks:write');
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <History aria-hidden />
        {words().callbacks.recover}
      </Button>
      {isOpen ? <RecoverDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function RecoverDialog({ merchantId, endpointId, onDone, onClose }: Props & { onClose(): void }) {
  const text = words().callbacks;
  const [since, setSince] = useState(() => localOf(new Date(Date.now() - hourMs)));
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const tell = useToast();
  const recover = useAct(RedeliverCallbacks);

  async function submit(): Promise<void> {
    const from = new Date(since);
    if (Number.isNaN(from.getTime())) return setFault(text.sinceFault);
    let count = 0;
    for (let turn = 0; turn < turnsMost; turn += 1) {
      const outcome = await recover.run({
        input: {
          since: from.toISOString(),
          includeDelivered: false,
          ...(merchantId ? { merchantId } : {}),
          ...(endpointId ? { endpointId } : {}),
        },
      });
      if (outcome.error) return setError(outcome.error);
      count += outcome.data.redeliverCallbacks.count;
      if (!outcome.data.redeliverCallbacks.hasMore) break;
    }
    tell(text.recovered(count));
    onDone();
    onClose();
  }

  return (
    <ActDialog
      title={text.recover}
      hint={merchantId || endpointId ? text.recoverHintNarrow : text.recoverHint}
      confirm={text.recoverDo}
      isRunning={recover.isRunning}
      error={error}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div className={style.two}>
        <Field label={text.since} fault={fault}>
          {(field) => (
            <input {...field} type="datetime-local" value={since} onChange={({ target }) => setSince(target.value)} />
          )}
        </Field>
      </div>
    </ActDialog>
  );
}

/** As a field for date and time takes it: in this machine's zone, to the minute. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
