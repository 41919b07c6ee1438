// What is written down when a member of staff decides about an application: who, from what to what, why (audit of the access domain).
import type { RecordChange } from '../../shared/callers/audit';
import type { RequestContext } from '../../shared/callers/context';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import type { AuditAction } from '../../shared/vocabulary/audit-action';
import type { OnboardingCase } from './application';

export interface StaffDecision {
  action: AuditAction;
  read: OnboardingCase;
  next: OnboardingCase;
  reason: string | null;
}

/** The audit record, as a write for the transaction of the decision itself. */
export function staffRecord(
  audit: RecordChange,
  context: Pick<RequestContext, 'caller' | 'requestId'>,
  { action, read, next, reason }: StaffDecision,
): InsertWrite {
  return audit(context, {
    action,
    subjectType: 'application',
    subjectId: read.applicationId,
    accountId: read.accountId,
    changes: [
      { field: 'status', from: read.status, to: next.status },
      { field: 'reason', from: read.reason, to: reason },
    ],
  });
}
