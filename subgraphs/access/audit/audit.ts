// Audit records: who changed what, from what, to what. Written in the transaction of the change itself, so that neither is without the other.
import type { AuditedChange, AuditedExport, AuditedLook, RecordChange } from '../../shared/callers/audit';
import type { Environment } from '../../shared/callers/caller';
import { maskCardNumbers } from '../../shared/card-number';
import type { Clock } from '../../shared/clock';
import { newId } from '../../shared/ids';
import { isTold } from '../../shared/vocabulary/audit-action';
import { auditEvent } from './audit.events';

/** Where audit records are kept. */
export const auditCollection = 'audit';

/** Which of them wait for their place in the chain (audit-chain.ts). */
export const auditMarksCollection = 'audit_waiting';

export interface AuditRecord extends Omit<AuditedChange, 'action' | 'auditId' | 'merchantId'> {
  /** Of other releases, too. */
  action: string;
  auditId: string;
  environment: Environment;
  /** On the one clock. */
  at: Date;
  /** The authenticated principal (Caller.credentialId). */
  actor: string;
  requestId: string;
  /** From where the call came, as seen through TRUSTED_PROXIES; null where nobody called, and for tenants where it was nobody of theirs. */
  address: string | null;
  /** How many of the kind it stands for: refusals of one minute may share a record. */
  count: number;
}

export function createAudit(clock: Clock): RecordChange {
  return ({ caller, requestId, address = null }, { merchantId = null, auditId = newId(), ...change }) => {
    const document = {
      _id: auditId,
      environment: caller.environment,
      at: clock.now(),
      actor: caller.credentialId,
      actorAccountId: caller.accountId,
      requestId,
      address,
      count: 1,
      ...change,
    };
    const record = { collection: auditCollection, mark: auditMarksCollection, document };
    return isTold(change.action) ? { ...record, event: auditEvent(document, merchantId) } : record;
  };
}

export function auditedLookOf(look: AuditedLook): AuditedChange {
  return { action: `${look.subjectType}.shown`, ...look, changes: [] };
}

/** The filter is kept as it was asked, with whatever looks like a card number masked. */
export function auditedExportOf({ list, format, filter }: AuditedExport): AuditedChange {
  const narrowed = maskCardNumbers(JSON.stringify(filter)).slice(0, filterCharsMax);
  const changes = [
    { field: 'format', from: null, to: format },
    { field: 'filter', from: null, to: narrowed },
  ];
  return { action: 'list.exported', subjectType: 'list', subjectId: list, accountId: null, changes };
}

const filterCharsMax = 1_000;
