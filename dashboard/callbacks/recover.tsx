// Sends again what was not delivered since a moment, as a job: for a receiver that was away.
import { History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../kit/button';
import { lazyDialog } from '../shell/lazy-part';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import type { RecoverProps } from './recover-dialog';

const RecoverDialog = lazyDialog(() => import('./recover-dialog').then((module) => module.RecoverDialog));

export function RecoverButton(props: RecoverProps) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay('callbacks:write');
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <History aria-hidden />
        {words().callbacks.recover}
      </Button>
      <Suspense>{isOpen ? <RecoverDialog {...props} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}
