// Two lines of a row on a phone, each with something at either end.
import type { ReactNode } from 'react';
import style from '../kit/kit.module.css';

/** `isStartFirst`: where there is not room for both, the end gives way. */
export function Pair({ start, end, isStartFirst }: { start: ReactNode; end: ReactNode; isStartFirst?: boolean }) {
  return (
    <span className={style.pair}>
      <span className={isStartFirst ? `ellipsis ${style.pairFirst}` : 'ellipsis'}>{start}</span>
      <span className={isStartFirst ? 'ellipsis' : 'nowrap'}>{end}</span>
    </span>
  );
}
