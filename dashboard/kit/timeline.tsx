// What happened, one thing below the other, oldest first.
import type { ReactNode } from 'react';
import { Go } from './go';
import style from './timeline.module.css';
import type { Tone } from './tone';
import { When } from './when';

export interface Moment {
  key: string;
  at: string;
  tone: Tone;
  title: string;
  /** Where it is shown whole. */
  to?: string;
  /** Where it happened, such as the acquirer. */
  place?: string;
  detail?: ReactNode;
}

export function Timeline({ moments }: { moments: readonly Moment[] }) {
  const sorted = [...moments].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return (
    <ol className={style.line}>
      {sorted.map(({ key, at, tone, title, to, place, detail }) => (
        <li key={key} className={style.moment} data-tone={tone}>
          <span className={style.when}>
            <When at={at} shape="clock" />
          </span>
          <div className={style.what}>
            <span className={style.title}>
              {to ? <Go to={to}>{title}</Go> : title}
              {place ? <span className={style.place}>{place}</span> : null}
            </span>
            {detail ? <span className={style.detail}>{detail}</span> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
