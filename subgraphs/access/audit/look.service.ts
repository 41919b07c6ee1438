// Looks in the audit: each request of a program that shows a thing; of a person one for a thing and quarter of an hour, because a screen reads on by itself.
import type { RecordChange, RecordLook } from '../../shared/callers/audit';
import type { Clock } from '../../shared/clock';
import { uuidOf } from '../../shared/ids';
import { DuplicateKey, type InTransaction } from '../../shared/store/unit-of-work';
import { auditedLookOf } from './audit';

const quarterMs = 15 * 60_000;
/** Of one process and quarter; beyond it they are asked of the database once more. */
const rememberedMax = 20_000;

export interface LookDeps {
  clock: Clock;
  inTransaction: InTransaction;
  audit: RecordChange;
}

export function createLookRecorder({ clock, inTransaction, audit }: LookDeps): RecordLook {
  const remembered = new Set<string>();
  return async (context, look) => {
    const { caller, address = null } = context;
    const change = auditedLookOf(look);
    if (caller.kind !== 'person') return inTransaction({ inserts: [audit(context, change)] });
    const quarter = Math.floor(clock.now().getTime() / quarterMs);
    const of = [caller.environment, caller.credentialId, address, look.subjectType, look.subjectId, quarter];
    const auditId = uuidOf(`look ${JSON.stringify(of)}`);
    if (remembered.has(auditId)) return;
    await inTransaction({ inserts: [audit(context, { ...change, auditId })] }).catch(unlessRecorded);
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.add(auditId);
  };
}

/** By another process, or by a request at the same time. */
function unlessRecorded(error: unknown): void {
  if (!(error instanceof DuplicateKey)) throw error;
}
