// Asks for the name under which the filters of a list are kept.
import { useState } from 'react';
import { type AskError, useAct } from '../graph/ask';
import { ActDialog, Field } from '../kit/form';
import { SaveView } from '../shell/queries';
import { words } from '../strings/language';
import style from './filters.module.css';

interface SaveProps {
  screen: string;
  query: string;
  again(): void;
  onClose(): void;
}

export function SaveDialog({ screen, query, again, onClose }: SaveProps) {
  const text = words().views;
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const save = useAct(SaveView);
  async function submit(): Promise<void> {
    if (!name.trim()) return setFault(text.nameFault);
    const outcome = await save.run({ input: { screen, query, name: name.trim(), isShared } });
    if (outcome.error) return setError(outcome.error);
    again();
    onClose();
  }
  return (
    <ActDialog
      title={text.save}
      confirm={text.keep}
      isRunning={save.isRunning}
      error={error}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label={text.name} fault={fault}>
        {(field) => (
          <input
            {...field}
            value={name}
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
