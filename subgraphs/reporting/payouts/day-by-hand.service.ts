// A day that somebody closes by hand, with its record in the audit where staff did it.
import type { RecordChange } from '../../shared/callers/audit';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import { may } from '../../shared/callers/rights';
import { withoutUndefined } from '../../shared/present-members';
import { type ClosedDay, type SettlementDeps, settle } from './settlement.service';

/** As `settle`, which refuses before anything is recorded. The record stands before the first book is closed. */
export function settleByHand(
  deps: SettlementDeps & { audit: RecordChange },
  context: RequestContext,
  date: string,
  reason: string | null,
): Promise<ClosedDay> {
  const subject = { action: 'day.settled', subjectType: 'day', subjectId: date, accountId: null } as const;
  const record = () => deps.audit(context, { ...subject, changes: reasonChange(reason) });
  const begun = may(context.caller, 'ledger:settle') ? () => deps.inTransaction({ inserts: [record()] }) : undefined;
  return settle(deps, date, context.requestId, withoutUndefined({ begun }));
}
