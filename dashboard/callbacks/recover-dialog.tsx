// Since when it is sent again, and why; what that would be is shown before.
import { useState } from 'react';
import { platformNow } from '../graph/platform-clock';
import { CheckedDialog } from '../jobs/checked-dialog';
import { Field, useDraft } from '../kit/form';
import { clockOf, momentOf } from '../lists/spans';
import { timeZone, words } from '../strings/language';
import style from './callbacks.module.css';

const hourMs = 3_600_000;

/** Whose callbacks; absent: everybody's. */
export interface RecoverProps {
  merchantId?: string | undefined;
  endpointId?: string | undefined;
}

export function RecoverDialog({ merchantId = '', endpointId = '', onClose }: RecoverProps & { onClose(): void }) {
  const text = words().callbacks;
  const zone = timeZone();
  const hourAgo = new Date(platformNow().getTime() - hourMs);
  const [since, setSince, forget] = useDraft('recover since', clockOf(hourAgo, zone));
  const [fault, setFault] = useState<string | null>(null);

  function about() {
    const from = momentOf(since, zone);
    if (!from) {
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
      onBegun={forget}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      {(isLocked) => (
        <div className={style.two}>
          <Field label={text.since} hint={zone} fault={fault}>
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
