// What those who wait for the same payment have just seen of it: a request that had come before they looked need not look again (many captures at once).
import type { Caller } from '../../shared/callers/caller';
import type { ExclusiveNotes } from '../money/keyed-mutex';
import { ownFilter } from '../operations/operation.repository';
import type { Payment } from './payment';

interface Seen {
  payment: Payment;
  /** The payment was so at this moment or later; performance.now(). */
  sinceMs: number;
}

/** Leaves it to the next in turn; one caller's sight is never another's. */
export function leaveSeen(notes: ExclusiveNotes, caller: Caller, seen: Seen): void {
  notes.set(nameOf(caller), seen);
}

/** The payment as it was seen since `arrivedMs`; null when nobody has looked since. What is saved upon it is still judged by its version. */
export function seenSince(notes: ExclusiveNotes, caller: Caller, arrivedMs: number): Payment | null {
  const seen = notes.get(nameOf(caller)) as Seen | undefined;
  return seen && seen.sinceMs >= arrivedMs ? seen.payment : null;
}

function nameOf(caller: Caller): string {
  return `seen ${JSON.stringify(ownFilter(caller))}`;
}
