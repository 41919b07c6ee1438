// How this domain saves: one unit of work per change with its audit record, idempotent.
import type { RecordChange } from '../shared/callers/audit';
import type { RequestContext } from '../shared/callers/context';
import type { Clock } from '../shared/clock';
import { DomainError } from '../shared/errors';
import type { Idempotent } from '../shared/idempotency/idempotency';
import { DuplicateKey, type InTransaction, type UnitOfWork } from '../shared/store/unit-of-work';

export interface SavingDeps {
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  audit: RecordChange;
}

export interface Save<Result> {
  /** The mutation. */
  field: string;
  result: Result;
  unit: UnitOfWork;
}

/** Commits the unit together with the answer for a repetition; refuses with `conflict` when an identifier is taken. */
export function saveMerchant<Result>(
  { idempotent, inTransaction }: SavingDeps,
  context: RequestContext,
  { field, result, unit }: Save<Result>,
): Promise<Result> {
  return idempotent<Result>(context, field, async (complete) => {
    try {
      await inTransaction({ ...unit, updates: [...(unit.updates ?? []), ...complete(result)] });
    } catch (error) {
      if (error instanceof DuplicateKey) throw new DomainError('conflict', 'The identifier is taken.');
      throw error;
    }
    return result;
  });
}
