// Collections of this domain: mongoose keeps schema, reads and indexes; the hot writes of the workers take the driver of the same connection.
import type { Collection, Document } from 'mongodb';
import type { Connection, Model, Schema } from 'mongoose';

/** The driver's collection, typed by what is stored in it. */
export function collectionOf<Stored extends Document>(connection: Connection, name: string): Collection<Stored> {
  return connection.getClient().db(connection.name).collection<Stored>(name);
}

/** Drops indexes of an earlier version, those that are there. */
export async function dropIndexes<Stored extends Document>(
  collection: Collection<Stored>,
  names: readonly string[],
): Promise<void> {
  const present = new Set((await collection.indexes()).map(({ name }) => name));
  for (const name of names) if (present.has(name)) await collection.dropIndex(name);
}

/** The connection's model of that name, made once however often it is asked for. */
export function modelOf<Stored>(connection: Connection, name: string, schema: Schema<Stored>): Model<Stored> {
  return (connection.models[name] as Model<Stored> | undefined) ?? connection.model<Stored>(name, schema);
}
