// Calendar formats of the documents: MMYYYY months and YYYYMMDDhhmmss instants in UTC (tokenization interface), ISO 8601 at +01:00 (payment interface).

/** True for a calendar-shaped MMYYYY: six digits, month 01 to 12. */
export function isMonthYear(value: string): boolean {
  return /^(0[1-9]|1[0-2])\d{4}$/.test(value);
}

/** The first instant after the last day of that month, UTC. */
export function endOfMonth(monthYear: string): Date {
  return new Date(Date.UTC(Number(monthYear.slice(2)), Number(monthYear.slice(0, 2)), 1));
}

export function printMonthYear(date: Date): string {
  return `${String(date.getUTCMonth() + 1).padStart(2, '0')}${date.getUTCFullYear()}`;
}

/** Adds whole months to MMYYYY. */
export function addMonths(monthYear: string, months: number): string {
  return printMonthYear(new Date(Date.UTC(Number(monthYear.slice(2)), Number(monthYear.slice(0, 2)) - 1 + months, 1)));
}

/** The instant of YYYYMMDDhhmmss (UTC), or null when such a date or time of day does not exist. */
export function parseCompactInstant(value: string): Date | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(value);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const same =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  return same ? date : null;
}

const fixedOffsetMs = 3_600_000;

/** ISO 8601 at the fixed offset +01:00 that the payment interface assumes all year, for example `2026-01-31T13:00:00.000+01:00`. */
export function printFixedOffset(date: Date): string {
  return new Date(date.getTime() + fixedOffsetMs).toISOString().replace('Z', '+01:00');
}

/** Reads an ISO 8601 date or date-time; without an offset it is at +01:00. Null for what is none, or for a day that does not exist. */
export function parseFixedOffset(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  if (!match) return null;
  const [, day = '', time = '00:00:00', offset = '+01:00'] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null;
  const date = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(date.getTime()) ? null : date;
}
