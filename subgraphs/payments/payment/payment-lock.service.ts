// Whose turn it is on a payment: one at a time within a process, quiet before a decision, and what the one before has just seen (payment interface; 2.2-A of the decision register).
import type { Caller } from '../../shared/callers/caller';
import { createDeadline, inTime } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import { ownFilter } from '../operations/operation.repository';
import type { Payment, PaymentEntry } from './payment';
import type { PaymentRepository } from './payment.repository';

interface PaymentLockDeps {
  payments: Pick<PaymentRepository, 'find'>;
}

/** How long a caller waits for the call of another one on the same payment; real time. */
export const deadlineMs = 7_000;
const pollMs = { first: 5, most: 100 } as const;

/** A payment as the decision sees it, with the operation that was named. */
export interface Found {
  payment: Payment;
  target: PaymentEntry | null;
}

/** The payment once no call is under way on it; Unknown does not wait. Refuses with notFound, and with unavailable when that takes too long. */
export async function findQuiet(deps: PaymentLockDeps, caller: Caller, paymentId: string): Promise<Payment> {
  const isOver = createDeadline(deadlineMs);
  for (let waitMs: number = pollMs.first; ; waitMs = Math.min(waitMs * 2, pollMs.most)) {
    const payment = await requirePayment(deps, caller, paymentId);
    if (isQuiet(payment)) return payment;
    if (isOver()) throw busy();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** No call is under way on it, or one whose outcome is unknown for now. */
export function isQuiet({ activeCallId, state }: Payment): boolean {
  return activeCallId === null || state === 'Unknown';
}

export function foundIn(payment: Payment, operationId: string | undefined): Found {
  return { payment, target: payment.entries.find((entry) => entry.operationId === operationId) ?? null };
}

export async function requirePayment(
  { payments }: PaymentLockDeps,
  caller: Caller,
  paymentId: string,
): Promise<Payment> {
  const payment = await payments.find(caller, paymentId);
  if (!payment) throw new DomainError('notFound', 'There is no such payment.');
  return payment;
}

export function busy(): DomainError {
  return new DomainError('unavailable', 'Another call on this payment has not ended.', { retryAfterSeconds: 2 });
}

/** What those who wait for one key leave to each other. */
export type ExclusiveNotes = Map<string, unknown>;

/** Runs `run` when it is this key's turn; rejects with `late()` when the turn does not come in time. Nothing is remembered after the last. */
export type RunExclusive = <Result>(key: string, run: (notes: ExclusiveNotes) => Promise<Result>) => Promise<Result>;

export function createKeyedMutex(waitMsMax: number, late: () => Error): RunExclusive {
  const lasts = new Map<string, { end: Promise<void>; notes: ExclusiveNotes }>();

  return async (key, run) => {
    const before = lasts.get(key);
    let end: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const notes: ExclusiveNotes = before?.notes ?? new Map();
    const last = { end: before ? before.end.then(() => mine) : mine, notes };
    lasts.set(key, last);
    try {
      if (before) await inTime(before.end, waitMsMax, late);
      return await run(notes);
    } finally {
      end();
      if (lasts.get(key) === last) lasts.delete(key);
    }
  };
}

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
