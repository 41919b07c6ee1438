// Since when it is sent again, and why; what that would be is shown before.
import { useState } from 'react';
import { platformNow } from '../graph/platform-clock';
import { CheckedDialog } from '../jobs/checked-dialog';
import { Field } from '../kit/form';
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
  const [since, setSince] = useState(() => localOf(new Date(platformNow().getTime() - hourMs)));
  const [fault, setFault] = useState<string | null>(null);

  function about() {
    const from = new Date(since);
    if (Number.isNaN(from.getTime())) {
      setFault(text.sinceFault);
      return null;
    }
    const to = { merchantId: merchantId || null, endpointId: endpointId || null };
    return { callbacks: { since: from.toISOString(), ...to, includeDelivered: false } };
  }

  return (
    <CheckedDialog
      act="REDELIVER_CALLBACK"
      title={text.recover}
      hint={merchantId || endpointId ? `${text.recoverHint} ${text.recoverHintNarrow}` : text.recoverHint}
      draft="recover"
      about={about}
      nothing={text.recoverNothing}
      showsRows
      onClose={onClose}
    >
      {(isLocked) => (
        <div className={style.two}>
          <Field label={text.since} fault={fault}>
            {(field) => (
              <input
                {...field}
                type="datetime-local"
                value={since}
                disabled={isLocked}
                onChange={({ target }) => {
                  setSince(target.value);
                  setFault(null);
                }}
              />
            )}
          </Field>
        </div>
      )}
    </CheckedDialog>
  );
}

/** As a field for date and time takes it: in this machine's zone, to the minute. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
