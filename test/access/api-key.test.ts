// API keys: two active per holder, looked up by a visible id, revoked everywhere within a second, never crossing kind, account or environment.
import { randomBytes } from 'node:crypto';
import { apiKeyIdPrefix, splitApiKey } from '../../subgraphs/access/keys/api-key';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { admin, openWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.closeAll());

const staff = requestContext(admin, newId());

function wanted(overrides: object = {}) {
  const input = {
    kind: 'checkout',
    mode: 'live',
    accountId: 'alpha',
    holderId: `terminal-${newId()}`,
    merchantId: 'merchant-alpha',
    label: 'till 1',
  };
  return { ...input, ...overrides } as Parameters<World['access']['apiKeys']['issue']>[1];
}

async function issue(overrides: object = {}) {
  const { key, secret } = await world.access.apiKeys.issue(staff, wanted(overrides));
  return { key, secret, whole: `${key.keyId}.${secret}` };
}

const unauthenticated = { code: 'unauthenticated' };

it('issues a key whose kind, environment and mode can be read, and whose secret is kept nowhere', async () => {
  const { key, secret, whole } = await issue({ mode: 'live-test', kind: 'partner' });
  expect(key.keyId).toMatch(/^partner_sandbox_live-test_[0-9a-f]{24}$/);
  expect(splitApiKey(whole)).toEqual({ keyId: key.keyId, secret });
  expect(await world.access.apiKeys.authenticate('partner', whole)).toMatchObject({
    mode: 'live-test',
    accountId: 'alpha',
  });
  expect(JSON.stringify(await world.connection.collection('api_keys').find().toArray())).not.toContain(secret);
  expect(await world.connection.collection('audit').findOne({ subjectId: key.keyId })).toMatchObject({
    action: 'apiKey.issued',
  });
});

it('says test in the sandbox, not live, and live in production', async () => {
  expect((await issue()).key.keyId).toMatch(/^checkout_sandbox_test_[0-9a-f]{24}$/);
  expect(apiKeyIdPrefix('production', 'checkout', 'live')).toBe('checkout_production_live_');
});

it('goes on with a key that a former release handed out, by its id of then and of now, until it is revoked', async () => {
  const { apiKeys } = world.access;
  const keyIdTail = randomBytes(12).toString('hex');
  const seeded = { ...wanted({ label: 'sandbox' }), keyIdTail, secret: 'z'.repeat(43) };
  await apiKeys.seed(seeded);
  const collection = world.connection.collection<{ _id: string; holderId: string }>('api_keys');
  const [now, then] = ['test', 'live'].map((word) => `checkout_sandbox_${word}_${keyIdTail}`);
  const { _id, ...rest } = (await collection.findOne({ _id: now })) ?? { _id: '', holderId: '' };
  expect(_id).toBe(now);
  await collection.deleteOne({ _id });
  await collection.insertOne({ _id: then ?? '', ...rest });
  await apiKeys.seed(seeded);
  expect(await collection.countDocuments({ holderId: seeded.holderId })).toBe(1);
  for (const keyId of [then, now]) {
    expect(await apiKeys.authenticate('checkout', `${keyId}.${seeded.secret}`)).toMatchObject({ keyId: then });
  }
  await apiKeys.revoke(staff, now ?? '');
  for (const keyId of [then, now]) {
    await eventually(async () => {
      const found = await apiKeys.authenticate('checkout', `${keyId}.${seeded.secret}`).catch(({ code }) => code);
      return found === 'keyRevoked';
    });
  }
});

it('refuses whatever is not the whole key of the right kind and environment', async () => {
  const { key, secret, whole } = await issue();
  const other = await issue();
  const { access: production } = await world.instance('production');
  for (const presented of [
    '',
    key.keyId,
    secret,
    `${key.keyId}.`,
    `${whole}x`,
    `${key.keyId}.${other.secret}`,
    `checkout_sandbox_test_${'0'.repeat(24)}.${secret}`,
  ]) {
    await expect(world.access.apiKeys.authenticate('checkout', presented)).rejects.toMatchObject(unauthenticated);
  }
  await expect(world.access.apiKeys.authenticate('partner', whole)).rejects.toMatchObject(unauthenticated);
  await expect(production.apiKeys.authenticate('checkout', whole)).rejects.toMatchObject(unauthenticated);
  await expect(
    production.apiKeys.authenticate('checkout', whole.replace('sandbox', 'production')),
  ).rejects.toMatchObject(unauthenticated);
});

it('keeps two active keys per holder and mode, also when many are asked for at once', async () => {
  const input = wanted();
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => world.access.apiKeys.issue(staff, input)));
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(2);
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'invalidData' });
  await expect(world.access.apiKeys.issue(staff, { ...input, mode: 'live-test' })).resolves.toBeTruthy();
  const [first] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  await world.access.apiKeys.revoke(staff, first?.key.keyId ?? '');
  await expect(world.access.apiKeys.issue(staff, input)).resolves.toBeTruthy();
});

it('revokes in every process within a second, once and for all', async () => {
  const { key, whole } = await issue();
  const { access: elsewhere } = await world.instance();
  await elsewhere.apiKeys.authenticate('checkout', whole);
  await world.access.apiKeys.revoke(staff, key.keyId);
  await expect(world.access.apiKeys.authenticate('checkout', whole)).rejects.toMatchObject({ code: 'keyRevoked' });
  await eventually(
    () =>
      elsewhere.apiKeys.authenticate('checkout', whole).then(
        () => false,
        () => true,
      ),
    { timeoutMs: 1_000 },
  );
  await world.access.apiKeys.revoke(staff, key.keyId);
  expect(
    await world.connection.collection('audit').countDocuments({ subjectId: key.keyId, action: 'apiKey.revoked' }),
  ).toBe(1);
});

it('an account neither makes nor revokes the keys of another', async () => {
  const { key, whole } = await issue();
  const beta: Caller = { ...admin, accountId: 'beta' };
  const context = requestContext(beta, newId());
  await expect(world.access.apiKeys.revoke(context, key.keyId)).rejects.toMatchObject({ code: 'notFound' });
  await expect(world.access.apiKeys.issue(context, wanted())).rejects.toMatchObject({ code: 'notFound' });
  await expect(world.access.apiKeys.authenticate('checkout', whole)).resolves.toBeTruthy();
});

it.each(['', '   ', 'x'.repeat(101)])('refuses the label %j', async (label) => {
  await expect(world.access.apiKeys.issue(staff, wanted({ label }))).rejects.toMatchObject({ code: 'invalidInput' });
});
