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
  const code = refusalCodeOf(error);
  const isForbidden = code === 'forbidden';
  return (
    <div className={style.state} role="alert">
      {isForbidden ? <Lock aria-hidden /> : <TriangleAlert aria-hidden />}
      <h2>{isForbidden ? text.forbidden : text.failed}</h2>
      <p>{isForbidden ? text.forbiddenHint : code === 'network' ? text.network : sayRefusal(error)}</p>
      {retry && !isForbidden ? <Button onClick={retry}>{text.again}</Button> : null}
    </div>
  );
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
