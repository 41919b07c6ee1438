// Everything that may be done with an authorization afterwards, by name, and which of it is possible now (2.2-B of the decision register, Post-operations).
import type { Caller } from '../../shared/callers/caller';
import { type JudgedAction, judgeActions, refusalFrom } from '../../shared/callers/judged-action';
import type { Rule } from '../../shared/callers/rights';
import type { Payment, PaymentEntry } from '../payment/payment';
import { decideCancelCapture } from './cancel';
import { decideCapture } from './capture';
import type { Asked } from './post-operation';
import { decideRefund } from './refund';
import { decideVoid } from './void';

/** Every post-operation by name. */
export const decisions = {
  capture: decideCapture,
  refund: decideRefund,
  void: decideVoid,
  cancelCapture: decideCancelCapture,
} as const;
/** What may be done with an authorization afterwards. */
export type PostAction = keyof typeof decisions;
export const postActions = Object.keys(decisions) as readonly PostAction[];

/** What opens the mutation of each. */
export const actionRights = {
  capture: ['checkout', 'payments:capture'],
  refund: ['checkout', 'payments:refund'],
  void: ['payments:cancel'],
  cancelCapture: ['checkout', 'payments:cancel'],
} as const satisfies Record<PostAction, readonly [Rule, ...Rule[]]>;

/** What can still be done with an operation, for whoever shows choices (2.2-B of the decision register, Post-operations). */
export function possibleActions(payment: Payment, operationId: string, now: Date): PostAction[] {
  const target = entryOf(payment, operationId);
  if (!target) return [];
  const asked = { payment, target, input: { operationId }, now };
  return postActions.filter((action) => refusalFrom(() => decisions[action](asked)) === null);
}

/** Each act on one operation, as this caller would find it. */
export function judgeOperation(
  caller: Caller,
  payment: Payment,
  operationId: string,
  now: Date,
): JudgedAction<PostAction>[] {
  const target = entryOf(payment, operationId);
  return target ? judged(caller, postActions, { payment, target, input: { operationId }, now }) : [];
}

/** Each act on the payment as a whole; a capture is taken back by its own operation. */
export function judgePayment(caller: Caller, payment: Payment, now: Date): JudgedAction<PostAction>[] {
  const onWhole = postActions.filter((action) => action !== 'cancelCapture');
  return judged(caller, onWhole, { payment, target: null, input: { paymentId: payment.paymentId }, now });
}

function judged(caller: Caller, actions: readonly PostAction[], asked: Asked): JudgedAction<PostAction>[] {
  return judgeActions(
    caller,
    actions.map((action) => ({
      action,
      rights: actionRights[action],
      freshAt: asked.now,
      decide: () => decisions[action](asked),
    })),
  );
}

function entryOf({ entries }: Payment, operationId: string): PaymentEntry | null {
  return entries.find((entry) => entry.operationId === operationId) ?? null;
}
