// A MongoDB transaction of majority and journal, repeated as MongoDB asks: the whole on a transient error, the commit when its outcome is unknown.
import { type ClientSession, MongoError } from 'mongodb';
import type { Connection } from 'mongoose';

const transientRetriesMax = 5;
const commitRetriesMax = 3;
const unknownOutcome = 'UnknownTransactionCommitResult';

export const transactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  maxCommitTimeMS: 10_000,
} as const;

/** Commits unless `isWanted` says no to what `work` found, and aborts then; resolves with what it found. In a session of its own unless one is given. */
export async function inOneTransaction<Found>(
  connection: Connection,
  work: (session: ClientSession) => Promise<Found>,
  isWanted: (found: Found) => boolean,
  given?: ClientSession,
): Promise<Found> {
  const session = given ?? connection.getClient().startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      session.startTransaction(transactionOptions);
      try {
        const found = await work(session);
        if (isWanted(found)) await commitTransaction(session);
        else await session.abortTransaction();
        return found;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        if (!isTransient(error) || attempt >= transientRetriesMax) throw error;
        // Whoever it met may need a moment.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt));
      }
    }
  } finally {
    if (!given) await session.endSession();
  }
}

/**
 * Any failure but a transient one leaves open whether the commit took place, also those that the driver does not mark so: taken for a refusal,
 * the work would be done again and meet itself. Rejects with an error of unknown outcome when repetitions cannot tell either.
 */
export async function commitTransaction(session: Pick<ClientSession, 'commitTransaction'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (isTransient(error) || attempt >= commitRetriesMax) throw outcomeUnknown(error);
    }
  }
}

function outcomeUnknown(error: unknown): unknown {
  if (!isTransient(error) && error instanceof MongoError) error.addErrorLabel(unknownOutcome);
  return error;
}

/** The whole transaction may be tried again. */
export function isTransient(error: unknown): boolean {
  return hasLabel(error, 'TransientTransactionError');
}

export function isCommitOutcomeUnknown(error: unknown): boolean {
  return hasLabel(error, unknownOutcome);
}

function hasLabel(error: unknown, label: string): boolean {
  return (error as { errorLabels?: string[] } | null)?.errorLabels?.includes(label) ?? false;
}
