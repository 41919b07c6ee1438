// Everything that may be done with an authorization afterwards, by name, and which of it is possible now (2.2-B of the decision register, Post-operations).
import { DomainError } from '../../shared/errors';
import type { Payment } from '../payment/payment';
import type { PlannedCall } from './acquirer-call';
import { decideCancelCapture } from './cancel';
import { decideCapture } from './capture';
import { decideRefund } from './refund';
import { decideVoid } from './void';

/** What can still be done with an operation, for whoever shows choices (2.2-B of the decision register, Post-operations). */
export function possibleActions(payment: Payment, operationId: string, now: Date): PostAction[] {
  const target = payment.entries.find((entry) => entry.operationId === operationId) ?? null;
  if (!target) return [];
  const asked = { payment, target, input: { operationId }, now };
  return (Object.keys(decisions) as PostAction[]).filter((action) => isAllowed(() => decisions[action](asked)));
}

/** Every post-operation by name. */
export const decisions = {
  capture: decideCapture,
  refund: decideRefund,
  void: decideVoid,
  cancelCapture: decideCancelCapture,
} as const;
/** What may be done with an authorization afterwards. */
export type PostAction = keyof typeof decisions;

function isAllowed(decide: () => PlannedCall): boolean {
  try {
    decide();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
