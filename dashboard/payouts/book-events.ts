// What in the log changes the books.
import { typesOf } from '../live/feed-kinds';

/** Entries themselves are not in the log: what is booked is. */
export const bookEvents: readonly string[] = [...typesOf('payments'), ...typesOf('payouts'), ...typesOf('ledger')];
