// A MongoDB transaction of majority and journal, repeated as MongoDB asks: the whole on a transient error, the commit when its outcome is unknown.
import { type ClientSession, MongoError } from 'mongodb';
import type { Connection } from 'mongoose';
import { createDeadline } from '../deadline';
import { isDatabaseUnavailable } from './mongo';

/** So often it is tried at least, and for so long: a database that is out of breath turns transactions away for a second and more. */
const transientTriesMin = 5;
const transientMsMax = 2_000;
const pauseMsMax = 200;
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
    const shallRetry = createRetries();
    for (;;) {
      session.startTransaction(transactionOptions);
      try {
        const found = await work(session);
        if (isWanted(found)) await commitTransaction(session);
        else await session.abortTransaction();
        return found;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        if (!(await shallRetry(error))) throw error;
      }
    }
  } finally {
    if (!given) await session.endSession();
  }
}

/** Asked after each failed try: true, after a pause, when the transaction met others and has not been tried for long enough. */
export function createRetries(): (error: unknown) => Promise<boolean> {
  const isOver = createDeadline(transientMsMax);
  let tries = 0;
  return async (error) => {
    tries += 1;
    if (!isTransient(error)) return false;
    // Who is away is not waited for here.
    if (tries >= transientTriesMin && (isDatabaseUnavailable(error) || isOver())) return false;
    // Whoever it met may need a moment.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(10 * 2 ** tries, pauseMsMax)));
    return true;
  };
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
