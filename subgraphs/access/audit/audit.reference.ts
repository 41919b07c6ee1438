// Records of the audit by their ids, and by the key from another subgraph: absent, foreign, and not for this caller's eyes look alike.
import type { RequestContext } from '../../shared/callers/context';
import { may } from '../../shared/callers/rights';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { requestLoader } from '../../shared/store/loaders';
import type { AuditRecord } from './audit';
import type { AuditRepository } from './audit.repository';

type Records = Pick<AuditRepository, 'find'>;

export function auditReference(records: Records): ResolveReference {
  return ({ auditId }, context) =>
    typeof auditId === 'string' && may(context.caller, 'audit:read')
      ? auditLoader(records, context).load(auditId)
      : null;
}

/** The request's loader of records that its caller may see. */
export function auditLoader(records: Records, context: RequestContext) {
  return requestLoader<AuditRecord>(
    context,
    'auditRecord',
    (ids) => records.find(context.caller, ids),
    ({ auditId }) => auditId,
  );
}
