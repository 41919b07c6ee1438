// Audit records: who changed what, from what, to what. Written in the transaction of the change itself, so that neither is without the other.
import type { AuditedChange, RecordChange } from '../shared/audit';
import type { Environment } from '../shared/caller';
import type { Clock } from '../shared/clock';
import { newId } from '../shared/ids';

/** Where audit records are kept. */
export const auditCollection = 'audit';

export interface AuditRecord extends AuditedChange {
  auditId: string;
  environment: Environment;
  /** On the one clock. */
  at: Date;
  /** The authenticated principal (Caller.credentialId). */
  actor: string;
  requestId: string;
}

export function createAudit(clock: Clock): RecordChange {
  return ({ caller, requestId }, change) => ({
    collection: auditCollection,
    document: {
      _id: newId(),
      environment: caller.environment,
      at: clock.now(),
      actor: caller.credentialId,
      requestId,
      ...change,
    },
  });
}
