// Asks for the name under which the filters of a list are kept.
import { useState } from 'react';
import type { AskError } from '../graph/refusal-code';
import { ActDialog, Field } from '../kit/form';
import { words } from '../strings/language';
import style from './filters.module.css';

/** What was typed, and why it was refused when it was. */
export interface ViewDraft {
  name: string;
  isShared: boolean;
  error: AskError | null;
}

/** As the graph takes them. */
const nameMax = 80;

interface SaveProps {
  draft: ViewDraft;
  onSave(draft: ViewDraft): void;
  onClose(): void;
}

export function SaveDialog({ draft, onSave, onClose }: SaveProps) {
  const text = words().views;
  const [name, setName] = useState(draft.name);
  const [isShared, setShared] = useState(draft.isShared);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <ActDialog
      title={text.save}
      confirm={text.keep}
      isRunning={false}
      error={draft.error}
      onSubmit={() => (name.trim() ? onSave({ name: name.trim(), isShared, error: null }) : setFault(text.nameFault))}
      onClose={onClose}
    >
      <Field label={text.name} fault={fault}>
        {(field) => (
          <input
            {...field}
            value={name}
            maxLength={nameMax}
            onChange={({ target }) => {
              setFault(null);
              setName(target.value);
            }}
          />
        )}
      </Field>
      <label className={style.check}>
        <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />
        {text.share}
      </label>
    </ActDialog>
  );
}
