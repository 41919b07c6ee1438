// Durable inserts that need no transaction: a document each, many in one call, and only its own document pays for a taken key.
import { type Collection, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb';
import { inBatches } from '../../shared/store/batcher';

export type Inserted = 'inserted' | 'taken';

const duplicateKeyCode = 11_000;

/** Resolves after the majority and journal acknowledgement; `taken` when a unique index holds the document's key already. */
export function insertInGroups<Stored extends { _id: string }>(
  collection: () => Collection<Stored>,
): (document: Stored) => Promise<Inserted> {
  return inBatches(async (documents) => {
    try {
      await collection().insertMany(documents as unknown as OptionalUnlessRequiredId<Stored>[], {
        ordered: false,
        writeConcern: { w: 'majority', journal: true },
      });
      return documents.map(() => 'inserted');
    } catch (error) {
      const taken = takenPlaces(error);
      return documents.map((_, index) => (taken.has(index) ? 'taken' : 'inserted'));
    }
  });
}

/** Places of the documents whose key was taken; anything else that went wrong is thrown on. */
function takenPlaces(error: unknown): Set<number> {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  const isOnlyTaken = failures.length > 0 && failures.every(({ code }) => code === duplicateKeyCode);
  if (!isOnlyTaken || error.result.getWriteConcernError()) throw error;
  return new Set(failures.map(({ index }) => index));
}
