// Token state (tokenization interface): deletion by the caller, what issuer and network do, the events that tell, and races.
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { create, createdAccount, eventsOf, issuer, remove, run, transact } from './calls';
import { newCard, openWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('a deletion by the caller is final and told once', async () => {
  const { id } = await createdAccount(world, world.alpha);
  expect(await remove(world, world.alpha, id, { reasonCode: '1024' })).toMatchObject({
    data: { updateTokenState: { state: 'DELETED' } },
  });
  expect(await remove(world, world.alpha, id, { reasonCode: '1026' })).toMatchObject({
    data: { updateTokenState: { state: 'DELETED' } },
  });
  const events = await eventsOf(world, id);
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['virtualAccount.created', 1],
    ['virtualAccount.deleted', 2],
  ]);
  expect(events[1]?.data).toMatchObject({
    state: 'DELETED',
    tokenStatus: 'SUSPENDED',
    by: 'caller',
    reasonCode: '1024',
  });
});

test('a suspended account can be deleted', async () => {
  const { id } = await createdAccount(world, world.alpha);
  await issuer(world, id, 'SUSPEND');
  expect((await remove(world, world.alpha, id)).data?.updateTokenState.state).toBe('DELETED');
});

test('of a deleted merchant can be deleted, while the agreement itself allows it', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: each call knows the shape of what it asked for
  const staff = async (source: string): Promise<any> =>
    (await run(world, source, { caller: world.staff, subgraph: 'merchants' })).data;
  const { merchant } = await staff('{ merchant(merchantId: "merchant-alpha-1") { agreements { agreementId } } }');
  const { agreementId } = merchant.agreements[0];
  const merchantId = 'merchant-closing';
  await staff(
    `mutation { createMerchant(input: { accountId: "alpha", merchantId: "${merchantId}", name: "C" }) { status } }`,
  );
  await staff(`mutation { enrolMerchant(merchantId: "${merchantId}", agreementId: "${agreementId}") { status } }`);
  const { id } = await createdAccount(world, world.alpha, { merchantId });
  const become = (code: string | null) =>
    eventually(async () => (await create(world, world.alpha, { merchantId })).code === code);
  await staff(`mutation { setMerchantStatus(merchantId: "${merchantId}", status: INACTIVE) { status } }`);
  await become('agreementInactive');
  expect((await remove(world, world.alpha, id)).code).toBe('agreementInactive');
  await staff(`mutation { deleteMerchant(merchantId: "${merchantId}", userId: "closing") { status } }`);
  const agree = (status: string) =>
    staff(`mutation { setAgreementStatus(agreementId: "${agreementId}", status: ${status}) { status } }`);
  await agree('SUSPENDED');
  expect((await remove(world, world.alpha, id)).code).toBe('agreementInactive');
  await agree('ACTIVE');
  expect((await create(world, world.alpha, { merchantId })).code).toBe('agreementInactive');
  expect((await transact(world, world.alpha, id, { fields: { merchantId } })).code).toBe('agreementInactive');
  expect((await remove(world, world.alpha, id)).data?.updateTokenState.state).toBe('DELETED');
});

test('every reason code, and the edges around them', async () => {
  const rows: [string, string, string | null][] = [
    ...['1023', '1024', '1025', '1026', '1027'].map((code): [string, string, null] => ['DELETE', code, null]),
    ['DELETE', '1022', 'invalidData'],
    ['DELETE', '1028', 'invalidData'],
    ['DELETE', '102', 'invalidInput'],
    ['DELETE', '10233', 'invalidInput'],
    ['DELETE', 'abcd', 'invalidInput'],
    ['SUSPEND', '1023', 'invalidData'],
    ['delete', '1023', 'invalidData'],
    ['', '1023', 'invalidInput'],
  ];
  for (const [tokenState, reasonCode, code] of rows) {
    const { id } = await createdAccount(world, world.alpha);
    const result = await remove(world, world.alpha, id, { tokenState, reasonCode });
    expect([tokenState, reasonCode, result.code]).toEqual([tokenState, reasonCode, code]);
  }
});

test('in the fixed order, with everything wrong at once', async () => {
  const foreign = (await createdAccount(world, world.beta)).id;
  const { id } = await createdAccount(world, world.alpha);
  const rows: [Parameters<typeof remove>[3], string, string][] = [
    [{ identifiers: { ...world.beta.identifiers, pspId: '_' }, reasonCode: 'x' }, foreign, 'invalidInput'],
    [{ identifiers: world.beta.identifiers, reasonCode: 'x' }, foreign, 'forbidden'],
    [{ reasonCode: 'x' }, foreign, 'invalidInput'],
    [{ reasonCode: '9999' }, foreign, 'notFound'],
    [{ reasonCode: '9999' }, newId(), 'notFound'],
    [{ reasonCode: '9999' }, id, 'invalidData'],
  ];
  for (const [options, account, code] of rows)
    expect([code, (await remove(world, world.alpha, account, options)).code]).toEqual([code, code]);
});

describe('issuer and network', () => {
  test('suspension and resumption, each told once', async () => {
    const { id } = await createdAccount(world, world.alpha);
    for (const event of ['RESUME', 'SUSPEND', 'SUSPEND', 'RESUME', 'RESUME'])
      expect((await issuer(world, id, event)).code).toBeNull();
    const events = await eventsOf(world, id);
    expect(events.map(({ type, sequence, data }) => [type, sequence, data.state, data.tokenStatus])).toEqual([
      ['virtualAccount.created', 1, 'ACTIVE', 'ACTIVE'],
      ['virtualAccount.suspended', 2, 'SUSPENDED', 'SUSPENDED'],
      ['virtualAccount.resumed', 3, 'ACTIVE', 'ACTIVE'],
    ]);
  });

  test('card updates name what changed', async () => {
    const account = newCard();
    const { id } = await createdAccount(world, world.alpha, { account });
    const replaced = (await issuer(world, id, 'REPLACE_CARD')).data?.applyIssuerEvent;
    expect(replaced?.accountMasked.slice(0, 6)).toBe(account.slice(0, 6));
    const extended = (await issuer(world, id, 'EXTEND_EXPIRY')).data?.applyIssuerEvent;
    expect(extended).toMatchObject({ accountExpiry: '112033', tokenExpiry: '112032' });
    const par = (await issuer(world, id, 'ASSIGN_PAR')).data?.applyIssuerEvent.par;
    expect(par).toMatch(/^[A-Z0-9]{29}$/);
    const events = await eventsOf(world, id);
    expect(events.map(({ type, data }) => [type, data.changes])).toEqual([
      ['virtualAccount.created', undefined],
      ['virtualAccount.cardUpdated', ['cardNumber', 'cardExpiry']],
      ['virtualAccount.cardUpdated', ['cardExpiry', 'tokenExpiry']],
      ['virtualAccount.cardUpdated', ['par']],
    ]);
    expect(events[3]?.data).toMatchObject({ accountPar: par, by: 'issuer' });
  });

  test('after a replacement the old card makes a new account', async () => {
    const account = newCard();
    const { id } = await createdAccount(world, world.alpha, { account });
    await issuer(world, id, 'REPLACE_CARD');
    expect((await createdAccount(world, world.alpha, { account })).id).not.toBe(id);
  });

  test('some cards have their PAR at once', async () => {
    const cards = Array.from({ length: 40 }, () => newCard());
    const odd = cards.find((card) => Number(card.at(-1)) % 2 === 1);
    const even = cards.find((card) => Number(card.at(-1)) % 2 === 0);
    expect((await createdAccount(world, world.alpha, { account: odd })).par).toMatch(/^[A-Z0-9]{29}$/);
    expect((await createdAccount(world, world.alpha, { account: even })).par).toBeNull();
  });

  test('a deletion is told as by the issuer; afterwards nothing happens any more', async () => {
    const { id } = await createdAccount(world, world.alpha);
    await issuer(world, id, 'DELETE');
    for (const event of ['SUSPEND', 'RESUME', 'REPLACE_CARD', 'EXTEND_EXPIRY', 'ASSIGN_PAR', 'DELETE']) {
      expect((await issuer(world, id, event)).data?.applyIssuerEvent.state).toBe('DELETED');
    }
    const events = await eventsOf(world, id);
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      type: 'virtualAccount.deleted',
      data: { by: 'issuer', tokenStatus: 'SUSPENDED' },
    });
  });

  test('unknown accounts are not found; neither a tokenization client nor staff may play issuer', async () => {
    expect((await issuer(world, newId(), 'SUSPEND')).code).toBe('notFound');
    const { id } = await createdAccount(world, world.alpha);
    for (const caller of [world.alpha.caller, world.staff])
      expect((await issuer(world, id, 'SUSPEND', caller)).code).toBe('forbidden');
  });
});

test('sixteen deletions at once: all succeed, one is told', async () => {
  const { id } = await createdAccount(world, world.alpha);
  const all = await Promise.all(Array.from({ length: 16 }, () => remove(world, world.alpha, id)));
  expect(all.every(({ code }) => code === null)).toBe(true);
  expect(await eventsOf(world, id)).toHaveLength(2);
});

test('issuer and caller racing: legal states, sequences without gaps, one end', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await createdAccount(world, world.alpha);
    await Promise.all([
      issuer(world, id, 'SUSPEND'),
      remove(world, world.alpha, id),
      issuer(world, id, 'ASSIGN_PAR'),
      issuer(world, id, 'DELETE'),
    ]);
    const events = await eventsOf(world, id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'virtualAccount.deleted')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('virtualAccount.deleted');
  }
});

describe('in the graph', () => {
  const source = `query ($id: ID!) { virtualAccount(virtualAccountId: $id) {
    virtualAccountId state par accountMasked accountExpiry tokenMasked tokenExpiry reasonCode createdAt updatedAt merchant { merchantId } agreement { agreementId } } }`;

  test('staff see every account, an account its own, others nothing; a tokenization client its own', async () => {
    const { id } = await createdAccount(world, world.alpha);
    const see = async (caller: Parameters<typeof run>[2]['caller']) =>
      run<{ virtualAccount: object | null }>(world, source, { caller, variables: { id } });
    const bound = { ...world.staff, accountId: 'alpha' };
    expect((await see(world.staff)).data?.virtualAccount).toMatchObject({
      virtualAccountId: id,
      merchant: { merchantId: 'merchant-alpha-1' },
    });
    expect((await see(bound)).data?.virtualAccount).toMatchObject({ virtualAccountId: id });
    expect((await see({ ...bound, accountId: 'beta' })).data?.virtualAccount).toBeNull();
    expect((await see({ ...bound, environment: 'production' })).data?.virtualAccount).toBeNull();
    expect((await see(world.alpha.caller)).data?.virtualAccount).toMatchObject({ virtualAccountId: id });
    expect((await see(world.beta.caller)).data?.virtualAccount).toBeNull();
  });

  test('lists by filter and by merchant, one query for all merchants', async () => {
    await createdAccount(world, world.beta);
    const listed = await run<{ virtualAccounts: { edges: { node: { merchant: { merchantId: string } } }[] } }>(
      world,
      '{ virtualAccounts(filter: { merchantId: "merchant-beta-1", state: ACTIVE }, first: 100) { edges { node { merchant { merchantId } } } } }',
      { caller: world.staff },
    );
    const merchants = listed.data?.virtualAccounts.edges.map(({ node }) => node.merchant.merchantId);
    expect(new Set(merchants)).toEqual(new Set(['merchant-beta-1']));

    const byMerchant = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Merchant {
      merchantId virtualAccounts(first: 1) { edges { node { virtualAccountId } } pageInfo { hasNextPage endCursor } } } } }`;
    const representations = ['merchant-alpha-1', 'merchant-beta-1', 'nobody'].map((merchantId) => ({
      __typename: 'Merchant',
      merchantId,
    }));
    const bound = { ...world.staff, accountId: 'beta' };
    type Entities = { _entities: { merchantId: string; virtualAccounts: { edges: unknown[] } }[] };
    const database = world.stores.product.db;
    if (!database) throw new Error('not connected');
    const queries = jest.spyOn(database, 'aggregate');
    const { data } = await run<Entities>(world, byMerchant, { caller: bound, variables: { representations } });
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    expect(data?._entities.map(({ virtualAccounts }) => virtualAccounts.edges.length)).toEqual([0, 1, 0]);
  });

  test('a cursor of elsewhere and a page out of bounds are refused', async () => {
    for (const argument of ['after: "WzFd"', 'after: "x"', 'first: 0', 'first: 101']) {
      expect(
        (await run(world, `{ virtualAccounts(${argument}) { edges { cursor } } }`, { caller: world.staff })).code,
      ).toBe('invalidInput');
    }
  });
});
