// What is written down when a member of staff moves a merchant's money: who, which operation, why (document 2, post-operations; audit of the access domain).
import type { RecordChange } from '../../shared/callers/audit';
import { isStaff } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { InsertWrite } from '../../shared/store/outbox';
import type { Outcome } from '../money/money';

export interface StaffAction extends Outcome {
  /** `payment.<past participle>`. */
  action: string;
  reason: string | null;
}

/** The audit record, as a write for the transaction of the operation itself; nothing for callers who move their own money. */
export function staffRecord(
  audit: RecordChange,
  context: RequestContext,
  { payment, operation, action, reason }: StaffAction,
): InsertWrite[] {
  if (!isStaff(context.caller)) return [];
  return [
    audit(context, {
      action,
      subjectType: 'payment',
      subjectId: payment.paymentId,
      accountId: payment.accountId,
      changes: [
        { field: 'operation', from: null, to: operation.operationId },
        { field: 'state', from: null, to: payment.state },
        { field: 'reason', from: null, to: reason },
      ],
    }),
  ];
}
