// Merchants and agreements: what staff change, what each tenant sees, and the facts that tokenization asks for (tokenization interface, MTS-1611).
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { create, createdAccount, idempotencyKey, remove, run, transact } from '../tokenization/calls';
import { openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ask = <Data = Record<string, never>>(
  source: string,
  caller: Caller = world.staff,
  idempotency?: ReturnType<typeof idempotencyKey>,
) => run<Data>(world, source, { caller, subgraph: 'merchants', idempotency });
const accountOf = (accountId: string): Caller => ({ ...world.staff, accountId });
const agreementOf = async (merchantId: string) => {
  const { data } = await ask<{ merchant: { agreements: { agreementId: string }[] } }>(
    `{ merchant(merchantId: "${merchantId}") { agreements { agreementId } } }`,
  );
  return data?.merchant.agreements[0]?.agreementId ?? '';
};
const audited = (subjectId: string) => world.stores.connection.collection('audit').find({ subjectId }).toArray();

test('a merchant with everything that belongs to it', async () => {
  const { data } =
    await ask(`{ merchant(merchantId: "merchant-alpha-1") { merchantId merchantNumber name status invoicing
    account { accountId name } agreements { acquirerId providerId pspId status schemes } } }`);
  expect(data).toEqual({
    merchant: {
      merchantId: 'merchant-alpha-1',
      merchantNumber: 1,
      name: 'alpha',
      status: 'ACTIVE',
      invoicing: 'ENABLED',
      account: { accountId: 'alpha', name: 'alpha' },
      agreements: [{ ...world.alpha.identifiers, status: 'ACTIVE', schemes: ['VISA', 'MASTERCARD', 'DISCOVER'] }],
    },
  });
});

test('seeding again changes nothing', async () => {
  const agreementId = await agreementOf('merchant-beta-1');
  await ask(`mutation { setMerchantStatus(merchantId: "merchant-beta-1", status: INACTIVE) { status } }`);
  await world.merchants.seedTenant({
    accountId: 'beta',
    name: 'beta',
    merchantId: 'merchant-beta-1',
    merchantNumber: 2,
    identifiers: world.beta.identifiers,
  });
  expect(await agreementOf('merchant-beta-1')).toBe(agreementId);
  const { data } = await ask(
    `mutation { setMerchantStatus(merchantId: "merchant-beta-1", status: ACTIVE) { status } }`,
  );
  expect(data).toEqual({ setMerchantStatus: { status: 'ACTIVE' } });
});

describe('who sees what', () => {
  test('an account sees its own; foreign looks absent; without the scope refused', async () => {
    const source = '{ merchant(merchantId: "merchant-alpha-1") { merchantId } }';
    expect((await ask(source, accountOf('alpha'))).data).toEqual({ merchant: { merchantId: 'merchant-alpha-1' } });
    expect((await ask(source, accountOf('beta'))).data).toEqual({ merchant: null });
    expect((await ask('{ merchant(merchantId: "nobody") { merchantId } }', accountOf('beta'))).data).toEqual({
      merchant: null,
    });
    expect((await ask(source, world.alpha.caller)).code).toBe('forbidden');
    expect((await ask(source, { ...world.staff, kind: 'anonymous' })).code).toBe('unauthenticated');
  });

  test('entities by key: own ones only, in the order asked', async () => {
    const agreementId = await agreementOf('merchant-alpha-1');
    const representations = [
      { __typename: 'Merchant', merchantId: 'merchant-beta-1' },
      { __typename: 'Merchant', merchantId: 'merchant-alpha-1' },
      { __typename: 'Agreement', agreementId },
      { __typename: 'Account', accountId: 'beta' },
      { __typename: 'Account', accountId: 'alpha' },
    ];
    const source = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      ... on Merchant { merchantId } ... on Agreement { agreementId } ... on Account { accountId } } }`;
    const { data } = await run<{ _entities: object[] }>(world, source, {
      caller: accountOf('alpha'),
      subgraph: 'merchants',
      variables: { representations },
    });
    expect(data?._entities).toEqual([
      null,
      { merchantId: 'merchant-alpha-1' },
      { agreementId },
      null,
      { accountId: 'alpha' },
    ]);
  });

  test('lists page by page', async () => {
    type Page = {
      merchants: {
        edges: { cursor: string; node: { merchantId: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    };
    const page = (argument: string) =>
      ask<Page>(
        `{ merchants(first: 1${argument}) { edges { cursor node { merchantId } } pageInfo { hasNextPage endCursor } } }`,
      );
    const first = (await page('')).data?.merchants;
    expect(first?.pageInfo.hasNextPage).toBe(true);
    const second = (await page(`, after: "${first?.pageInfo.endCursor}"`)).data?.merchants;
    expect([first, second].map((each) => each?.edges[0]?.node.merchantId)).toEqual([
      'merchant-alpha-1',
      'merchant-beta-1',
    ]);
    expect((await page(', after: "nonsense"')).code).toBe('invalidInput');
    expect((await ask('{ agreements(first: 101) { edges { cursor } } }')).code).toBe('invalidInput');
    expect(
      (
        await ask<{ agreements: { edges: object[] } }>(
          '{ agreements { edges { node { status } } } }',
          accountOf('beta'),
        )
      ).data?.agreements.edges,
    ).toHaveLength(1);
  });
});

describe('who is among many', () => {
  beforeAll(async () => {
    for (const [merchantId, name] of [
      ['seek-1', 'Søren (Cykler) A/S'],
      ['seek-2', 'cykler.dk'],
      ['seek-3', 'Cykler og ski'],
    ])
      await ask(
        `mutation { createMerchant(input: { accountId: "alpha", merchantId: "${merchantId}", name: "${name}" }) { merchantId } }`,
      );
    await ask('mutation { setMerchantStatus(merchantId: "seek-2", status: INACTIVE) { status } }');
    const deletion = { at: new Date(), userId: 'somebody', isDone: true };
    await world.stores.connection.collection('merchants').updateOne({ merchantId: 'seek-3' }, { $set: { deletion } });
  });
  const found = async (filter: string, caller?: Caller, page = 'first: 100') => {
    const source = `{ merchants(${page}, filter: ${filter}) { edges { node { merchantId } } pageInfo { endCursor } } }`;
    const { data, code } = await ask<{
      merchants: { edges: { node: { merchantId: string } }[]; pageInfo: { endCursor: string } };
    }>(source, caller);
    return {
      code,
      ids: data?.merchants.edges.map(({ node }) => node.merchantId),
      end: data?.merchants.pageInfo.endCursor,
    };
  };

  test.each<[string, string, string[]]>([
    ['a part of the name, in whatever case', '{ text: "CYKLER" }', ['seek-1', 'seek-2', 'seek-3']],
    ['what means something in a pattern means itself', '{ text: "(Cykler)" }', ['seek-1']],
    ['a dot is a dot', '{ text: "cykler.dk" }', ['seek-2']],
    ['a part of the id', '{ text: "eek-" }', ['seek-1', 'seek-2', 'seek-3']],
    ['the number', '{ text: "2" , status: ACTIVE }', ['merchant-beta-1']],
    ['nothing', '{ text: " no such merchant " }', []],
    ['blanks are no text', '{ text: "  ", isDeleted: true }', ['seek-3']],
    ['active ones, not deleted', '{ text: "cykler", status: ACTIVE }', ['seek-1']],
    ['inactive ones', '{ text: "cykler", status: INACTIVE }', ['seek-2']],
    ['none that is deleted', '{ text: "cykler", isDeleted: false }', ['seek-1', 'seek-2']],
    ['deleted ones with a status', '{ status: ACTIVE, isDeleted: true }', ['seek-3']],
  ])('%s', async (_name, filter, ids) => {
    expect((await found(filter)).ids).toEqual(ids);
  });

  test('page by page, of one account only, and no text without end', async () => {
    const { ids, end } = await found('{ text: "cykler" }', world.staff, 'first: 1');
    expect(ids).toEqual(['seek-1']);
    expect((await found('{ text: "cykler" }', world.staff, `first: 1, after: "${end}"`)).ids).toEqual(['seek-2']);
    expect((await found('{ text: "cykler" }', accountOf('beta'))).ids).toEqual([]);
    expect((await found(`{ text: "${'x'.repeat(101)}" }`)).code).toBe('invalidInput');
  });
});

describe('what staff change', () => {
  const newMerchant = (merchantId: string, accountId = 'alpha') =>
    `mutation { createMerchant(input: { accountId: "${accountId}", merchantId: "${merchantId}", name: "New" }) { merchantId status invoicing agreements { agreementId } } }`;

  test('a new merchant, enrolled, can tokenize; the trail says who', async () => {
    expect((await ask(newMerchant('alpha-new'))).data).toEqual({
      createMerchant: { merchantId: 'alpha-new', status: 'ACTIVE', invoicing: 'ENABLED', agreements: [] },
    });
    expect((await create(world, world.alpha, { merchantId: 'alpha-new' })).code).toBe('agreementInactive');
    const agreementId = await agreementOf('merchant-alpha-1');
    for (let count = 0; count < 2; count += 1) {
      expect(
        (
          await ask(
            `mutation { enrolMerchant(merchantId: "alpha-new", agreementId: "${agreementId}") { agreements { agreementId } } }`,
          )
        ).data,
      ).toEqual({ enrolMerchant: { agreements: [{ agreementId }] } });
    }
    expect((await create(world, world.alpha, { merchantId: 'alpha-new' })).code).toBeNull();
    expect((await audited('alpha-new')).map(({ action }) => action)).toEqual(['merchant.created', 'merchant.enrolled']);
  });

  test('refusals', async () => {
    const foreign = await agreementOf('merchant-beta-1');
    const rows: [string, string][] = [
      [newMerchant('a b'), 'invalidInput'],
      [newMerchant('x', 'nobody'), 'notFound'],
      [newMerchant('merchant-beta-1'), 'merchantExists'],
      [
        `mutation { enrolMerchant(merchantId: "merchant-alpha-1", agreementId: "${foreign}") { merchantId } }`,
        'notFound',
      ],
      [`mutation { enrolMerchant(merchantId: "nobody", agreementId: "${foreign}") { merchantId } }`, 'notFound'],
      [`mutation { setMerchantStatus(merchantId: "nobody", status: ACTIVE) { merchantId } }`, 'notFound'],
      [`mutation { setAgreementStatus(agreementId: "${newId()}", status: ACTIVE) { status } }`, 'notFound'],
    ];
    for (const [source, code] of rows) expect([source, (await ask(source)).code]).toEqual([source, code]);
    for (const caller of [world.alpha.caller, { ...world.staff, scopes: ['graph:read' as const] }]) {
      expect((await ask(newMerchant('y'), caller)).code).toBe('forbidden');
    }
    expect((await ask(newMerchant('y', 'beta'), accountOf('alpha'))).code).toBe('forbidden');
  });

  test('sixteen changes at once: none lost, each one audited once', async () => {
    await ask(newMerchant('busy'));
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        ask(
          `mutation { setMerchantStatus(merchantId: "busy", status: ${index % 2 ? 'ACTIVE' : 'INACTIVE'}) { status } }`,
        ),
      ),
    );
    const version = (await world.stores.connection.collection('merchants').findOne({ merchantId: 'busy' }))?.version;
    expect(await audited('busy')).toHaveLength(version);
  });

  test('a repeated mutation with its key answers the same', async () => {
    const idempotency = { ...idempotencyKey('m-1', 'once'), scope: 'graph' };
    const first = await ask(newMerchant('once'), world.staff, idempotency);
    expect(await ask(newMerchant('once'), world.staff, idempotency)).toMatchObject({
      data: first.data,
      replayed: true,
    });
  });
});

describe('agreements decide (MTS-1611)', () => {
  const agree = async (change: string) => {
    expect((await ask(`mutation { ${change} { __typename } }`)).code).toBeNull();
  };

  test('suspended, resumed, scheme disabled, merchant inactive, terminated', async () => {
    const agreementId = await agreementOf('merchant-beta-1');
    const { id } = await createdAccount(world, world.beta);
    const become = (...expected: (string | null)[]) =>
      eventually(async () => {
        const codes = [(await create(world, world.beta)).code, (await transact(world, world.beta, id)).code];
        return codes.join() === expected.join();
      });
    await agree(`setAgreementStatus(agreementId: "${agreementId}", status: SUSPENDED)`);
    await become('agreementInactive', 'agreementInactive');
    expect((await remove(world, world.beta, id)).code).toBe('agreementInactive');
    await agree(`setAgreementStatus(agreementId: "${agreementId}", status: ACTIVE)`);
    await become(null, null);
    await agree(`setAgreementSchemes(agreementId: "${agreementId}", schemes: [MASTERCARD])`);
    await become('binNotTokenizable', null);
    await agree(`setMerchantStatus(merchantId: "merchant-beta-1", status: INACTIVE)`);
    await become('agreementInactive', 'agreementInactive');
    await agree(`setMerchantStatus(merchantId: "merchant-beta-1", status: ACTIVE)`);
    await become('binNotTokenizable', null);
    await agree(`setAgreementStatus(agreementId: "${agreementId}", status: TERMINATED)`);
    await become('agreementInactive', 'agreementInactive');
    expect(
      (await ask(`mutation { setAgreementStatus(agreementId: "${agreementId}", status: ACTIVE) { status } }`)).code,
    ).toBe('conflict');
    expect((await audited(agreementId)).map(({ changes }) => changes[0].to)).toEqual([
      'SUSPENDED',
      'ACTIVE',
      'MASTERCARD',
      'TERMINATED',
    ]);
  });

  test('a triple without agreement, and one of another account, are as good as none', async () => {
    const identifiers = { ...world.alpha.identifiers, pspId: 'psp-other' };
    const caller = { ...world.alpha.caller, identifiers: [identifiers, world.beta.identifiers] };
    expect((await create(world, world.alpha, { identifiers, caller })).code).toBe('agreementInactive');
    expect(
      (await create(world, world.alpha, { identifiers: world.beta.identifiers, merchantId: 'merchant-beta-1', caller }))
        .code,
    ).toBe('agreementInactive');
  });
});
