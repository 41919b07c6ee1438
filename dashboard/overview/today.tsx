// Today in figures, each beside the same weekday a week ago: volume, approval, payments by hour, and the callbacks' health.
import { useState } from 'react';
import { useAsk } from '../graph/ask';
import { platformNow } from '../graph/platform-clock';
import { printCount } from '../kit/count';
import { decimalsOf, printMoney } from '../kit/money';
import { PartRefused } from '../kit/states';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { Declines } from './breakdowns';
import {
  type Days,
  daysAt,
  type Hour,
  hoursOf,
  mainCurrency,
  printChange,
  printDuration,
  printHour,
  printPoints,
  printShare,
  printWeekday,
  rateOf,
  sumOf,
} from './figures';
import style from './figures.module.css';
import { HourChart } from './hour-chart';
import { useNews } from './news';
import { CallbackFigures, FiguresToday } from './queries';
import { Tile } from './tile';

export function Today() {
  const [days, setDays] = useState(() => daysAt(platformNow()));
  useNews(['payments'], () =>
    setDays((known) => {
      const next = daysAt(platformNow());
      return next.hoursOver === known.hoursOver && next.today.from === known.today.from ? known : next;
    }),
  );
  const text = words().overview.figures;
  const mayCallbacks = useMay('callbacks:read');
  const { data, error, again } = useAsk(FiguresToday, { today: days.today, before: days.before });
  useNews(['payments'], again);
  const today = data ? hoursOf(data.today.rows, days.today).slice(0, days.hoursOver + 1) : null;
  const before = data ? hoursOf(data.before.rows, days.before) : null;
  const whole = data?.whole.rows[0];
  const share = whole?.authentication.challengeRate ?? null;
  // Four of them are one answer: said once.
  const isUnread = error !== undefined && !data;
  return (
    <section aria-label={text.today} className={style.section}>
      <h2 className={style.heading}>
        {text.today} <span className={style.beside}>{text.compared(printWeekday(days.before.from))}</span>
      </h2>
      {isUnread ? <PartRefused error={error} retry={again} /> : null}
      <div className={style.tiles}>
        {isUnread ? null : (
          <>
            <VolumeTile days={days} today={today} before={before} />
            <RateTile days={days} today={today} before={before} challengeRate={share} />
          </>
        )}
        {mayCallbacks ? <CallbackTile days={days} /> : null}
      </div>
      {isUnread ? null : (
        <div className={style.pair}>
          <PaymentsTile days={days} today={today} before={before} />
          <Declines reasons={whole?.declines ?? null} />
        </div>
      )}
    </section>
  );
}

interface Parts {
  days: Days;
  /** The hours that have begun; null: not known yet. */
  today: readonly Hour[] | null;
  before: readonly Hour[] | null;
}

/** What is over of today, and the same part of the day before: only these can be compared. */
function compared({ days, today, before }: Parts): [Hour, Hour] {
  return [sumOf(today?.slice(0, days.hoursOver) ?? []), sumOf(before?.slice(0, days.hoursOver) ?? [])];
}

function hourNames({ before }: Days): string[] {
  return Array.from({ length: 24 }, (_, index) => printHour(before.from, index));
}

function VolumeTile(parts: Parts) {
  const { days, today, before } = parts;
  const text = words().overview.figures;
  const currency = mainCurrency(today ?? [], before ?? []) ?? 'EUR';
  const sum = today ? sumOf(today) : null;
  const others = [...(sum?.captured ?? [])].filter(([other]) => other !== currency);
  const [now, then] = compared(parts);
  const of = (hour: Hour) => Number(hour.captured.get(currency) ?? 0n) / 10 ** decimalsOf(currency);
  const change = printChange(of(now), of(then));
  return (
    <Tile
      title={text.volume}
      to="/payments"
      value={sum ? printMoney(String(sum.captured.get(currency) ?? 0n), currency) : null}
      change={change}
      isGood={change === null ? null : of(now) >= of(then)}
      note={
        others.length > 0
          ? text.alsoIn(others.map(([other, minor]) => printMoney(String(minor), other)).join(', '))
          : sum && sum.captured.size === 0
            ? text.nothing
            : null
      }
    >
      <HourChart
        title={text.volume}
        hours={hourNames(days)}
        today={(today ?? []).map(of)}
        before={(before ?? []).map(of)}
        print={(value) => printMoney(String(Math.round(value * 10 ** decimalsOf(currency))), currency)}
      />
    </Tile>
  );
}

function RateTile({ challengeRate, ...parts }: Parts & { challengeRate: number | null }) {
  const { days, today, before } = parts;
  const text = words().overview.figures;
  const [now, then] = compared(parts);
  const points = printPoints(rateOf(now), rateOf(then));
  const percentOf = (hour: Hour) => {
    const rate = rateOf(hour);
    return rate === null ? null : rate * 100;
  };
  return (
    <Tile
      title={text.approvalRate}
      to="/payments"
      value={today ? printShare(rateOf(sumOf(today))) : null}
      change={points === null ? null : text.points(points)}
      isGood={points === null ? null : (rateOf(now) ?? 0) >= (rateOf(then) ?? 0)}
      note={challengeRate === null ? null : text.challenged(printShare(challengeRate))}
    >
      <HourChart
        title={text.approvalRate}
        hours={hourNames(days)}
        today={(today ?? []).map(percentOf)}
        before={(before ?? []).map(percentOf)}
        print={(value) => printShare(value / 100)}
      />
    </Tile>
  );
}

function PaymentsTile(parts: Parts) {
  const { days, today, before } = parts;
  const text = words().overview.figures;
  const [now, then] = compared(parts);
  const change = printChange(now.approved, then.approved);
  const hours = hourNames(days);
  return (
    <Tile
      title={text.payments}
      to="/payments"
      value={today ? printCount(sumOf(today).approved) : null}
      change={change}
      isGood={change === null ? null : now.approved >= then.approved}
    >
      <HourChart
        title={text.byHour}
        hours={hours}
        today={(today ?? []).map(({ approved }) => approved)}
        before={(before ?? []).map(({ approved }) => approved)}
        print={printCount}
        isTall
      />
      <p className={style.axis} aria-hidden>
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{hours[hour]}</span>
        ))}
        <span>{hours[0]}</span>
      </p>
    </Tile>
  );
}

function CallbackTile({ days }: { days: Days }) {
  const text = words().overview.figures;
  const { data, error, again } = useAsk(CallbackFigures, { today: days.today, before: days.beforeUntilNow });
  useNews(['callbacks', 'endpoints', 'payments'], again);
  const [today, before] = [data?.today.rows[0]?.callbacks, data?.before.rows[0]?.callbacks];
  const rate = today?.successRate ?? null;
  const points = printPoints(rate, before?.successRate ?? null);
  const p95Ms = today?.p95Ms ?? null;
  return (
    <Tile
      title={text.callbacks}
      to="/callbacks"
      error={error}
      retry={again}
      value={data ? printShare(rate) : null}
      change={points === null ? null : text.points(points)}
      isGood={points === null ? null : (rate ?? 0) >= (before?.successRate ?? 0)}
      note={data ? (p95Ms === null ? text.noCallbacks : text.answeredWithin(printDuration(p95Ms))) : null}
    />
  );
}
