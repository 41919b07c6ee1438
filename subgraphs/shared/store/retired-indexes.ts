// Indexes of a former release that nothing asks for any more.
import type { Connection } from 'mongoose';

/** Drops those that are there; asked for once the indexes in their place are made. */
export async function dropRetiredIndexes(
  connection: Connection,
  collection: string,
  names: readonly string[],
): Promise<void> {
  const records = connection.getClient().db(connection.name).collection(collection);
  const present = new Set((await records.indexes()).map(({ name }) => name));
  for (const name of names) if (present.has(name)) await records.dropIndex(name);
}
