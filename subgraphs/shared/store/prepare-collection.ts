// Makes a collection as its schema says, with its validator and its indexes; what is there already as it should be is left alone.
import type { Db, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { driverDatabase } from './collection-of';
import { type Shape, validatorOf } from './stored-schema';

/** As much of a schema as a collection is made of. */
interface CollectionShape extends Shape {
  get(option: 'collection'): unknown;
  indexes(): [Document, Document][];
}

const namespaceExists = 48;

const zstd = { storageEngine: { wiredTiger: { configString: 'block_compressor=zstd' } } } as const;
/** How a collection that is made now lies on the disk, its indexes too, which MongoDB leaves as they are unless it is told; one of a release before stays as it lies. */
const compact = { ...zstd, indexOptionDefaults: zstd } as const;

/** Under another name: a copy of the collection. */
export async function prepareCollection(
  connection: Connection,
  schema: CollectionShape,
  name = String(schema.get('collection')),
): Promise<void> {
  await putValidator(connection, schema, name);
  const indexes = schema.indexes().map(([key, { background: _former, ...options }]) => ({ key, ...options }));
  if (indexes.length > 0) await driverDatabase(connection).collection(name).createIndexes(indexes);
}

/** Drops indexes of an earlier version, those that are there. */
export async function dropIndexes(connection: Connection, name: string, indexes: readonly string[]): Promise<void> {
  const collection = driverDatabase(connection).collection(name);
  const present = new Set((await collection.indexes()).map((index) => index.name));
  for (const index of indexes) if (present.has(index)) await collection.dropIndex(index);
}

async function putValidator(connection: Connection, schema: Shape, name: string): Promise<void> {
  const database = driverDatabase(connection);
  const wanted = { validator: validatorOf(schema), validationLevel: 'strict', validationAction: 'error' } as const;
  const present = await optionsOf(database, name);
  if (present && isSame(present, wanted)) return;
  try {
    if (!present) return void (await database.createCollection(name, { ...wanted, ...compact }));
  } catch (error) {
    // Somebody else made it meanwhile.
    if ((error as { code?: unknown }).code !== namespaceExists) throw error;
  }
  await database.command({ collMod: name, ...wanted });
}

/** Null: there is no such collection. */
async function optionsOf(database: Db, name: string): Promise<Document | null> {
  const [found] = await database.listCollections({ name }).toArray();
  return found ? ((found as Document)['options'] as Document) : null;
}

function isSame(present: Document, wanted: Document): boolean {
  return Object.entries(wanted).every(([option, value]) => JSON.stringify(present[option]) === JSON.stringify(value));
}
