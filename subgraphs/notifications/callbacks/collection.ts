// Collections of this domain: schemas say what they hold, and the driver of the same connection reads and writes them.
import type { Collection, Document } from 'mongodb';
import type { Connection } from 'mongoose';

/** The driver's collection, typed by what is stored in it. */
export function collectionOf<Stored extends Document>(connection: Connection, name: string): Collection<Stored> {
  return connection.getClient().db(connection.name).collection<Stored>(name);
}
