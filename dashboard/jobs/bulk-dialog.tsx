// The dialog of an act on chosen rows.
import { useState } from 'react';
import type { JobAct } from '../graph/contract';
import type { Selection } from '../lists/rows-props';
import { words } from '../strings/language';
import { CheckedDialog } from './checked-dialog';
import { actTitle } from './outcome';

interface BulkProps {
  act: JobAct;
  selection: Selection;
  onClose(): void;
}

export function BulkDialog({ act, selection, onClose }: BulkProps) {
  const text = words().bulk;
  // As they were when it was opened: what was looked at is what is done.
  const [ids] = useState(() => [...selection.chosen]);
  return (
    <CheckedDialog
      act={act}
      title={actTitle(act, ids.length)}
      hint={text.hint[act]}
      draft={`bulk ${act}`}
      about={() => ({ ids })}
      onBegun={selection.clear}
      onClose={onClose}
    />
  );
}
