// The event of a record of the audit, ready for the log.
import type { Environment } from '../../shared/callers/caller';
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';

/** As much of a record as its event tells. */
interface ToldRecord {
  _id: string;
  environment: Environment;
  at: Date;
  requestId: string;
  accountId: string | null;
  action: string;
  subjectType: string;
  subjectId: string;
}

/** That there is a record, of which act and about what; never the values that changed. What belongs to no account is of staff alone. */
export function auditEvent(
  { _id: auditId, environment, at, requestId, accountId, action, subjectType, subjectId }: ToldRecord,
  merchantId: string | null,
): NewEvent {
  const owner = { accountId: accountId ?? '', merchantId: subjectType === 'merchant' ? subjectId : merchantId };
  return {
    _id: newEventId(owner),
    environment,
    ...owner,
    aggregateType: 'audit',
    aggregateId: auditId,
    sequence: 1,
    type: 'audit.recorded',
    version: 1,
    occurredAt: at,
    requestId,
    data: { auditId, action, subjectType, subjectId },
  };
}
