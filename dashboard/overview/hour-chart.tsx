// A day by hours as a line over that of a week ago, and as a table for those who hear it.
import { words } from '../strings/language';
import style from './figures.module.css';

interface Props {
  title: string;
  /** What each hour is called. */
  hours: readonly string[];
  /** So many of them as have begun; null: there is nothing to tell of the hour. */
  today: readonly (number | null)[];
  before: readonly (number | null)[];
  print(value: number): string;
  isTall?: boolean;
}

const [width, height] = [240, 48];

export function HourChart({ title, hours, today, before, print, isTall = false }: Props) {
  const text = words().overview.figures;
  const most = Math.max(1, ...[...today, ...before].map((value) => value ?? 0));
  const x = (index: number) => (index / Math.max(1, hours.length - 1)) * width;
  const y = (value: number) => height - 1 - (value / most) * (height - 3);
  const line = (values: readonly (number | null)[]) =>
    values.flatMap((value, index) => (value === null ? [] : `${x(index)},${y(value)}`)).join(' ');
  const told = today.flatMap((value, index) => (value === null ? [] : index));
  const [first, last] = [told[0] ?? 0, told.at(-1) ?? 0];
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? '–' : print(value));
  return (
    <div className={isTall ? style.tall : style.spark}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <polyline className={style.before} points={line(before)} />
        <polygon className={style.area} points={`${x(first)},${height} ${line(today)} ${x(last)},${height}`} />
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
              <td>{shown(today[index])}</td>
              <td>{shown(before[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
