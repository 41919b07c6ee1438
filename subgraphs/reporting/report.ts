// The rules of the reporting parameters: dates, currencies, pages (reporting interface; page-size bounds of 2.3-C of the decision register).
import { DomainError } from '../shared/errors';
import { isCurrency } from '../shared/money';
import { daysOf, isDay } from './journal/journal';

export const rangeDaysMax = 366;
const pageSizeDefault = 100;
const pageSizeMax = 500;
const int32Max = 2_147_483_647;

export const reportSortDirections = ['asc', 'desc'] as const;
export type ReportSortDirection = (typeof reportSortDirections)[number];

export interface DateRange {
  fromDate: string;
  toDate: string;
}

/** Both inclusive, at most 366 days. Refuses with `dateRangeInvalid`. */
export function assertRange({ fromDate, toDate }: DateRange): void {
  const refuse = (field: string, message: string) => {
    throw new DomainError('dateRangeInvalid', message, { field });
  };
  if (!isDay(fromDate)) refuse('fromDate', 'fromDate is not a date as RFC 3339 writes it, for example 2026-01-31.');
  if (!isDay(toDate)) refuse('toDate', 'toDate is not a date as RFC 3339 writes it, for example 2026-01-31.');
  if (fromDate > toDate) refuse('fromDate', 'fromDate lies after toDate.');
  if (daysOf(fromDate, toDate) > rangeDaysMax) refuse('toDate', `The range is longer than ${rangeDaysMax} days.`);
}

export interface ReportPage {
  skip: number;
  size: number;
}

/** Refuses with `pageBoundsInvalid`. */
export function readPageQuery(asked: { pageNumber?: number | null; pageSize?: number | null }): ReportPage {
  const { pageNumber, pageSize } = { pageNumber: asked.pageNumber ?? 0, pageSize: asked.pageSize ?? pageSizeDefault };
  if (!Number.isInteger(pageNumber) || pageNumber < 0 || pageNumber > int32Max)
    throw new DomainError('pageBoundsInvalid', 'pageNumber is a whole number from 0.', { field: 'pageNumber' });
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > pageSizeMax)
    throw new DomainError('pageBoundsInvalid', `pageSize is a whole number from 1 to ${pageSizeMax}.`, {
      field: 'pageSize',
    });
  return { skip: pageNumber * pageSize, size: pageSize };
}

/** Refuses with `currencyInvalid`; known but unused ones are simply empty. */
export function assertCurrencies(field: string, codes: readonly string[]): void {
  const unknown = codes.find((code) => !isCurrency(code));
  if (unknown !== undefined)
    throw new DomainError('currencyInvalid', 'It is not an ISO 4217 alphabetic code.', { field });
}
