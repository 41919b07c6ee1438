// A day by hours as a line over that of a week ago: each hour is told to who points at it, and as a table to those who hear it.
import { useState } from 'react';
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
  const [at, setAt] = useState<number | null>(null);
  const most = Math.max(1, ...[...today, ...before].map((value) => value ?? 0));
  const x = (index: number) => (index / Math.max(1, hours.length - 1)) * width;
  const share = (index: number) => (x(index) / width) * 100;
  const y = (value: number) => height - 1 - (value / most) * (height - 3);
  const line = (values: readonly (number | null)[]) =>
    values.flatMap((value, index) => (value === null ? [] : `${x(index)},${y(value)}`)).join(' ');
  const told = today.flatMap((value, index) => (value === null ? [] : index));
  const [first, last] = [told[0] ?? 0, told.at(-1) ?? 0];
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? '–' : print(value));
  return (
    <div className={isTall ? style.tall : style.spark}>
      {isTall && told.length > 0 ? <span className={style.most}>{print(most)}</span> : null}
      {at === null ? null : (
        <span className={style.told} style={{ left: `${share(at)}%`, translate: `-${share(at)}%` }}>
          {hours[at]}: <strong>{shown(today[at])}</strong> · {text.before}: {shown(before[at])}
        </span>
      )}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden
        onPointerMove={({ currentTarget, clientX }) => {
          const box = currentTarget.getBoundingClientRect();
          const place = Math.round(((clientX - box.left) / box.width) * (hours.length - 1));
          setAt(Math.max(0, Math.min(place, hours.length - 1)));
        }}
        onPointerLeave={() => setAt(null)}
      >
        {at === null ? null : <line className={style.at} x1={x(at)} x2={x(at)} y1={0} y2={height} />}
        <polyline className={style.before} points={line(before)} />
        <polygon className={style.area} points={`${x(first)},${height} ${line(today)} ${x(last)},${height}`} />
        <polyline className={style.today} points={line(today)} />
        {told.length === 1 ? <polyline className={style.point} points={`${line(today)} ${line(today)}`} /> : null}
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
