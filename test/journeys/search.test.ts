// The search of the graph: each kind of thing by what somebody has in hand of it, for whom it is there, and never for anybody else.
import { type Graph, openGraph } from '../../gateway/graph';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { contract } from '../support/graph-contract';
import { type EntityWorld, openEntityWorld, staff, type Tenant } from './entity-world';
import { ownedEntities } from './owned-entities';

let world: EntityWorld;
let graph: Graph;
beforeAll(async () => {
  world = await openEntityWorld();
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: silentLog });
});
afterAll(async () => {
  await graph?.close();
  await world?.close();
});

const callerOf = (accountId: Tenant, scopes: Scope[] = ['graph:read']): Caller => ({ ...staff, accountId, scopes });

const query = `query ($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    matchedBy
    found {
      __typename
      ... on Payment { key: paymentId state }
      ... on Operation { key: operationId operationType }
      ... on Merchant { key: merchantId name }
      ... on VirtualAccount { key: virtualAccountId virtualAccountState: state }
      ... on OnboardingApplication { key: id status }
      ... on Callback { key: callbackId eventId }
    }
  }
}`;

interface Found {
  matchedBy: string;
  found: { __typename: string; key: string } & Record<string, unknown>;
}

async function search(caller: Caller, text: string, first = 20): Promise<Found[]> {
  const { data, errors } = await graph.executeDocument({ query }, { text, first }, requestContext(caller, newId()));
  if (errors) throw errors[0];
  return JSON.parse(JSON.stringify(data)).search;
}

const searchable = ['Payment', 'Operation', 'Merchant', 'VirtualAccount', 'OnboardingApplication', 'Callback'];

describe.each(searchable)('%s', (type) => {
  let text: string;
  beforeAll(async () => {
    const entity = ownedEntities.find((each) => each.type === type);
    text = String(Object.values((await entity?.key(world, 'alpha')) ?? {})[0]);
  });
  const ids = (hits: Found[]) =>
    hits
      .filter(({ matchedBy, found }) => matchedBy === 'ID' && found.__typename === type)
      .map(({ found }) => found.key);

  it('is found by its id, by staff and by its own account', async () => {
    for (const caller of [staff, callerOf('alpha')]) expect(ids(await search(caller, ` ${text} `))).toEqual([text]);
  });

  it('is found by its id in capitals where that means the same', async () => {
    const isCaseBlind = /^[0-9a-f-]{36}$/.test(text);
    expect(ids(await search(staff, text.toUpperCase()))).toEqual(isCaseBlind || /^\d+$/.test(text) ? [text] : []);
  });

  it('is not found by another account, nor without the right', async () => {
    expect(ids(await search(callerOf('beta'), text))).toEqual([]);
    const other: Scope = type === 'Merchant' ? 'graph:payments:read' : 'graph:merchants:read';
    expect(ids(await search({ ...staff, scopes: [other] }, text))).toEqual([]);
  });
});

/** Pays with 4242424242424242, expiring 12/30. */
async function paidBy(tenant: Tenant): Promise<string> {
  const { operationId } = (await ownedEntities.find(({ type }) => type === 'Operation')?.key(world, tenant)) ?? {};
  const operation = await world.stores.connection.collection('operations').findOne({ _id: operationId as never });
  return operation?.['paymentId'];
}

const paymentsIn = (hits: Found[], by: string) =>
  hits.filter(({ matchedBy }) => matchedBy === by).map(({ found }) => found.key);

describe('a payment by its card', () => {
  let of: Record<Tenant, string[]>;
  beforeAll(async () => {
    of = { alpha: [await paidBy('alpha'), await paidBy('alpha')], beta: [await paidBy('beta')] };
  });

  it.each(['4242 12/30', '4242 1230', ' *4242 12/30', '**** 4242 12/2030', '4242  12 / 30', '••••4242 122030'])(
    '%s: by staff, newest first, and by its own account',
    async (text) => {
      const ofAlpha = [of.alpha[1], of.alpha[0]];
      expect(paymentsIn(await search(staff, text), 'CARD').slice(0, 3)).toEqual([of.beta[0], ...ofAlpha]);
      expect(paymentsIn(await search(callerOf('alpha'), text), 'CARD').slice(0, 2)).toEqual(ofAlpha);
      expect(paymentsIn(await search(callerOf('beta'), text), 'CARD')).not.toContain(of.alpha[0]);
      expect(paymentsIn(await search(staff, text, 1), 'CARD')).toEqual(of.beta);
    },
  );

  it.each(['4242', '12/30', '424212/30', '42421230', '4242 12/31', '4243 12/30', '4242 13/30', '2424 2424 12/30'])(
    '%s finds none',
    async (text) => expect(paymentsIn(await search(staff, text), 'CARD')).toEqual([]),
  );

  it('not without the right to see payments', async () => {
    const caller: Caller = { ...staff, scopes: ['graph:merchants:read'] };
    expect(paymentsIn(await search(caller, '4242 12/30'), 'CARD')).toEqual([]);
  });

  it('the number itself finds none', async () => {
    expect(await search(staff, '4242424242424242 12/30')).toEqual([]);
  });
});

describe("a payment by its payer's e-mail", () => {
  const customers: [string, object][] = [
    ['of the customer', { customer: { type: 'Individual', email: 'Ida@Customer.example' } }],
    [
      'of the bank account',
      {
        paymentMethodDetails: {
          type: 'SepaDirectDepositTypeA',
          iban: 'DE89370400440532013000',
          customerEmail: 'ida@bank.example',
        },
      },
    ],
  ];

  it.each(customers)('%s', async (_where, input) => {
    const source =
      'mutation ($input: CreatePaymentInput!) { made: createPayment(input: $input) { payment { paymentId } } }';
    const variables = { input: { amount: '5000', currencyCode: 'EUR', processing: 'Authorize', ...input } };
    const shop: Caller = { ...staff, accountId: 'alpha', merchantId: 'merchant-alpha', scopes: ['payments:write'] };
    const { data, errors } = await world.ask<{ made: { payment: { paymentId: string } } }>(
      'payments',
      shop,
      source,
      variables,
    );
    if (errors) throw errors[0];
    const [email] = /[a-z]+@[a-z.]+/i.exec(JSON.stringify(input)) ?? [];
    for (const text of [String(email), String(email).toUpperCase()]) {
      for (const caller of [staff, callerOf('alpha')])
        expect(paymentsIn(await search(caller, text), 'EMAIL')).toEqual([data?.made.payment.paymentId]);
      expect(await search(callerOf('beta'), text)).toEqual([]);
    }
    expect(paymentsIn(await search(staff, `x${email}`), 'EMAIL')).toEqual([]);
  });
});

describe('a merchant', () => {
  it.each([
    ['its number', '2', 'NUMBER', ['merchant-beta']],
    ['the beginning of its name', 'AL', 'NAME', ['merchant-alpha']],
    ['a name whole', 'beta', 'NAME', ['merchant-beta']],
  ])('by %s', async (_what, text, by, expected) => {
    const hits = await search(staff, text);
    const found = hits.filter(({ found, matchedBy }) => found.__typename === 'Merchant' && matchedBy === by);
    expect(found.map(({ found: { key } }) => key)).toEqual(expected);
  });

  it('is found by an account only when it is its own, whatever the case of the account', async () => {
    expect(await search(callerOf('beta'), 'alpha')).toEqual([]);
    expect(await search({ ...staff, accountId: 'ALPHA', scopes: ['graph:read'] }, 'alpha')).toEqual([]);
  });
});

it.each(['', '  ', 'x'.repeat(101)])('refuses %j', async (text) => {
  await expect(search(staff, text)).rejects.toMatchObject({ extensions: { code: 'invalidInput', field: 'text' } });
});

it('is bounded', async () => {
  await expect(search(staff, 'alpha', 101)).rejects.toMatchObject({
    extensions: { code: 'invalidInput', field: 'first' },
  });
  expect(await search(staff, 'nothing is called this')).toEqual([]);
});
