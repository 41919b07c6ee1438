// The database itself takes only what the schemas know: of each collection kept documents of the real program are taken, and a document made of the schema is refused with any fault in any field.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, type Document } from 'mongodb';
import { databaseGrants } from '../../app/role-database';
import { type EntityWorld, openEntityWorld } from '../journeys/entity-world';
import { sampleDocument } from './sample-document';
import { spoiledDocuments } from './spoiled-documents';

const documentValidationFailure = 121;

/** By collection, as the program wrote them: between them they have every field that was written. */
const kept = BSON.EJSON.parse(readFileSync(join(__dirname, 'stored-documents.json'), 'utf8'), {
  relaxed: false,
}) as Record<string, Document[]>;

let world: EntityWorld;
const shapes = new Map<string, Document>();

beforeAll(async () => {
  world = await openEntityWorld();
  const found = (await database().listCollections().toArray()) as unknown as { name: string; options: Document }[];
  for (const { name, options } of found) {
    const shape = options['validator']?.$jsonSchema as Document | undefined;
    if (shape) shapes.set(name, shape);
    // Tenants of this world are in nobody's way.
    await database().collection(name).deleteMany({});
  }
});
afterAll(() => world.close());

function database() {
  return world.stores.connection.getClient().db(world.stores.databaseName);
}

/** What a rebuild of the books writes beside those in use has the same validators (test/reporting/random-months.test.ts). */
it('every collection has a validator', () => {
  const all = Object.keys(databaseGrants['all'] ?? {});
  expect([...shapes.keys()].sort()).toEqual(all.sort());
});

it('each collection has kept documents', () => {
  expect([...shapes.keys()].sort()).toEqual(Object.keys(kept).sort());
});

describe.each(Object.entries(kept))('%s', (name, documents) => {
  const shapeOf = () => shapes.get(name) ?? {};

  it('takes what the program writes', async () => {
    for (const document of documents) {
      // They are of several installations.
      await database().collection(name).deleteMany({});
      const { acknowledged } = await database().collection(name).insertOne(document);
      expect(acknowledged).toBe(true);
    }
  });

  it('refuses any fault in any field that it names', async () => {
    const sample = sampleDocument(shapeOf());
    const spoiled = spoiledDocuments(shapeOf(), sample);
    await database().collection(name).deleteMany({});
    await database().collection(name).insertOne(sample);
    const codes = new Map<number, number>();
    try {
      await database()
        .collection(name)
        .insertMany(
          spoiled.map(({ document }) => document),
          { ordered: false },
        );
    } catch (error) {
      const { writeErrors = [] } = error as { writeErrors?: { index: number; code: number }[] };
      for (const { index, code } of writeErrors) codes.set(index, code);
    }
    const taken = spoiled.filter((_, index) => codes.get(index) !== documentValidationFailure);
    expect(taken.map(({ fault }) => fault)).toEqual([]);
    expect(spoiled.length).toBeGreaterThan(3);
  });

  it('refuses a change that brings in a fault', async () => {
    const spoiling = { $set: { somethingNew: 'of a later release' } };
    await expect(database().collection(name).updateMany({}, spoiling)).rejects.toMatchObject({
      code: documentValidationFailure,
    });
  });
});
