// Where a list that is newest first goes on: every row once and in order, also those of one moment.
import { olderThan } from '../../subgraphs/shared/lists/newest-first';
import { openStores, type Stores } from '../support/stores';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

const moments = [1, 2, 2, 2, 2, 3, 4, 4];
const newestFirst = ['h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'];

test.each([1, 2, 3, 8])('pages of %i', async (size) => {
  const rows = stores.connection.collection<{ _id: string; at: Date }>(`rows_${size}`);
  await rows.insertMany(moments.map((ms, index) => ({ _id: 'abcdefgh'.charAt(index), at: new Date(ms) })));
  const seen: string[] = [];
  let place: { at: Date; id: string } | null = null;
  do {
    const page: { _id: string; at: Date }[] = await rows
      .find(place ? olderThan('at', place) : {})
      .sort({ at: -1, _id: -1 })
      .limit(size)
      .toArray();
    seen.push(...page.map(({ _id }) => _id));
    const last = page.at(-1);
    place = last ? { at: last.at, id: last._id } : null;
  } while (place);
  expect(seen).toEqual(newestFirst);
});
