// What is due, asked so that a partial index of what has a date at all can answer: a comparison with a date alone does not tell MongoDB that there is one,
// and it would walk over everything that was ever due.
import { trusted } from 'mongoose';

/** A date, of then or before. */
export function dueBy(time: Date) {
  return trusted({ $type: 'date', $lte: time } as const);
}
