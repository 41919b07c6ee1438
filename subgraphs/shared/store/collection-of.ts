// The driver's database and collections of a connection: schemas say what they hold, and the driver reads and writes them.
import type { Collection, CollectionOptions, Db, Document } from 'mongodb';
import type { Connection } from 'mongoose';

/** Where the contracts are printed, nobody opens the connection, nor asks anything of what is made here. */
export function driverDatabase(connection: Connection): Db {
  return connection.db ?? connection.getClient().db(connection.name);
}

/** Typed by what is stored in it. */
export function collectionOf<Stored extends Document>(
  connection: Connection,
  name: string,
  options?: CollectionOptions,
): Collection<Stored> {
  return driverDatabase(connection).collection<Stored>(name, options);
}
