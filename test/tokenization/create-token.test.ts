// Create token (tokenization interface): the whole use case on real stores, its refusals in the fixed order, and races.
import { slotOfId } from '../../subgraphs/shared/ids';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { create, createdAccount, eventsOf, idempotencyKey, issuer, open, remove, sealedCard } from './calls';
import { newCard, openWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const good = { account: '4242424242424242', accountExpiry: '122030', cvv: '123', name: 'Ada Lovelace' };

test('a card becomes an ACTIVE account, a sealed token and one event', async () => {
  const account = newCard();
  const { id, state, token, tokenExpiry } = await createdAccount(world, world.alpha, { account });
  expect(state).toBe('ACTIVE');
  expect(token).toMatch(/^9[456]\d{14}$/);
  expect(tokenExpiry).toBe('112029');
  const events = await eventsOf(world, id);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: 'virtualAccount.created',
    sequence: 1,
    accountId: 'alpha',
    merchantId: 'merchant-alpha-1',
    position: null,
  });
  expect(events[0]?.data).toMatchObject({
    virtualAccountId: id,
    state: 'ACTIVE',
    tokenStatus: 'ACTIVE',
    accountExpiry: '122030',
    tokenExpiry,
    ...world.alpha.identifiers,
    accountMasked: `${account.slice(0, 6)}******${account.slice(-4)}`,
    tokenMasked: `${token.slice(0, 6)}******${token.slice(-4)}`,
  });
});

test('the same card again gives the same account and a fresh envelope of the same token', async () => {
  const account = newCard();
  const first = await createdAccount(world, world.alpha, { account });
  const second = await createdAccount(world, world.alpha, { account });
  expect(second).toMatchObject({ id: first.id, token: first.token });
  expect(second.encryptedData).not.toBe(first.encryptedData);
  expect(await eventsOf(world, first.id)).toHaveLength(1);
});

describe('a renewed card', () => {
  const sent = (account: string, accountExpiry: string) => ({ plaintext: { ...good, account, accountExpiry } });

  test('keeps its account, which has its new expiry from then on; an older one turns nothing back', async () => {
    const account = newCard();
    const { id, token } = await createdAccount(world, world.alpha, sent(account, '122030'));
    for (const expiry of ['012032', '122032', '122032', '122030', '112032'])
      expect(await createdAccount(world, world.alpha, sent(account, expiry))).toMatchObject({ id, token });
    const { data } = await issuer(world, id, 'ASSIGN_PAR');
    expect(data?.applyIssuerEvent.accountExpiry).toBe('122032');
    expect((await eventsOf(world, id)).map((event) => [event.sequence, event.type, event.data])).toMatchObject([
      [1, 'virtualAccount.created', { accountExpiry: '122030' }],
      [2, 'virtualAccount.cardUpdated', { accountExpiry: '012032', by: 'caller', changes: ['cardExpiry'] }],
      [3, 'virtualAccount.cardUpdated', { accountExpiry: '122032', by: 'caller', changes: ['cardExpiry'] }],
      [4, 'virtualAccount.cardUpdated', { accountExpiry: '122032', by: 'issuer', changes: ['par'] }],
    ]);
  });

  test('that was sent first and is repeated by its key changes nothing; eight at once are one change', async () => {
    const account = newCard();
    const encryptedData = await sealedCard(world, { ...good, account });
    const idempotency = idempotencyKey('renewed', encryptedData);
    const first = await create(world, world.alpha, { encryptedData, idempotency });
    const id = first.created?.virtualAccount.virtualAccountId ?? '';
    await issuer(world, id, 'SUSPEND');
    const renewals = Array.from({ length: 8 }, () => createdAccount(world, world.alpha, sent(account, '122032')));
    for (const renewed of await Promise.all(renewals)) expect(renewed).toMatchObject({ id, state: 'SUSPENDED' });
    const again = await create(world, world.alpha, { encryptedData, idempotency });
    expect(again).toMatchObject({ data: first.data, replayed: true });
    const events = await eventsOf(world, id);
    expect(events.map(({ data }) => data.accountExpiry)).toEqual(['122030', '122030', '122032']);
  });
});

test('a deleted card gets a new account; another merchant its own', async () => {
  const account = newCard();
  const first = await createdAccount(world, world.alpha, { account });
  expect((await remove(world, world.alpha, first.id)).code).toBeNull();
  const second = await createdAccount(world, world.alpha, { account });
  expect(second.id).not.toBe(first.id);
  expect((await createdAccount(world, world.beta, { account })).id).not.toBe(second.id);
});

test('the ids of an account and of its events tell the slot of the merchant', async () => {
  const { id } = await createdAccount(world, world.alpha, { account: newCard() });
  const slot = slotOf({ merchantId: 'merchant-alpha-1', accountId: 'alpha' });
  const events = await eventsOf(world, id);
  expect([id, ...events.map(({ _id }) => String(_id))].map(slotOfId)).toEqual([slot, slot]);
});

test('sixteen creations of one card at once make one account', async () => {
  const account = newCard();
  const all = await Promise.all(Array.from({ length: 16 }, () => createdAccount(world, world.alpha, { account })));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(new Set(all.map(({ token }) => token)).size).toBe(1);
  expect(await eventsOf(world, all[0]?.id ?? '')).toHaveLength(1);
  await world.tokenization.settleUnknownOutcomes();
  const tokens = await world.stores.connection
    .collection('sandbox_token_service_tokens')
    .find({ merchantId: 'merchant-alpha-1', live: true })
    .toArray();
  const accounts = await world.stores.connection
    .collection('virtual_accounts')
    .find({ merchantId: 'merchant-alpha-1', live: true })
    .toArray();
  expect(tokens.map((token) => [String(token._id), token.usedBy]).toSorted()).toEqual(
    accounts.map((each) => [each.tokenReference, [each.provisioningId]]).toSorted(),
  );
});

test('an idempotency key replays the stored answer, byte for byte', async () => {
  const encryptedData = await sealedCard(world, { ...good, account: newCard() });
  const idempotency = idempotencyKey('key-1', encryptedData);
  const first = await create(world, world.alpha, { encryptedData, idempotency });
  const second = await create(world, world.alpha, { encryptedData, idempotency });
  expect(second).toMatchObject({ data: first.data, replayed: true });
  expect(
    (await create(world, world.alpha, { encryptedData, idempotency: idempotencyKey('key-1', 'other') })).code,
  ).toBe('idempotencyMismatch');
});

describe('refusals', () => {
  const plaintexts: [string, Record<string, unknown>, string, string | undefined][] = [
    ['account of 11 digits', { ...good, account: '42424242424' }, 'invalidInput', 'accountInfo.account'],
    ['account of 20 digits', { ...good, account: '42424242424242424242' }, 'invalidInput', 'accountInfo.account'],
    ['account as a number', { ...good, account: 4242424242424242 }, 'invalidInput', 'accountInfo.account'],
    ['account with spaces', { ...good, account: '4242 4242 4242 4242' }, 'invalidInput', 'accountInfo.account'],
    ['no account', { accountExpiry: '122030' }, 'invalidInput', 'accountInfo.account'],
    ['no expiry', { account: good.account }, 'invalidInput', 'accountInfo.accountExpiry'],
    ['month 00', { ...good, accountExpiry: '002030' }, 'invalidInput', 'accountInfo.accountExpiry'],
    ['month 13', { ...good, accountExpiry: '132030' }, 'invalidInput', 'accountInfo.accountExpiry'],
    ['expiry MM/YY', { ...good, accountExpiry: '12/30' }, 'invalidInput', 'accountInfo.accountExpiry'],
    ['cvv of 2 digits', { ...good, cvv: '12' }, 'invalidInput', 'accountInfo.cvv'],
    ['cvv of 4 digits on VISA', { ...good, cvv: '1234' }, 'invalidInput', 'accountInfo.cvv'],
    ['cvv of 3 digits on 37', { ...good, account: '378282246310005', cvv: '123' }, 'invalidInput', 'accountInfo.cvv'],
    ['cvv null', { ...good, cvv: null }, 'invalidInput', 'accountInfo.cvv'],
    ['name of 1 character', { ...good, name: ' A ' }, 'invalidInput', 'accountInfo.name'],
    ['name of 46 characters', { ...good, name: 'A'.repeat(46) }, 'invalidInput', 'accountInfo.name'],
    ['name with a digit', { ...good, name: 'R2 D2' }, 'invalidInput', 'accountInfo.name'],
    ['wrong check digit', { ...good, account: '4242424242424241' }, 'invalidData', 'accountInfo.account'],
    ['expired last month', { ...good, accountExpiry: '102026' }, 'invalidData', 'accountInfo.accountExpiry'],
    ['a month beyond 20 years', { ...good, accountExpiry: '122046' }, 'invalidData', 'accountInfo.accountExpiry'],
    ['AMEX', { ...good, account: '378282246310005', cvv: '1234' }, 'binNotTokenizable', undefined],
    ['2220, just below Mastercard', { ...good, account: newCard('2220') }, 'binNotTokenizable', undefined],
    ['token service refuses', { ...good, account: '6011111111111117' }, 'tokenServiceRefused', undefined],
    ['token service fails', { ...good, account: '4000000000000341' }, 'tokenServiceFailed', undefined],
  ];
  test.each(plaintexts)('%s', async (_name, plaintext, code, field) => {
    expect(await create(world, world.alpha, { plaintext })).toMatchObject({ code, field });
  });

  const accepted: [string, Record<string, unknown>][] = [
    ['this month', { ...good, account: newCard(), accountExpiry: '112026' }],
    ['20 years ahead', { ...good, account: newCard(), accountExpiry: '112046' }],
    ['12 digits', { account: '400000000002', accountExpiry: '122030' }],
    [
      'a name of 45 letters and marks',
      { ...good, account: newCard(), name: `Žofie O'Neill-d'Arc/Jr. ${'é'.repeat(21)}` },
    ],
    ['Mastercard 2-series', { ...good, account: newCard('2720') }],
    ['unknown fields', { ...good, account: newCard(), loyalty: { $ne: null } }],
  ];
  test.each(accepted)('accepted: %s', async (_name, plaintext) => {
    expect(await create(world, world.alpha, { plaintext })).toMatchObject({ code: null });
  });

  test('in the fixed order, with everything wrong at once', async () => {
    const foreign = world.beta.identifiers;
    const bad = await sealedCard(world, { ...good, account: '4242424242424241' });
    const rows: [Parameters<typeof create>[2], string][] = [
      [{ encryptedData: 'x'.repeat(8193), identifiers: { ...foreign, pspId: 'ä' }, merchantId: '' }, 'payloadTooLarge'],
      [{ encryptedData: 'x', identifiers: { ...foreign, pspId: 'ä' }, merchantId: '' }, 'invalidInput'],
      [{ encryptedData: 'x', identifiers: foreign, merchantId: '' }, 'forbidden'],
      [{ encryptedData: bad, merchantId: 'not ok' }, 'invalidInput'],
      [{ encryptedData: 'a.b.c.d', merchantId: 'nobody' }, 'invalidInput'],
      [{ encryptedData: 'AA.AA.AA.AA.AA', merchantId: 'nobody' }, 'agreementInactive'],
      [{ encryptedData: 'AA.AA.AA.AA.AA' }, 'cryptographyFailed'],
      [{ encryptedData: bad }, 'invalidData'],
    ];
    for (const [options, code] of rows)
      expect([code, (await create(world, world.alpha, options)).code]).toEqual([code, code]);
  });

  test('without a key to seal to, nothing is sent to the token service', async () => {
    world.recipients.delete('client-alpha');
    const before = await world.stores.connection.collection('provisioning_intents').countDocuments();
    expect((await create(world, world.alpha)).code).toBe('cryptographyFailed');
    expect(await world.stores.connection.collection('provisioning_intents').countDocuments()).toBe(before);
    world.recipients.set('client-alpha', world.alpha.recipient);
  });

  test('messages carry neither number nor security code', async () => {
    for (const [, plaintext] of plaintexts) {
      const { message } = await create(world, world.alpha, { plaintext });
      expect(message).not.toMatch(/\d{6,}/);
    }
  });
});

test('a result opens with the registered key only', async () => {
  const { encryptedData } = await createdAccount(world, world.alpha);
  await expect(open(world.beta, encryptedData)).rejects.toThrow();
});
