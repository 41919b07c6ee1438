// The days of one's own choice that a list is narrowed to: the first and the last, of which either may be missing.
import { useState } from 'react';
import { ActDialog, Field } from '../../kit/form';
import { words } from '../../strings/language';
import type { ChosenDays } from '../spans';

interface DaysDialogProps {
  title: string;
  days: ChosenDays;
  onChoose(days: ChosenDays): void;
  onClose(): void;
}

export function DaysDialog({ title, days, onChoose, onClose }: DaysDialogProps) {
  const text = words().narrow;
  const [first, setFirst] = useState(days.first);
  const [last, setLast] = useState(days.last);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <ActDialog
      title={`${title}: ${text.daysTitle}`}
      hint={text.daysHint}
      confirm={text.apply}
      isRunning={false}
      error={null}
      onSubmit={() => (first && last && first > last ? setFault(text.daysFault) : onChoose({ first, last }))}
      onClose={onClose}
    >
      <Field label={text.from} fault={fault}>
        {(field) => <input {...field} type="date" value={first} onChange={({ target }) => setFirst(target.value)} />}
      </Field>
      <Field label={text.to}>
        {(field) => <input {...field} type="date" value={last} onChange={({ target }) => setLast(target.value)} />}
      </Field>
    </ActDialog>
  );
}
