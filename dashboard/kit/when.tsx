// A moment in the person's zone: short in rows, whole on hover and for those who hear it.
import { platformNow } from '../graph/platform-clock';
import { hourDigits } from '../strings/hour-digits';
import { locale, timeZone } from '../strings/language';
import { None } from './none';

const shapes = {
  row: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  clock: { timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
  /** Of what is kept by the hour. */
  hour: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** Whole, with the name of the zone: what a row leaves out. */
  whole: {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'long',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

function printMoment(at: string, shape: keyof typeof shapes = 'row'): string {
  const key = `${locale()} ${timeZone()} ${shape}`;
  const chosen: Intl.DateTimeFormatOptions = shapes[shape];
  const hour = chosen.hour && hourDigits(locale());
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), { ...chosen, hour, timeZone: timeZone() });
  formats.set(key, format);
  return format.format(new Date(at));
}

/** The time of day of what is counted in milliseconds. */
export function printClock(at: number): string {
  return printMoment(new Date(at).toISOString(), 'clock');
}

/** `recent`: to the second today, with its day before. */
type Shape = keyof typeof shapes | 'recent';

export function When({ at, shape = 'row' }: { at: string | null | undefined; shape?: Shape }) {
  if (!at) return <None />;
  return (
    <time dateTime={at} title={printMoment(at, 'whole')} className="number nowrap">
      {printMoment(at, shape === 'recent' ? recentShape(at) : shape)}
    </time>
  );
}

function recentShape(at: string): keyof typeof shapes {
  const today = printMoment(platformNow().toISOString(), 'day');
  return printMoment(at, 'day') === today ? 'clock' : 'row';
}

/** A day of the books, which has no zone: as YYYY-MM-DD names it. */
export function printBookDay(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

export function BookDay({ day }: { day: string }) {
  return (
    <time dateTime={day} className="number nowrap">
      {printBookDay(day)}
    </time>
  );
}
