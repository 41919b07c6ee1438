// The vault: what seals opens, only in its place, over rotation, roll-over of the wrapping key, and destruction; each family of keys apart.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Db } from 'mongodb';
import { dataKeyCollection } from '../../subgraphs/shared/crypto/data-keys';
import { keyFamilies } from '../../subgraphs/shared/crypto/sealed-fields';
import { createVault, type Keyring, type SealedPlace } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { openStores, type Stores } from '../support/stores';
import { keyringFor } from '../support/vault';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

const key = () => randomBytes(32).toString('base64');
const first = key();
const vault = (keyring: Keyring = keyringFor({ current: first, previous: '' })) =>
  createVault(stores.connection, keyring);
const place = (owner: string, field: SealedPlace['field'] = 'virtualAccount.token'): SealedPlace => ({ owner, field });
const keysOf = (family: (typeof keyFamilies)[number]) => stores.connection.collection(dataKeyCollection(family));

test('a sealed value opens in another process and shows nothing of itself', async () => {
  const sealed = await vault().seal(place('alpha'), 'a secret');
  expect(JSON.stringify(sealed)).not.toContain(Buffer.from('a secret').toString('base64'));
  expect(await vault().open(place('alpha'), sealed)).toBe('a secret');
});

test.each([
  ['for another account', async () => vault().open(place('beta'), await vault().seal(place('alpha'), 'x'))],
  [
    'in another field',
    async () => vault().open(place('alpha', 'contract.shown'), await vault().seal(place('alpha'), 'x')),
  ],
  [
    'changed',
    async () => vault().open(place('alpha'), { ...(await vault().seal(place('alpha'), 'x')), ciphertext: 'AAAA' }),
  ],
  [
    'under a version that does not exist',
    async () => vault().open(place('alpha'), { ...(await vault().seal(place('alpha'), 'x')), keyVersion: 99 }),
  ],
])('a value does not open %s', async (_, open) => {
  await expect(open()).rejects.toThrow();
});

describe('a wrapped key does not unwrap', () => {
  test.each([
    ['for another owner', { owner: 'thief' }],
    ['as one of the format that binds values to less', { format: 1 }],
    ['under another version', { version: 7 }],
  ])('%s', async (_, change) => {
    const owner = `moved-${Object.keys(change)[0]}`;
    const sealed = await vault().seal(place(owner), 'x');
    const moved = { ...(await keysOf('cards').findOne({ owner })), ...change };
    const { owner: now = owner, version = 1 } = change as { owner?: string; version?: number };
    await keysOf('cards').deleteOne({ owner });
    await keysOf('cards').insertOne({ ...moved, _id: `${now}:${version}` as never });
    await expect(vault().open(place(now), { ...sealed, keyVersion: version })).rejects.toThrow(/authenticate/);
  });

  test('in another family', async () => {
    const sealed = await vault().seal(place('moved-family', 'mail.link'), 'x');
    const record = await keysOf('secrets').findOne({ owner: 'moved-family' });
    await keysOf('cards').insertOne(record as never);
    await expect(vault().open(place('moved-family'), sealed)).rejects.toThrow(/authenticate/);
  });
});

test('a process opens and hashes with the families that it was given, and with no other', async () => {
  const { secrets } = keyringFor({ current: first, previous: '' });
  const callbackWorker = vault(withoutUndefined({ secrets }));
  const link = await vault().seal(place('alpha', 'mail.link'), 'a link');
  const card = await vault().seal(place('alpha', 'cardEntry.CARD_NUMBER'), 'a number');
  expect(await callbackWorker.open(place('alpha', 'mail.link'), link)).toBe('a link');
  await expect(callbackWorker.open(place('alpha', 'cardEntry.CARD_NUMBER'), card)).rejects.toThrow(
    /no VAULT_KEY_CARDS/,
  );
  await expect(callbackWorker.open(place('alpha', 'mail.link'), card)).rejects.toThrow();
  await expect(callbackWorker.keyedHash('card', '4242424242424242')).rejects.toThrow(/no VAULT_KEY_CARDS/);
});

test('two processes that seal first at once agree on the data key', async () => {
  const values = await Promise.all(Array.from({ length: 8 }, () => vault().seal(place('race'), 'v')));
  for (const sealed of values) expect(await vault().open(place('race'), sealed)).toBe('v');
});

test('rotation seals with the next version and still opens the old; hashes stay', async () => {
  const one = vault();
  const [old, hash] = [await one.seal(place('rotating'), 'old'), await one.keyedHash('card', '1')];
  await one.rotate('rotating');
  const fresh = await one.seal(place('rotating'), 'new');
  expect([old.keyVersion, fresh.keyVersion]).toEqual([1, 2]);
  expect(await one.open(place('rotating'), old)).toBe('old');
  expect(await one.rotate()).toBeGreaterThan(1);
  expect([(await vault().seal(place('rotating'), 'newer')).keyVersion, await vault().keyedHash('card', '1')]).toEqual([
    3,
    hash,
  ]);
});

test('a key that has served for a year is followed by a new one at the next seal', async () => {
  const old = await vault().seal(place('worn'), 'old');
  await keysOf('cards').updateOne({ owner: 'worn' }, { $set: { createdAt: new Date(Date.now() - 366 * 86_400_000) } });
  const sealed = await Promise.all([vault().seal(place('worn'), 'a'), vault().seal(place('worn'), 'b')]);
  expect(sealed.map(({ keyVersion }) => keyVersion > 1)).toEqual([true, true]);
  expect(await vault().open(place('worn'), old)).toBe('old');
});

test('re-wrapping moves every data key to the new wrapping key without touching a sealed value', async () => {
  const sealed = await vault().seal(place('wrapped'), 'kept');
  const hash = await vault().keyedHash('card', 'same');
  await stores.connection.collection(dataKeyCollection('cards')).deleteMany({ owner: /^moved|^thief/ });
  const second = key();
  const both = vault(keyringFor({ current: second, previous: first }));
  expect(await both.rewrap()).toBeGreaterThan(0);
  expect(await both.rewrap()).toBe(0);
  const after = vault(keyringFor({ current: second, previous: '' }));
  expect(await after.open(place('wrapped'), sealed)).toBe('kept');
  expect(await after.keyedHash('card', 'same')).toBe(hash);
  await expect(vault().open(place('wrapped'), sealed)).rejects.toThrow(/not configured/);
  await vault(keyringFor({ current: first, previous: second })).rewrap();
});

test('in each step to a new wrapping key, as documented, processes before and after their restart open what the others seal', async () => {
  const keys: Readonly<Record<string, string>> = { old: first, new: key() };
  const said = readFileSync(join(__dirname, '../../docs/security.md'), 'utf8');
  const steps = said.matchAll(/`VAULT_KEY_<FAMILY>` (old|new)(?: and `VAULT_KEY_<FAMILY>_PREVIOUS` (old|new))?/g);
  const given = [
    ['old', ''] as const,
    ...[...steps].map(([, current = '', previous = '']) => [current, previous] as const),
  ];
  const keyrings = given.map(([current, previous]) =>
    keyringFor({ current: keys[current] ?? '', previous: keys[previous] ?? '' }),
  );
  for (const [step, after] of keyrings.slice(1).entries()) {
    const pair = [keyrings[step], after];
    for (const [sealing, opening] of [pair, pair.toReversed()]) {
      const owner = place(newId());
      const sealed = await vault(sealing).seal(owner, 'made meanwhile');
      expect(await vault(opening).open(owner, sealed)).toBe('made meanwhile');
    }
  }
  expect(given.at(-1)).toEqual(['new', '']);
});

test('a destroyed account opens and seals nothing any more, within a second in every process', async () => {
  const [here, elsewhere] = [vault(), vault()];
  const card = await here.seal(place('gone'), 'x');
  const link = await elsewhere.seal(place('gone', 'mail.link'), 'y');
  expect(await elsewhere.open(place('gone'), card)).toBe('x');
  expect(await here.destroy('gone')).toBe(2);
  const refusal = { name: 'DomainError', code: 'invalidState' };
  await expect(here.open(place('gone'), card)).rejects.toMatchObject(refusal);
  await expect(here.seal(place('gone'), 'z')).rejects.toMatchObject(refusal);
  await expect(here.open(place('gone', 'mail.link'), link)).rejects.toMatchObject(refusal);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_001);
  await expect(elsewhere.open(place('gone'), card)).rejects.toMatchObject(refusal);
  jest.restoreAllMocks();
  expect(await here.destroy('gone')).toBe(0);
  expect(await here.open(place('alpha'), await here.seal(place('alpha'), 'untouched'))).toBe('untouched');
});

test('keyed hashes differ by purpose and value and are stable', async () => {
  const [a, again, purpose, value] = await Promise.all([
    vault().keyedHash('card', 'v'),
    vault().keyedHash('card', 'v'),
    vault().keyedHash('api-key', 'v'),
    vault().keyedHash('card', 'w'),
  ]);
  expect(again).toBe(a);
  expect(new Set([a, purpose, value]).size).toBe(3);
});

test.each(['', 'c2hvcnQ='])('refuses the wrapping key %p', (current) => {
  expect(() => keyringFor({ current, previous: '' })).toThrow(/the key has \d+ bytes; expected 32/);
});

test('those who come while the newest key is looked up share the answer', async () => {
  await vault().seal(place('shared-look-up'), 'a');
  const commands = jest.spyOn(Db.prototype, 'command');
  const fresh = createVault(stores.connection, keyringFor({ current: first, previous: '' }));
  const sealed = await Promise.all(Array.from({ length: 20 }, () => fresh.seal(place('shared-look-up'), 'a')));
  const lookUps = commands.mock.calls.filter(([{ find }]) => find === dataKeyCollection('cards')).length;
  commands.mockRestore();
  expect([lookUps, new Set(sealed.map(({ keyVersion }) => keyVersion)).size]).toEqual([1, 1]);
});
