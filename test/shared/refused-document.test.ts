// A document that MongoDB refused is logged with the fields that are wrong, and with nothing that stands in them.
import mongoose from 'mongoose';
import { createLog } from '../../subgraphs/shared/log/log';
import { prepareCollection } from '../../subgraphs/shared/store/prepare-collection';
import { orNull, storedPart, storedSchema, storedText, there } from '../../subgraphs/shared/store/stored-schema';
import { openStores, type Stores } from '../support/stores';

interface Thing {
  _id: string;
  size: number;
  kind: string;
  owner: { name: string } | null;
  tags: string[];
}

const schema = storedSchema<Thing>('things', {
  _id: storedText,
  size: there(Number),
  kind: there(String, { enum: ['A', 'B'] }),
  owner: orNull(storedPart<{ name: string }>({ name: storedText })),
  tags: there([String]),
});
const good = { _id: 'one', size: 1, kind: 'A', owner: { name: 'secret value' }, tags: ['secret value'] };

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
  await prepareCollection(stores.connection, schema);
});
afterAll(() => stores?.close());

/** The message of the error as it is logged. */
async function logged(write: (things: mongoose.mongo.Collection<object>) => Promise<unknown>): Promise<string> {
  const error = await write(stores.connection.collection('things') as never).then(
    () => new Error('it was written'),
    (refusal: unknown) => refusal,
  );
  const lines: string[] = [];
  createLog('error', 'test', (line) => void lines.push(line)).error({ error }, 'failed');
  return (JSON.parse(lines.join('')) as { error: { message: string } }).error.message;
}

it.each<[string, object, string]>([
  ['a wrong type', { ...good, size: 'secret value' }, 'size (bsonType)'],
  ['a word outside of the list', { ...good, kind: 'secret value' }, 'kind (enum)'],
  ['a field that nobody knows', { ...good, colour: 'secret value' }, 'colour (additionalProperties)'],
  ['a missing field', { ...good, tags: undefined }, 'tags (required)'],
  ['a wrong type within', { ...good, owner: { name: 1 } }, 'owner.name (bsonType)'],
  ['a missing field within', { ...good, owner: {} }, 'owner.name (required)'],
])('%s', async (_what, document, named) => {
  const message = `Document failed validation: ${named}`;
  expect(await logged((things) => things.insertOne(document, { ignoreUndefined: true }))).toBe(message);
  expect(await logged((things) => things.bulkWrite([{ insertOne: { document } }], { ignoreUndefined: true }))).toBe(
    message,
  );
});

it('says nothing of other errors', async () => {
  await stores.connection.collection('things').insertOne(good as never);
  expect(await logged((things) => things.insertOne(good as never))).toMatch(/^E11000 duplicate key/);
});
