// Two lines of a row on a phone, each with something at either end.
import type { ReactNode } from 'react';
import style from '../kit/kit.module.css';

export function Pair({ start, end }: { start: ReactNode; end: ReactNode }) {
  return (
    <span className={style.pair}>
      <span className="ellipsis">{start}</span>
      <span className="nowrap">{end}</span>
    </span>
  );
}
