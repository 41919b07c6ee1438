// What a collection takes, and how to have it refuse more for a while.
import type { Db, Document } from 'mongodb';

export async function validatorIn(database: Db, collection: string) {
  const [found] = await database.listCollections({ name: collection }, { nameOnly: false }).toArray();
  const validator: Document = found?.options?.['validator'] ?? {};
  return { validator, put: (rule: Document) => database.command({ collMod: collection, validator: rule }) };
}
