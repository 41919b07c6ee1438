// What a screen shows when it has nothing, not yet, no right or no answer.
import { Inbox, Lock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type AskError, refusalCodeOf } from '../graph/refusal-code';
import { words } from '../strings/language';
import { Button } from './button';
import style from './kit.module.css';
import { sayRefusal } from './refusal-word';
import { printClock } from './when';

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={style.state}>
      <Inbox aria-hidden />
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
    </div>
  );
}

/** A refusal or a failure, with what can be done about it. */
export function RefusedNote({ error, retry }: { error: AskError; retry?: () => void }) {
  const text = words().faults;
  if (refusalCodeOf(error) === 'forbidden') return <NoRight />;
  return (
    <div className={style.state} role="alert">
      <TriangleAlert aria-hidden />
      <h2>{text.failed}</h2>
      <p>{readRefusal(error)}</p>
      {retry ? <Button onClick={retry}>{text.again}</Button> : null}
    </div>
  );
}

/** Where somebody may see nothing of what a place has. */
export function NoRight() {
  const text = words().faults;
  return (
    <div className={style.state} role="alert">
      <Lock aria-hidden />
      <h2>{text.forbidden}</h2>
      <p>{text.forbiddenHint}</p>
    </div>
  );
}

/** Of a part of a screen that could not be read, beside others that could. */
export function PartRefused({ error, retry }: { error: AskError; retry?: (() => void) | undefined }) {
  const code = refusalCodeOf(error);
  return (
    <div className={style.partRefused} role="alert">
      <span>{readRefusal(error)}</span>
      {retry && code !== 'forbidden' ? <Button onClick={retry}>{words().faults.again}</Button> : null}
    </div>
  );
}

/** Nothing was to be done, so nothing is said of what may have been. */
function readRefusal(error: AskError): string {
  return refusalCodeOf(error) === 'network' ? words().faults.network : sayRefusal(error);
}

export function Skeleton({ width = '100%' }: { width?: string }) {
  return <span className={style.skeleton} style={{ width }} aria-hidden />;
}

export function SkeletonLines({ count = 5 }: { count?: number }) {
  return (
    <div className={style.section} aria-busy="true" role="status" aria-label={words().loading}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without a self
        <Skeleton key={index} width={`${92 - ((index * 17) % 45)}%`} />
      ))}
    </div>
  );
}

/** Over what is shown but could not be read again: since when it is old. */
export function Stale({ readAt, retry }: { readAt: number; retry(): void }) {
  const text = words().faults;
  return (
    <div className={style.stale} role="status">
      <TriangleAlert aria-hidden />
      <span>{text.stale(printClock(readAt))}</span>
      <Button onClick={retry}>{text.again}</Button>
    </div>
  );
}
