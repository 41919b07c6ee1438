// Data of a release before 0.4: its keys go to the families at the first start, card data opens as before, and secrets only under their own family.
import { randomBytes } from 'node:crypto';
import { moveFormerKeys } from '../../app/former-keys';
import { encrypt, localKeyEncryption } from '../../subgraphs/shared/crypto/key-encryption';
import { createVault, type Sealed } from '../../subgraphs/shared/crypto/vault';
import { openStores, type Stores } from '../support/stores';
import { keyringFor } from '../support/vault';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

const former = randomBytes(32).toString('base64');
const key = localKeyEncryption(former, 'VAULT_KEY');
const keyring = keyringFor({ current: randomBytes(32).toString('base64'), previous: '' });
const vaultOf = () => createVault(stores.connection, keyring);
const collection = (name: string) => stores.connection.collection<{ _id: string }>(name);
const move = (by = former) => moveFormerKeys(stores.connection, { former: by, keyring, vault: vaultOf() });

/** As the former release kept them: wrapped and sealed with nothing but the owner bound. */
async function formerKey(owner: string): Promise<(text: string) => Sealed> {
  const bytes = randomBytes(32);
  const wrapped = encrypt(Buffer.from(former, 'base64'), bytes, '');
  await collection('data_keys').insertOne({
    _id: `${owner}:1`,
    owner,
    version: 1,
    wrappedBy: key.id,
    wrapped,
  } as never);
  return (text) => ({ keyVersion: 1, ...encrypt(bytes, Buffer.from(text), owner) });
}

test('an empty database needs no former key', async () => expect(await move('')).toBe(0));

test('a start without the former key says what is missing, and one with it moves everything, in pieces if need be', async () => {
  const seal = await formerKey('alpha');
  const sealResult = await formerKey('idempotency');
  await formerKey('hash:client-secret');
  const [token, result] = [seal('4000001234567890'), sealResult('an answer')];
  await collection('callback_endpoints').insertOne({
    _id: 'e',
    accountId: 'alpha',
    authorization: null,
    secrets: [
      { secretId: '1', sealed: seal('whsec_a') },
      { secretId: '2', sealed: seal('whsec_b') },
    ],
  } as never);
  await collection('events').insertOne({
    _id: 'v',
    accountId: 'alpha',
    data: { webhooks: [{ url: 'https://a', authorizationSealed: seal('Basic x') }] },
  } as never);
  await expect(move('')).rejects.toThrow(/set VAULT_KEY to the key that it had/);
  // A start that was killed in the middle left former keys and moved ones.
  const left = await collection('data_keys').find().toArray();
  expect(await move()).toBe(3);
  await collection('data_keys').insertMany(left);
  expect(await move()).toBe(3);
  expect(await move('')).toBe(0);

  const vault = vaultOf();
  const cards = { owner: 'alpha', field: 'virtualAccount.token' } as const;
  expect(await vault.open(cards, token)).toBe('4000001234567890');
  expect((await vault.seal(cards, 'fresh')).keyVersion).toBe(2);
  expect(await vault.open({ owner: 'idempotency', field: 'result.secrets' }, result)).toBe('an answer');
  const endpoint = (await collection('callback_endpoints').findOne({ _id: 'e' })) as never as {
    secrets: { sealed: Sealed }[];
  };
  const { secrets } = keyring;
  const worker = createVault(stores.connection, secrets ? { secrets } : {});
  const opened = endpoint.secrets.map(({ sealed }) =>
    worker.open({ owner: 'alpha', field: 'callbackEndpoint.secret' }, sealed),
  );
  expect(await Promise.all(opened)).toEqual(['whsec_a', 'whsec_b']);
  const event = (await collection('events').findOne({ _id: 'v' })) as never as {
    data: { webhooks: { authorizationSealed: Sealed }[] };
  };
  const [webhook] = event.data.webhooks;
  expect(
    await worker.open({ owner: 'alpha', field: 'callback.authorization' }, webhook?.authorizationSealed as Sealed),
  ).toBe('Basic x');
});
