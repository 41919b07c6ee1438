// Acting on chosen rows: the bar that counts them. The dialog that then asks why is fetched when it is asked for.
import { X } from 'lucide-react';
import { Suspense } from 'react';
import { type JobAct } from '../graph/contract';
import { Button, PlainButton } from '../kit/button';
import { printCount } from '../kit/count';
import type { Selection } from '../lists/rows-props';
import { useAddress } from '../shell/address';
import { lazyDialog } from '../shell/lazy-part';
import { useViewer } from '../shell/viewer';
import { words } from '../strings/language';
import style from './jobs.module.css';

const BulkDialog = lazyDialog(() => import('./bulk-dialog').then((module) => module.BulkDialog));

const rights: Record<JobAct, string> = {
  CAPTURE_PAYMENT: 'payments:capture',
  REFUND_PAYMENT: 'payments:refund',
  VOID_PAYMENT: 'payments:cancel',
  REDELIVER_CALLBACK: 'callbacks:write',
  ABANDON_APPLICATION: 'onboarding:write',
  RESEND_ACTIVATION: 'onboarding:write',
  DEACTIVATE_MERCHANT: 'merchants:write',
};

/** The acts of these that the person may do: without any, rows cannot be chosen. */
export function useBulkActs(acts: readonly JobAct[]): readonly JobAct[] {
  const { rights: held } = useViewer();
  return acts.filter((act) => held.includes(rights[act]));
}

interface BarProps {
  acts: readonly JobAct[];
  selection: Selection;
  /** Whether any of the chosen rows is one that it can be done to; absent: always. */
  isOffered?: (act: JobAct) => boolean;
}

export function BulkBar({ acts, selection, isOffered = () => true }: BarProps) {
  const { search, change } = useAddress();
  const text = words().bulk;
  const count = selection.chosen.size;
  const asked = acts.find((act) => act === search['act']);
  if (count === 0) return null;
  return (
    <>
      <div className={style.bar} role="toolbar" aria-label={text.label}>
        <span className={`number nowrap ${style.count}`} role="status">
          {text.selected(printCount(count))}
        </span>
        {acts.filter(isOffered).map((act) => (
          <Button key={act} onClick={() => change({ act }, { isNewPlace: true })}>
            {text.acts[act]}
          </Button>
        ))}
        <PlainButton onClick={selection.clear} aria-label={text.clear} title={text.clear}>
          <X aria-hidden />
        </PlainButton>
      </div>
      <Suspense>
        {asked ? (
          <BulkDialog key={asked} act={asked} selection={selection} onClose={() => change({ act: '' })} />
        ) : null}
      </Suspense>
    </>
  );
}
