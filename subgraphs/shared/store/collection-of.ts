// The driver's database and collections of a connection: schemas say what they hold, and the driver reads and writes them.
import type { Collection, CollectionOptions, Db, Document } from 'mongodb';
import type { Connection } from 'mongoose';

/** Of a connection that is open. */
export function openedDatabase({ db: database }: Connection): Db {
  if (!database) throw new Error('the connection is not open');
  return database;
}

/** Typed by what is stored in it. */
export function collectionOf<Stored extends Document>(
  connection: Connection,
  name: string,
  options?: CollectionOptions,
): Collection<Stored> {
  return openedDatabase(connection).collection<Stored>(name, options);
}
