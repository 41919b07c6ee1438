// Fields of a form, and the dialog that asks before something is done.
import { LogIn } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { type AskError, refusalCodeOf } from '../graph/refusal-code';
import { signInHere } from '../shell/viewer';
import { words } from '../strings/language';
import { Button } from './button';
import style from './kit.module.css';
import { Dialog } from './overlays';
import { refusalWord, sayRefusal } from './refusal-word';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  fault?: string | null;
  children(props: {
    id: string;
    'aria-invalid': boolean;
    'aria-describedby': string | undefined;
    className: string;
  }): ReactNode;
}

export function Field({ label, hint, fault = null, children }: FieldProps) {
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className={style.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': fault !== null,
        'aria-describedby': note ? `${id}-note` : undefined,
        className: style.input as string,
      })}
      {note ? (
        <span id={`${id}-note`} className={fault ? style.fault : style.hint}>
          {note}
        </span>
      ) : null}
    </div>
  );
}

/** Of a dialog; a field that was found wrong takes the focus, the first of them, and says why. */
export function AskForm({ onSubmit, children }: { onSubmit(): void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onSubmit();
        // Once what was found is drawn.
        setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      }}
    >
      {children}
    </form>
  );
}

interface ActDialogProps {
  title: string;
  hint?: ReactNode;
  /** On the button that does it. */
  confirm: string;
  isDangerous?: boolean;
  isRunning: boolean;
  /** What it is about has changed meanwhile: it stays with what is typed, and does nothing any more. */
  isGone?: boolean;
  /** Why the platform refused, if it did. */
  error: AskError | null;
  onSubmit(): void;
  onClose(): void;
  children?: ReactNode;
}

export function ActDialog(props: ActDialogProps) {
  const { title, hint, confirm, isDangerous = false, isRunning, error, onSubmit, onClose, children } = props;
  const isGone = props.isGone === true && !isRunning;
  return (
    <Dialog title={title} hint={hint} onClose={onClose}>
      <AskForm
        onSubmit={() => {
          if (!isRunning && !isGone) onSubmit();
        }}
      >
        {children}
        {isGone ? (
          <p className={style.note} data-tone="warn" role="alert">
            {words().faults.codes.invalidState}
          </p>
        ) : null}
        {error && !isGone ? <ActRefusal error={error} /> : null}
        <div className={style.dialogFoot}>
          <Button onClick={onClose}>{words().cancel}</Button>
          <Button type="submit" look={isDangerous ? 'danger' : 'primary'} disabled={isGone} aria-disabled={isRunning}>
            {isRunning ? words().working : confirm}
          </Button>
        </div>
      </AskForm>
    </Dialog>
  );
}

/** In the place of an act that was asked for, by an address or a button, and why it is not offered, by the graph's code. */
export function NotOffered({ why }: { why: string }) {
  return (
    <p className={style.note} data-tone="quiet" role="status">
      {refusalWord(why)}
    </p>
  );
}

/** A refusal in the middle of an act: why, or the way to sign in again and come back to here. */
export function ActRefusal({ error }: { error: AskError }) {
  const text = words().faults;
  if (refusalCodeOf(error) === 'freshSignInNeeded')
    return (
      <div className={style.note} data-tone="warn" role="alert">
        <p>{text.fresh}</p>
        <a className={style.button} href={signInHere(true)}>
          <LogIn aria-hidden />
          {text.signInAgain}
        </a>
      </div>
    );
  return (
    <div className={style.note} data-tone="bad" role="alert">
      <p>{sayRefusal(error)}</p>
    </div>
  );
}

/**
 * What a dialog was opened for, at first when it is possible; then it stays while the dialog is open (`key`: null while it is not), also when it can no longer be done.
 */
export function useHeld<What>(key: string | null, possible: What | undefined): { held: What | null; isGone: boolean } {
  const kept = useRef<{ key: string; what: What } | null>(null);
  if (key !== null && possible !== undefined) kept.current = { key, what: possible };
  if (kept.current?.key !== key) kept.current = null;
  const held = kept.current?.what ?? null;
  return { held, isGone: held !== null && possible === undefined };
}

/** As it was when the dialog that is open was opened: it never turns into its opposite under the hands. */
export function useAsOpened<What>(isOpen: boolean, present: What): What {
  const opened = useRef(present);
  if (!isOpen) opened.current = present;
  return opened.current;
}

/** Why something is done; kept for a way round by sign-in. */
export function useDraft(
  key: string,
  beginsWith = '',
): [value: string, set: (value: string) => void, forget: () => void] {
  const place = `draft ${key}`;
  const [value, setValue] = useState(() => sessionStorage.getItem(place) ?? beginsWith);
  return [
    value,
    (next) => {
      sessionStorage.setItem(place, next);
      setValue(next);
    },
    () => forgetDraft(key),
  ];
}

/** Once the act that it was for is done. */
export function forgetDraft(key: string): void {
  sessionStorage.removeItem(`draft ${key}`);
}

interface ReasonActProps extends Omit<ActDialogProps, 'onSubmit' | 'children'> {
  /** Absent: a word why is not needed. */
  draft?: string;
  /** Whether the fields before the reason are right; those that are not say so themselves. */
  isRight?(): boolean;
  onSubmit(reason: string): void;
  children?: ReactNode;
}

/** The dialog of an act that asks why. */
export function ReasonAct({ draft = '', isRight = () => true, onSubmit, children, ...rest }: ReasonActProps) {
  const [reason, setReason, forget] = useDraft(draft);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <ActDialog
      {...rest}
      onClose={() => {
        forget();
        rest.onClose();
      }}
      onSubmit={() => {
        // All that is wrong is told at once.
        const isWhole = isRight();
        if (!reason.trim()) setFault(words().faults.reason);
        else if (isWhole) onSubmit(reason.trim());
      }}
    >
      {children}
      <Field label={words().reason} hint={words().reasonHint} fault={fault}>
        {(field) => (
          <textarea
            {...field}
            value={reason}
            maxLength={500}
            onChange={({ target }) => {
              setReason(target.value);
              setFault(null);
            }}
          />
        )}
      </Field>
    </ActDialog>
  );
}
