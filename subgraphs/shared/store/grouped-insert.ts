// Durable inserts of requests that come at the same time, in one command: each learns whether its own keys were free.
import type { Collection } from 'mongodb';
import { inBatches } from './batcher';

const durable = { writeConcern: { w: 'majority', journal: true }, ordered: false } as const;
const duplicateKey = 11_000;

/** False: there is a document with that id, or another unique key of it, already, which was left alone. */
export type InsertOnce = <Stored extends { _id: string }>(document: Stored) => Promise<boolean>;

/** Within a group the first of a key is the one that is inserted. */
export function createGroupedInsert(collection: Collection<{ _id: string }>): InsertOnce {
  return inBatches<{ _id: string }, boolean>(
    async (documents) => {
      const taken = await insertAll(collection, documents);
      return documents.map((_, index) => !taken.has(index));
    },
    { sizeMax: 64, inFlightMax: 2, gatherMsMax: 0 },
  );
}

/** Places in the list of those whose key was taken; rejects with anything else that went wrong. */
async function insertAll(
  collection: Collection<{ _id: string }>,
  documents: readonly { _id: string }[],
): Promise<ReadonlySet<number>> {
  try {
    await collection.insertMany([...documents], durable);
    return new Set();
  } catch (error) {
    const { writeErrors } = error as { writeErrors?: RefusedInsert | RefusedInsert[] };
    const refused = [writeErrors ?? []].flat();
    const isTaken = refused.length > 0 && refused.every(({ code }) => code === duplicateKey);
    if (!isTaken || hasConcernError(error)) throw error;
    return new Set(refused.map(({ index }) => index));
  }
}

interface RefusedInsert {
  index: number;
  code: number;
}

/** Some were refused, and of the others it is not known whether they will last. */
function hasConcernError(error: unknown): boolean {
  const { result } = error as { result?: { getWriteConcernError?(): unknown } };
  return Boolean(result?.getWriteConcernError?.());
}
