// Filters of lists: what every one may say, and text as a pattern of the database.
import { DomainError } from './errors';

/** Most values of one list of a filter. */
const valuesMax = 20;

/** Refuses with `invalidInput` a list of more values than one question may have. */
export function assertLists(filter: object): void {
  for (const [field, values] of Object.entries(filter))
    if (Array.isArray(values) && values.length > valuesMax)
      throw new DomainError('invalidInput', `${field} has more than ${valuesMax} values`, { field });
}

/** Refuses with `timesReversed`. */
export function assertTimes(from: Date | null | undefined, to: Date | null | undefined, field: string): void {
  if (from && to && from > to) throw new DomainError('timesReversed', undefined, { field });
}

/** A pattern that matches the text itself. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
