// Counts as bars, each with its name and number as text.
import { printCount } from '../kit/count';
import style from './figures.module.css';

export interface Bar {
  key: string;
  name: string;
  count: number;
  /** What is beside the number, such as a share. */
  more?: string;
  tone?: 'bad' | 'good';
}

export function Bars({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    // A list without marks is none to some who hear it, unless it says so.
    // biome-ignore lint/a11y/noRedundantRoles: as said
    <ul className={style.bars} role="list">
      {bars.map(({ key, name, count, more, tone }) => (
        <li key={key}>
          <span className="ellipsis">
            {name}
            <span className="heard">: </span>
          </span>
          <span className={`number ${style.counted}`}>
            {printCount(count)}
            {more ? <span className="faint"> {more}</span> : null}
          </span>
          <span className={style.rail} aria-hidden>
            <span style={{ width: `${(count / most) * 100}%` }} data-tone={tone} />
          </span>
        </li>
      ))}
    </ul>
  );
}
