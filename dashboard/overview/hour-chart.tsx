// A day by hours as a line over that of a week ago, and as a table for those who hear it.
import { words } from '../strings/language';
import style from './figures.module.css';

interface Props {
  title: string;
  /** What each hour is called. */
  hours: readonly string[];
  /** So many of them as have begun. */
  today: readonly number[];
  before: readonly number[];
  print(value: number): string;
  isTall?: boolean;
}

const [width, height] = [240, 48];

export function HourChart({ title, hours, today, before, print, isTall = false }: Props) {
  const text = words().overview.figures;
  const most = Math.max(1, ...today, ...before);
  const x = (index: number) => (index / Math.max(1, hours.length - 1)) * width;
  const y = (value: number) => height - 1 - (value / most) * (height - 3);
  const line = (values: readonly number[]) => values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  const last = Math.max(0, today.length - 1);
  return (
    <div className={isTall ? style.tall : style.spark}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <polyline className={style.before} points={line(before)} />
        <polygon className={style.area} points={`0,${height} ${line(today)} ${x(last)},${height}`} />
        <polyline className={style.today} points={line(today)} />
      </svg>
      <table className="heard">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{text.hour}</th>
            <th scope="col">{text.today}</th>
            <th scope="col">{text.before}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map((hour, index) => (
            <tr key={hour}>
              <th scope="row">{hour}</th>
              <td>{index < today.length ? print(today[index] ?? 0) : '–'}</td>
              <td>{print(before[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
