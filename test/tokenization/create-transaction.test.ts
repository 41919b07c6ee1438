// Create transaction credentials (tokenization interface): credentials, repetition, refusals in the fixed order, and the race with a deletion.
import { newId } from '../../subgraphs/shared/ids';
import { createdAccount, idempotencyKey, issuer, open, remove, run, transact } from './calls';
import { openWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const minute = 60_000;
const compact = (date: Date) => date.toISOString().replace(/\D/g, '').slice(0, 14);
const fromNow = (ms: number) => compact(new Date(world.clock.now().getTime() + ms));

test('credentials carry token, expiry and a cryptogram of 20 bytes, another one each time', async () => {
  const { id, token, tokenExpiry } = await createdAccount(world, world.alpha);
  const [first, second] = await Promise.all(
    [0, 1].map(async () => open(world.alpha, (await transact(world, world.alpha, id)).encryptedData)),
  );
  expect(first).toEqual({ token, tokenExpiry, cryptogram: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/) });
  expect(Buffer.from(first?.cryptogram ?? '', 'base64')).toHaveLength(20);
  expect(second?.cryptogram).not.toBe(first?.cryptogram);
});

test('the same transactionId: stored envelope for 15 minutes, then spent; other content is refused at once', async () => {
  const { id } = await createdAccount(world, world.alpha);
  const fields = { transactionId: newId(), transactionDateTime: fromNow(0), amount: '0' };
  const first = await transact(world, world.alpha, id, { fields });
  world.clock.advance(15 * minute);
  expect(await transact(world, world.alpha, id, { fields })).toMatchObject({ encryptedData: first.encryptedData });
  expect(await transact(world, world.alpha, id, { fields: { ...fields, amount: '00' } })).toMatchObject({
    code: 'invalidData',
    field: 'transactionInfo.transactionId',
  });
  const other = await createdAccount(world, world.alpha);
  expect((await transact(world, world.alpha, other.id, { fields })).code).toBe('invalidData');
  world.clock.advance(1_000);
  expect((await transact(world, world.alpha, id, { fields })).code).toBe('invalidData');
  expect(await world.tokenization.forgetEnvelopes()).toBeGreaterThan(0);
  expect((await transact(world, world.alpha, id, { fields })).code).toBe('invalidData');
});

test('sixteen repetitions at once make one transaction and one answer', async () => {
  const { id } = await createdAccount(world, world.alpha);
  const fields = { transactionId: newId(), transactionDateTime: fromNow(0) };
  const all = await Promise.all(Array.from({ length: 16 }, () => transact(world, world.alpha, id, { fields })));
  expect(new Set(all.map(({ encryptedData }) => encryptedData)).size).toBe(1);
  expect(await world.stores.connection.collection('card_transactions').countDocuments({ virtualAccountId: id })).toBe(
    1,
  );
});

test('an idempotency key replays the stored answer', async () => {
  const { id } = await createdAccount(world, world.alpha);
  const idempotency = idempotencyKey('key-t', id);
  const first = await transact(world, world.alpha, id, { idempotency });
  expect(await transact(world, world.alpha, id, { idempotency })).toMatchObject({
    encryptedData: first.encryptedData,
    replayed: true,
  });
});

test('a suspended account is refused by the token service, a resumed one serves again', async () => {
  const { id } = await createdAccount(world, world.alpha);
  await issuer(world, id, 'SUSPEND');
  expect((await transact(world, world.alpha, id)).code).toBe('tokenServiceRefused');
  await issuer(world, id, 'RESUME');
  expect((await transact(world, world.alpha, id)).code).toBeNull();
});

test('an expired token is refused by the token service', async () => {
  const { id } = await createdAccount(world, world.alpha);
  world.clock.advance(37 * 31 * 24 * 60 * minute);
  expect((await transact(world, world.alpha, id)).code).toBe('tokenServiceRefused');
  await issuer(world, id, 'EXTEND_EXPIRY');
  expect((await transact(world, world.alpha, id)).code).toBeNull();
});

test('fields at both sides of every edge', async () => {
  const { id } = await createdAccount(world, world.alpha);
  const day = 24 * 60 * minute;
  const rows: [string, string, string | null][] = [
    ['transactionId', 'x', null],
    ['transactionId', `${'x'.repeat(60)}._-Z`, null],
    ['transactionId', 'x'.repeat(65), 'invalidInput'],
    ['transactionId', '', 'invalidInput'],
    ['transactionId', 'a b', 'invalidInput'],
    ['merchantId', 'x'.repeat(36), 'invalidInput'],
    ['merchantId', '$ne', 'invalidInput'],
    ['merchantId', 'unknown-merchant', 'agreementInactive'],
    ['merchantId', 'merchant-beta-1', 'agreementInactive'],
    ['amount', '0', null],
    ['amount', '999999999999', null],
    ['amount', '0999999999999', 'invalidInput'],
    ['amount', '', 'invalidInput'],
    ['amount', '-1', 'invalidInput'],
    ['amount', '1.0', 'invalidInput'],
    ['amount', '１２', 'invalidInput'],
    ['currencyCode', '752', null],
    ['currencyCode', '000', 'invalidData'],
    ['currencyCode', 'EUR', 'invalidInput'],
    ['currencyCode', '97', 'invalidInput'],
    ['transactionDateTime', fromNow(-7 * day), null],
    ['transactionDateTime', fromNow(-7 * day - 1_000), 'invalidData'],
    ['transactionDateTime', fromNow(15 * minute), null],
    ['transactionDateTime', fromNow(15 * minute + 1_000), 'invalidData'],
    ['transactionDateTime', '20260230101010', 'invalidData'],
    ['transactionDateTime', '20261121246000', 'invalidData'],
    ['transactionDateTime', '2026112110000', 'invalidInput'],
    ['transactionDateTime', '2026-11-21T10:', 'invalidInput'],
  ];
  for (const [field, value, code] of rows) {
    const result = await transact(world, world.alpha, id, { fields: { [field]: value } });
    expect([field, value, result.code]).toEqual([field, value, code]);
  }
});

test('in the fixed order, with everything wrong at once', async () => {
  const { id } = await createdAccount(world, world.alpha);
  const foreign = (await createdAccount(world, world.beta)).id;
  const deleted = (await createdAccount(world, world.alpha)).id;
  await remove(world, world.alpha, deleted);
  const wrong = { amount: 'x', merchantId: 'unknown', currencyCode: '000' };
  const data = { merchantId: 'unknown', currencyCode: '000' };
  const rows: [Parameters<typeof transact>[3], string, string][] = [
    [{ identifiers: { ...world.beta.identifiers, acquirerId: '' }, fields: wrong }, foreign, 'invalidInput'],
    [{ identifiers: world.beta.identifiers, fields: wrong }, foreign, 'forbidden'],
    [{ fields: wrong }, foreign, 'invalidInput'],
    [{ fields: data }, foreign, 'notFound'],
    [{ fields: data }, deleted, 'notFound'],
    [{ fields: data }, newId(), 'notFound'],
    [{ fields: data }, 'not-a-uuid', 'notFound'],
    [{ fields: data }, id, 'agreementInactive'],
    [{ fields: { currencyCode: '000' } }, id, 'invalidData'],
  ];
  for (const [options, account, code] of rows)
    expect([code, (await transact(world, world.alpha, account, options)).code]).toEqual([code, code]);
});

test('without a key to seal to: cryptographyFailed, before the suspension shows', async () => {
  const { id } = await createdAccount(world, world.alpha);
  await issuer(world, id, 'SUSPEND');
  world.recipients.delete('client-alpha');
  expect((await transact(world, world.alpha, id)).code).toBe('cryptographyFailed');
  world.recipients.set('client-alpha', world.alpha.recipient);
});

test('foreign and absent answer alike', async () => {
  const foreign = (await createdAccount(world, world.beta)).id;
  const [a, b] = [await transact(world, world.alpha, foreign), await transact(world, world.alpha, newId())];
  expect({ code: a.code, message: a.message }).toEqual({ code: b.code, message: b.message });
});

test('a deletion racing transactions: no transaction is kept after it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await createdAccount(world, world.alpha);
    const [deleted, ...transacted] = await Promise.all([
      remove(world, world.alpha, id),
      ...Array.from({ length: 4 }, () => transact(world, world.alpha, id)),
    ]);
    expect(deleted.code).toBeNull();
    const kept = transacted.filter(({ code }) => code === null).length;
    expect(transacted.every(({ code }) => code === null || code === 'notFound')).toBe(true);
    expect(await world.stores.connection.collection('card_transactions').countDocuments({ virtualAccountId: id })).toBe(
      kept,
    );
    expect((await transact(world, world.alpha, id)).code).toBe('notFound');
  }
});

test('the graph lists metadata only, newest first, page by page', async () => {
  const { id, token } = await createdAccount(world, world.alpha);
  for (const amount of ['1', '2', '3']) await transact(world, world.alpha, id, { fields: { amount } });
  type Listed = {
    virtualAccount: {
      transactions: {
        edges: { node: { amount: string; money: object | null } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    };
  };
  const page = (after: string | null) =>
    run<Listed>(
      world,
      `query ($id: ID!, $after: String) { virtualAccount(virtualAccountId: $id) { transactions(first: 2, after: $after) {
        edges { node { transactionId transactionAt amount currencyCode money { minor currency formatted } createdAt } } pageInfo { hasNextPage endCursor } } } }`,
      { caller: world.staff, variables: { id, after } },
    );
  const first = (await page(null)).data?.virtualAccount.transactions;
  expect(first?.edges.map(({ node }) => node.amount)).toEqual(['3', '2']);
  expect(first?.edges[0]?.node.money).toEqual({ minor: '3', currency: 'EUR', formatted: '€0.03' });
  const second = (await page(first?.pageInfo.endCursor ?? null)).data?.virtualAccount.transactions;
  expect(second).toMatchObject({ edges: [{ node: { amount: '1' } }], pageInfo: { hasNextPage: false } });
  expect(JSON.stringify([first, second])).not.toContain(token);
});
