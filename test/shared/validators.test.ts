// The database itself takes only what the schemas know: for each collection kept documents of the real program are taken, and each of them is refused with any fault.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, type Document } from 'mongodb';
import { createCardEntryRepository } from '../../subgraphs/payments/checkout/card-entry.repository';
import { createContractRepository } from '../../subgraphs/payments/contracts/contract.repository';
import { createAcquirerCallRepository } from '../../subgraphs/payments/money/acquirer-call.repository';
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import { createPaymentRepository } from '../../subgraphs/payments/payment/payment.repository';
import { createCheckoutSessionRepository } from '../../subgraphs/payments/sessions/checkout-session.repository';
import { openStores, type Stores } from '../support/stores';
import { spoiledDocuments } from './spoiled-documents';

const documentValidationFailure = 121;

/** By collection, as the program wrote them: between them they have every field. */
const kept = BSON.EJSON.parse(readFileSync(join(__dirname, 'stored-documents.json'), 'utf8'), {
  relaxed: false,
}) as Record<string, Document[]>;

let stores: Stores;
const shapes = new Map<string, Document>();

beforeAll(async () => {
  stores = await openStores();
  const { connection } = stores;
  const owners = [
    createAcquirerCallRepository(connection, 'sandbox'),
    createCardEntryRepository(connection),
    createCheckoutSessionRepository(connection),
    createContractRepository(connection),
    createOperationRepository(connection),
    createPaymentRepository(connection),
  ];
  for (const owner of owners) await owner.ensureIndexes();
  for (const { name, options } of await listed()) shapes.set(name, options);
});
afterAll(() => stores.close());

async function listed(): Promise<{ name: string; options: Document }[]> {
  return (await database().listCollections().toArray()) as never;
}

function database() {
  return stores.connection.getClient().db(stores.databaseName);
}

function shapeOf(name: string): Document {
  const shape = shapes.get(name)?.['validator']?.$jsonSchema;
  if (!shape) throw new Error(`${name} has no validator`);
  return shape as Document;
}

describe.each(Object.entries(kept))('%s', (name, documents) => {
  const collection = () => database().collection(name);

  it('takes what the program writes', async () => {
    await collection().insertMany(documents);
    expect(await collection().countDocuments()).toBe(documents.length);
  });

  it('refuses it with any fault', async () => {
    const spoiled = documents.flatMap((document) => spoiledDocuments(shapeOf(name), document));
    const codes = new Map<number, number>();
    try {
      await collection().insertMany(
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
