// `npm run database:slots` from a shell: what it did to each collection, in a line, and what it refuses.
import { spawnSync } from 'node:child_process';
import { newId } from '../../subgraphs/shared/ids';
import { slottedCollections } from '../../subgraphs/shared/store/sharded-collections';
import { built } from '../support/built';
import { openStores, type Stores } from '../support/stores';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
  const payments = stores.connection.collection<{ _id: string; merchantId: string }>('payments');
  await payments.insertMany([1, 2, 3].map((each) => ({ _id: newId(), merchantId: `merchant-${each}` })));
  await payments.createIndex({ environment: 1, merchantId: 1, orderId: 1 });
});
afterAll(() => stores?.close());

function run(word: string, env: Record<string, string> = {}) {
  const told = { ...process.env, MONGODB_URI: stores.mongoUri, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [built('database.js'), word], {
    encoding: 'utf8',
    env: told,
  });
  return { status, said: (status === 0 ? stdout : stderr).trim().split('\n') };
}

test('it says what it gave and dropped, and the second time that there was nothing', () => {
  const nothing = slottedCollections.map(({ name }) => `${name}: 0 given their slots`);
  const first = 'payments: 3 given their slots, environment_1_merchantId_1_orderId_1 dropped';
  expect(run('slots')).toEqual({ status: 0, said: [first, ...nothing.slice(1)] });
  expect(run('slots')).toEqual({ status: 0, said: nothing });
});

test.each([
  ['without an address', 'slots', { MONGODB_URI: '' }, /^Set MONGODB_URI to the address of a user that may update/],
  ['a word that there is not', 'shards', {}, /^Unknown command: expected users or slots\.$/],
])('%s is refused in one line', (_case, word, env, sentence) => {
  expect(run(word, env)).toEqual({ status: 1, said: [expect.stringMatching(sentence)] });
});
