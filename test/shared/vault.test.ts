// The vault: what seals opens, only for its account, over rotation, roll-over of the wrapping key, and destruction.
import { randomBytes } from 'node:crypto';
import { createVault } from '../../subgraphs/shared/vault';
import { openStores, type Stores } from '../support/stores';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

const key = () => randomBytes(32).toString('base64');
const first = key();
const vault = () => createVault(stores.connection, { current: first, previous: '' });

test('a sealed value opens in another process and shows nothing of itself', async () => {
  const sealed = await vault().seal('alpha', 'a secret');
  expect(JSON.stringify(sealed)).not.toContain(Buffer.from('a secret').toString('base64'));
  expect(await vault().open('alpha', sealed)).toBe('a secret');
});

test.each([
  ['another account', async () => vault().open('beta', await vault().seal('alpha', 'x'))],
  ['a changed value', async () => vault().open('alpha', { ...(await vault().seal('alpha', 'x')), ciphertext: 'AAAA' })],
  [
    'a version that does not exist',
    async () => vault().open('alpha', { ...(await vault().seal('alpha', 'x')), keyVersion: 99 }),
  ],
])('does not open for %s', async (_, open) => {
  await expect(open()).rejects.toThrow();
});

test('two processes that seal first at once agree on the data key', async () => {
  const values = await Promise.all(Array.from({ length: 8 }, () => vault().seal('race', 'v')));
  for (const sealed of values) expect(await vault().open('race', sealed)).toBe('v');
});

test('rotation seals with the next version and still opens the old', async () => {
  const one = vault();
  const old = await one.seal('rotating', 'old');
  await one.rotate('rotating');
  const fresh = await one.seal('rotating', 'new');
  expect([old.keyVersion, fresh.keyVersion]).toEqual([1, 2]);
  expect(await one.open('rotating', old)).toBe('old');
});

test('re-wrapping moves every data key to the new wrapping key without touching a sealed value', async () => {
  const sealed = await vault().seal('wrapped', 'kept');
  const hash = await vault().keyedHash('card', 'same');
  const second = key();
  const both = createVault(stores.connection, { current: second, previous: first });
  expect(await both.rewrap()).toBeGreaterThan(0);
  expect(await both.rewrap()).toBe(0);
  const after = createVault(stores.connection, { current: second, previous: '' });
  expect(await after.open('wrapped', sealed)).toBe('kept');
  expect(await after.keyedHash('card', 'same')).toBe(hash);
  await expect(vault().open('wrapped', sealed)).rejects.toThrow(/not configured/);
  await createVault(stores.connection, { current: first, previous: second }).rewrap();
});

test('a destroyed key opens nothing any more', async () => {
  const sealed = await vault().seal('gone', 'x');
  expect(await vault().destroy('gone')).toBe(1);
  await expect(vault().open('gone', sealed)).rejects.toThrow();
});

test('keyed hashes differ by purpose and value and are stable', async () => {
  const [a, again, purpose, value] = await Promise.all([
    vault().keyedHash('p', 'v'),
    vault().keyedHash('p', 'v'),
    vault().keyedHash('q', 'v'),
    vault().keyedHash('p', 'w'),
  ]);
  expect(again).toBe(a);
  expect(new Set([a, purpose, value]).size).toBe(3);
});

test.each(['', 'c2hvcnQ='])('refuses the wrapping key %p', (current) => {
  expect(() => createVault(stores.connection, { current, previous: '' })).toThrow(
    /VAULT_KEY has \d+ bytes; expected 32/,
  );
});

test('those who come while the newest key is looked up share the answer', async () => {
  await vault().seal('shared-look-up', 'a');
  let lookUps = 0;
  const counting = {
    collection: (name: string) => {
      const collection = stores.connection.collection(name);
      const find = (filter: object) => {
        lookUps += 1;
        return collection.find(filter);
      };
      return { find, findOne: collection.findOne.bind(collection) };
    },
  } as unknown as typeof stores.connection;
  const fresh = createVault(counting, { current: first, previous: '' });
  const sealed = await Promise.all(Array.from({ length: 20 }, () => fresh.seal('shared-look-up', 'a')));
  expect([lookUps, new Set(sealed.map(({ keyVersion }) => keyVersion)).size]).toEqual([1, 1]);
});
