// What a thrown thing means to the caller: a refusal as it is, an absent dependency as `unavailable`, everything else a defect of ours.
import { DomainError } from '../errors';
import { databaseUnavailable, isDatabaseUnavailable } from '../store/mongo';
import { WriteConflict } from '../store/unit-of-work';

/** The refusal to answer with; null means a defect: answer `internal`, and log the error whole. */
export function refusalOf(error: unknown): DomainError | null {
  for (let current = error; current instanceof Error; current = causeOf(current)) {
    if (current instanceof DomainError) return current;
    if (current instanceof WriteConflict) return new DomainError('conflict', undefined, { retryAfterSeconds: 1 });
    if (isDatabaseUnavailable(current)) return databaseUnavailable();
  }
  return null;
}

function causeOf(error: Error): unknown {
  const { originalError } = error as { originalError?: unknown };
  return originalError ?? error.cause;
}
