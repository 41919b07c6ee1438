// Counts as people write them.
import type { Total } from '../graph/pages';
import { locale, words } from '../strings/language';

export function printCount(count: number): string {
  return new Intl.NumberFormat(locale()).format(count);
}

/** Of a part of one. */
export function printPercent(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** With a mark where there may be more. */
export function printTotal({ value, isExact }: Total): string {
  return isExact ? printCount(value) : `${printCount(value)}+`;
}

/** In words. */
export function sayTotal({ value, isExact }: Total): string {
  const count = printCount(value);
  return isExact ? words().totals.exact(count) : words().totals.atLeast(count);
}
