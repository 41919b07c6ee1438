// Reads and inserts of requests that come together: one command for all of them, and each gets exactly what it would have got by itself.
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { createGroupedInsert } from '../../subgraphs/shared/store/grouped-insert';
import { createGroupedReader } from '../../subgraphs/shared/store/grouped-reader';
import { openStores, type Stores } from '../support/stores';

interface Row {
  _id: string;
  accountId: string;
  merchantId: string | null;
}

const collection = 'grouped_rows';
let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
  await stores.connection.collection(collection).insertMany([
    { _id: 'a', accountId: 'alpha', merchantId: 'm1' },
    { _id: 'b', accountId: 'beta', merchantId: null },
  ] as never[]);
});
afterAll(() => stores?.close());

describe('a read', () => {
  it.each([
    ['its own', 'a', { accountId: 'alpha' }, 'a'],
    ['its own merchant', 'a', { accountId: 'alpha', merchantId: 'm1' }, 'a'],
    ['without a filter', 'b', {}, 'b'],
    ['of another account', 'a', { accountId: 'beta' }, null],
    ['of another merchant', 'a', { accountId: 'alpha', merchantId: 'm2' }, null],
    ['by a field that it lacks', 'a', { environment: 'sandbox' }, null],
    ['where a merchant is asked for and none is there', 'b', { accountId: 'beta', merchantId: 'm1' }, null],
    ['of what is absent', 'c', {}, null],
  ])('%s', async (_case, id, own, expected) => {
    const read = createGroupedReader<Row>(collectionOf(stores.connection, collection));
    const together = await Promise.all([read('a', { accountId: 'alpha' }), read(id, own), read('b', {})]);
    expect(together.map((row) => row?._id ?? null)).toEqual(['a', expected, 'b']);
  });
});

it('reads by another field, apart in each environment', async () => {
  const rows = ['sandbox', 'production'].map((environment) => ({
    _id: `${environment}-1`,
    environment,
    number: 'one',
  }));
  await stores.connection.collection('grouped_numbers').insertMany(rows as never[]);
  const read = createGroupedReader<{ _id: string }>(collectionOf(stores.connection, 'grouped_numbers'), {
    field: 'number',
  });
  const asked = [{ environment: 'sandbox' }, { environment: 'production' }, { environment: 'nowhere' }, {}];
  const found = await Promise.all(asked.map((own) => read('one', own)));
  expect(found.map((row) => row?._id ?? null)).toEqual(['sandbox-1', 'production-1', null, expect.any(String)]);
});

describe('an insert', () => {
  it('says of each whether its id was free, also within a group, and leaves what was there', async () => {
    const insert = createGroupedInsert(collectionOf(stores.connection, collection));
    const documents = ['c', 'a', 'd', 'c'].map((_id, place) => ({ _id, place }));
    expect(await Promise.all(documents.map(insert))).toEqual([true, false, true, false]);
    const rows = await stores.connection.collection(collection).find({}).sort({ _id: 1 }).toArray();
    expect(rows.map(({ _id, place }) => [String(_id), place])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', 0],
      ['d', 2],
    ]);
  });

  it('rejects all of a group with what is no taken id', async () => {
    await stores.connection.db?.createCollection('grouped_validated', {
      validator: { $jsonSchema: { required: ['at'] } },
    });
    const insert = createGroupedInsert(stores.connection.collection('grouped_validated'));
    const outcomes = await Promise.allSettled([insert({ _id: 'a', at: 1 } as never), insert({ _id: 'b' })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
