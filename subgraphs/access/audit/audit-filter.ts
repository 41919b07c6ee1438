// How records of the audit are asked for, and what no record can fit.
import { assertListFilter, assertWords, type KnownWords } from '../../shared/list-filter';
import { isAuditAction } from '../../shared/vocabulary/audit-action';

export interface AuditFilter {
  subjectId?: string | null;
  actor?: string | null;
  action?: string | null;
  /** Any of these. */
  actors?: readonly string[] | null;
  actions?: readonly string[] | null;
  /** Both inclusive. */
  from?: Date | null;
  to?: Date | null;
}

const acts: KnownWords = { isKnown: isAuditAction, right: 'an act of the audit such as payment.refunded' };

/** Refuses with `invalidInput`, `timesReversed`. */
export function assertAuditFilter(filter: AuditFilter): void {
  assertListFilter(filter);
  assertWords('action', filter.action, acts);
  assertWords('actions', filter.actions, acts);
}
