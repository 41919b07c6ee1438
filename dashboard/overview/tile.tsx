// One figure of today: what it is, how it has changed, and a line of it by hour.
import type { ReactNode } from 'react';
import type { AskError } from '../graph/refusal-code';
import { Go } from '../kit/go';
import { PartRefused, Skeleton } from '../kit/states';
import { words } from '../strings/language';
import style from './figures.module.css';

interface Props {
  title: string;
  to: string;
  /** Null: not known yet. */
  value: string | null;
  /** With its sign; null: there is nothing to compare with. */
  change?: string | null;
  /** Whether the change is for the better; null: neither. */
  isGood?: boolean | null;
  note?: string | null;
  error?: AskError | null | undefined;
  retry?: (() => void) | undefined;
  children?: ReactNode;
}

export function Tile({ title, to, value, change = null, isGood = null, note = null, error, retry, children }: Props) {
  const tone = isGood === null ? 'none' : isGood ? 'good' : 'bad';
  return (
    <section className={style.tile} aria-label={title}>
      <Go to={to} className={style.title}>
        {title}
      </Go>
      {error && value === null ? <PartRefused error={error} retry={retry} /> : null}
      {value === null && !error ? (
        <div className={style.line} aria-busy="true" role="status" aria-label={words().loading}>
          <Skeleton width="55%" />
        </div>
      ) : null}
      {value === null ? null : (
        <p className={style.line}>
          <span className={`number ${style.value}`}>{value}</span>
          {change === null ? null : (
            <span className={`number ${style.change}`} data-tone={tone}>
              {change}
            </span>
          )}
        </p>
      )}
      <p className={style.note}>{note}</p>
      {children}
    </section>
  );
}
