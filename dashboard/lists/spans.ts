// A time that a list is narrowed to, as it stands in the address: the last day, week or month, or days of the person's own choice.
import { platformNow } from '../graph/platform-clock';

const dayMs = 86_400_000;
export const spans = { day: 1, week: 7, month: 30 } as const;

/** `2026-11-01..2026-11-05` in this order, of which either day may be missing. */
export function isDays(word: string): boolean {
  const days = word.split('..');
  const isDay = (day: string) => /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  const isWhole = days.length === 2 && days.some((day) => day !== '') && days.every((day) => day === '' || isDay(day));
  return isWhole && !isReversed(days);
}

function isReversed([first = '', last = '']: readonly string[]): boolean {
  return first !== '' && last !== '' && first > last;
}

/** That, or a span by its name. */
export function isSpan(word: string): boolean {
  return Object.hasOwn(spans, word) || isDays(word);
}

export interface ChosenDays {
  first: string;
  last: string;
}

/** Null: no days of one's own choice. */
export function chosenDaysOf(since: string | undefined): ChosenDays | null {
  if (!since || !isDays(since)) return null;
  const [first = '', last = ''] = since.split('..');
  return { first, last };
}

/** When a span begins and when it is over, that moment included, days as the zone has them; to the minute, so that a redrawn screen asks the same. */
export function spanOf(since: string | undefined, zone: string): { from: string | null; to: string | null } {
  const days = chosenDaysOf(since);
  if (days)
    return {
      from: days.first ? midnightOf(days.first, 0, zone).toISOString() : null,
      to: days.last ? new Date(midnightOf(days.last, 1, zone).getTime() - 1).toISOString() : null,
    };
  return { from: momentIn(-(spans[since as keyof typeof spans] ?? 0)), to: null };
}

/** To the minute, so that a redrawn screen asks the same; null: no days at all. */
export function momentIn(days: number): string | null {
  return days === 0
    ? null
    : new Date(Math.floor(platformNow().getTime() / 60_000) * 60_000 + days * dayMs).toISOString();
}

/** When a day begins in a zone, or so many days after it. */
function midnightOf(day: string, daysLater: number, zone: string): Date {
  return shownIn(zone, new Date(`${day}T00:00:00Z`).getTime() + daysLater * dayMs);
}

/** When the clocks of a zone show `2026-11-01T09:30`; null: that is no time. */
export function momentOf(shown: string, zone: string): Date | null {
  const utc = new Date(`${shown}Z`).getTime();
  return Number.isNaN(utc) ? null : shownIn(zone, utc);
}

/** What the clocks of a zone show at a moment, to the minute, as a field for date and time takes it. */
export function clockOf(at: Date, zone: string): string {
  return new Date(at.getTime() + zoneAheadMs(at.getTime(), zone)).toISOString().slice(0, 16);
}

/** When a zone shows what is shown in UTC at another moment. */
function shownIn(zone: string, utc: number): Date {
  // Once more with the first answer: a zone's clocks may be put back or forth in between.
  const guess = utc - zoneAheadMs(utc, zone);
  return new Date(utc - zoneAheadMs(guess, zone));
}

function zoneAheadMs(at: number, zone: string): number {
  const shape = { hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium', timeZone: zone } as const;
  // The locale that writes a moment as YYYY-MM-DD HH:MM:SS.
  const told = new Intl.DateTimeFormat('sv', shape).format(new Date(at)).replace(' ', 'T');
  return new Date(`${told}Z`).getTime() - Math.floor(at / 1000) * 1000;
}
