// A payment at a moment when nobody moves its money: the ground of every decision about it (document 2; 2.2-A of the decision register).
import type { Caller } from '../../shared/callers/caller';
import { createDeadline } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import type { Payment, PaymentEntry } from './payment';
import type { PaymentRepository } from './payment.repository';

interface Deps {
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
export async function findQuiet(
  deps: Deps,
  caller: Caller,
  { paymentId, operationId }: { paymentId: string; operationId?: string | undefined },
): Promise<Found> {
  const isOver = createDeadline(deadlineMs);
  for (let waitMs: number = pollMs.first; ; waitMs = Math.min(waitMs * 2, pollMs.most)) {
    const payment = await requirePayment(deps, caller, paymentId);
    if (payment.activeCallId === null || payment.state === 'Unknown') {
      return foundIn(payment, operationId);
    }
    if (isOver()) throw busy();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

export function foundIn(payment: Payment, operationId: string | undefined): Found {
  return { payment, target: payment.entries.find((entry) => entry.operationId === operationId) ?? null };
}

export async function requirePayment({ payments }: Deps, caller: Caller, paymentId: string): Promise<Payment> {
  const payment = await payments.find(caller, paymentId);
  if (!payment) throw new DomainError('notFound', 'There is no such payment.');
  return payment;
}

export function busy(): DomainError {
  return new DomainError('unavailable', 'Another call on this payment has not ended.', { retryAfterSeconds: 2 });
}
