// The database itself takes only what the schemas know: for each collection kept documents of the real program are taken, and each of them is refused with any fault.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, type Document } from 'mongodb';
import { databaseGrants } from '../../app/role-database';
import { type EntityWorld, openEntityWorld } from '../journeys/entity-world';
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

/** Collections that have no schema yet. */
const withoutSchema = [
  'audit_chain',
  'audit_heads',
  'audit_waiting',
  'journal_books',
  'journal_days',
  'journal_entries',
  'journal_state',
  'journal_terms',
  'leases',
  'onboarding_applications',
  'payout_books',
  'payouts',
  'platform_settings',
  'received_callbacks',
  'sandbox_acquirer_cards',
  'sandbox_acquirer_orders',
  'sandbox_method_visits',
  'settlement_schedule',
];

it('every other collection has a validator', () => {
  const all = Object.keys(databaseGrants['all'] ?? {});
  expect(all.filter((name) => !shapes.has(name)).sort()).toEqual(withoutSchema);
});

it('each collection with a validator has kept documents', () => {
  expect([...shapes.keys()].sort()).toEqual(Object.keys(kept).sort());
});

describe.each(Object.entries(kept))('%s', (name, documents) => {
  const shapeOf = () => shapes.get(name) ?? {};

  it('takes what the program writes', async () => {
    const { insertedCount } = await database().collection(name).insertMany(documents);
    expect(insertedCount).toBe(documents.length);
  });

  it('refuses it with any fault', async () => {
    const spoiled = documents.flatMap((document) => spoiledDocuments(shapeOf(), document));
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
});
