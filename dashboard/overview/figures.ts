// What the tiles are made of: the person's day in hours beside the same weekday a week ago, and how the two compare.
import { printPercent } from '../kit/count';
import { decimalsOf } from '../kit/money';
import { hourDigits } from '../strings/hour-digits';
import { locale, timeZone } from '../strings/language';
import type { FiguresTodayQuery } from './queries';

const hourMs = 3_600_000;
const hoursPerDay = 24;
const weekMs = 7 * hoursPerDay * hourMs;

export interface Range {
  from: string;
  to: string;
}

/** The person's today and the same day a week ago, whole, and how many of its hours are over. */
export interface Days {
  today: Range;
  before: Range;
  /** The same part of the day a week ago as is over of today. */
  beforeUntilNow: Range;
  hoursOver: number;
}

/** Figures are kept by hours of UTC: a zone that is half an hour off has its day begin at the hour before. */
export function daysAt(now: Date): Days {
  const start = Math.floor((now.getTime() - sinceMidnightMs(now)) / hourMs) * hourMs;
  const hoursOver = Math.floor((now.getTime() - start) / hourMs);
  const range = (from: number, hours: number) => ({
    from: new Date(from).toISOString(),
    to: new Date(from + hours * hourMs).toISOString(),
  });
  return {
    today: range(start, hoursPerDay),
    before: range(start - weekMs, hoursPerDay),
    beforeUntilNow: range(start - weekMs, Math.max(1, hoursOver)),
    hoursOver,
  };
}

function sinceMidnightMs(now: Date): number {
  const shape = {
    timeZone: timeZone(),
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  } as const;
  const parts = new Intl.DateTimeFormat('en', shape).formatToParts(now);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return ((of('hour') * 60 + of('minute')) * 60 + of('second')) * 1_000 + now.getMilliseconds();
}

type Row = FiguresTodayQuery['today']['rows'][number];

export interface Hour {
  approved: number;
  declined: number;
  /** By currency. */
  captured: Map<string, bigint>;
  /** How often, by currency. */
  captures: Map<string, number>;
}

function emptyHour(): Hour {
  return { approved: 0, declined: 0, captured: new Map(), captures: new Map() };
}

/** One for each hour of the day, with or without figures. */
export function hoursOf(rows: readonly Row[], { from }: Range): Hour[] {
  const hours = Array.from({ length: hoursPerDay }, emptyHour);
  for (const { start, group, approved, declined, captured } of rows) {
    const hour = hours[Math.round((Date.parse(start) - Date.parse(from)) / hourMs)];
    if (!hour) continue;
    hour.approved += approved;
    hour.declined += declined;
    for (const { currency, minor } of captured.volume)
      hour.captured.set(currency, (hour.captured.get(currency) ?? 0n) + BigInt(minor));
    if (group.currency && captured.count > 0)
      hour.captures.set(group.currency, (hour.captures.get(group.currency) ?? 0) + captured.count);
  }
  return hours;
}

export function sumOf(hours: readonly Hour[]): Hour {
  const sum = emptyHour();
  for (const { approved, declined, captured, captures } of hours) {
    sum.approved += approved;
    sum.declined += declined;
    for (const [currency, minor] of captured) sum.captured.set(currency, (sum.captured.get(currency) ?? 0n) + minor);
    for (const [currency, count] of captures) sum.captures.set(currency, (sum.captures.get(currency) ?? 0) + count);
  }
  return sum;
}

/** Null: nothing was decided. */
export function rateOf({ approved, declined }: Pick<Hour, 'approved' | 'declined'>): number | null {
  return approved + declined === 0 ? null : approved / (approved + declined);
}

/** The currency that most was captured in: on the first of the days that has any, by how often, then by how much, then by name. */
export function mainCurrency(...days: readonly (readonly Hour[])[]): string | null {
  const { captured, captures } = days.map(sumOf).find((day) => day.captured.size > 0) ?? emptyHour();
  const often = (currency: string) => captures.get(currency) ?? 0;
  const much = (currency: string) => Number(captured.get(currency)) / 10 ** decimalsOf(currency);
  const sorted = [...captured.keys()].sort(
    (one, other) => often(other) - often(one) || much(other) - much(one) || (one < other ? -1 : 1),
  );
  return sorted[0] ?? null;
}

export function printShare(share: number | null): string {
  return share === null ? '–' : printPercent(share);
}

/** With its sign; null where there is nothing to compare with. */
export function printChange(now: number, before: number): string | null {
  if (before === 0) return null;
  const shape = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  return new Intl.NumberFormat(locale(), shape).format(now / before - 1);
}

export function printPoints(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const shape = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  return new Intl.NumberFormat(locale(), shape).format((now - before) * 100);
}

export function printDuration(ms: number): string {
  const isLong = ms >= 1_000;
  const shape = { style: 'unit', unit: isLong ? 'second' : 'millisecond', unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(locale(), { ...shape, maximumFractionDigits: 1 }).format(isLong ? ms / 1_000 : ms);
}

export function printHour(from: string, index: number): string {
  const at = new Date(Date.parse(from) + index * hourMs);
  const shape = { hour: hourDigits(locale()), minute: '2-digit', timeZone: timeZone() } as const;
  return new Intl.DateTimeFormat(locale(), shape).format(at);
}

export function printWeekday(at: string): string {
  const shape = { weekday: 'short', day: 'numeric', month: 'short', timeZone: timeZone() } as const;
  return new Intl.DateTimeFormat(locale(), shape).format(new Date(at));
}
