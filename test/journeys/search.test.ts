// The search of the graph: each kind of thing by what somebody has in hand of it, for whom it is there, and never for anybody else.
import { type Graph, openGraph } from '../../gateway/graph';
import { search as searchAll } from '../../subgraphs/reporting/search/search.service';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId, sha256 } from '../../subgraphs/shared/ids';
import { type Find, hitsOf } from '../../subgraphs/shared/search';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { contract } from '../support/graph-contract';
import { type EntityWorld, now, openEntityWorld, staff, type Tenant } from './entity-world';
import { knownThings } from './known-things';
import { ownedEntities, paymentPaidBy } from './owned-entities';

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
      ... on CallbackEndpoint { key: endpointId accountId }
      ... on Terminal { key: terminalId label }
      ... on Payout { key: payoutId date money { minor } }
      ... on LedgerEntry { key: entryId amount }
      ... on Proposal { key: proposalId subjectType }
      ... on Job { key: jobId reason }
      ... on Person { key: personId personName: name }
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

const keys = new Map<string, Promise<string>>();

/** The key of one of alpha's, which is made when it is first asked for. */
function keyOf(type: string): Promise<string> {
  const key = keys.get(type) ?? made(type);
  keys.set(type, key);
  return key;
}

async function made(type: string): Promise<string> {
  if (type === 'LedgerEntry') return ledgerEntryOf('alpha');
  const entity = ownedEntities.find((each) => each.type === type);
  return String(Object.values((await entity?.key(world, 'alpha')) ?? {})[0]);
}

async function ledgerEntryOf(tenant: Tenant): Promise<string> {
  const _id = newId();
  const owner = { environment: 'sandbox', accountId: tenant, merchantId: `merchant-${tenant}`, currency: 'EUR' };
  const what = { action: 'DEPOSIT', actionId: newId(), amountMinor: 100n, serial: null, postings: [], occurredAt: now };
  const entry = { _id, ...owner, ...what, day: '2026-11-20', position: 1, paymentId: null, reference: null };
  await world.stores.connection
    .collection('journal_entries')
    .insertOne(entry as never, { bypassDocumentValidation: true });
  return _id;
}

/** Each with a right that does not open it. */
const searchable: readonly [type: string, other: Scope][] = [
  ['Payment', 'graph:merchants:read'],
  ['Operation', 'graph:merchants:read'],
  ['Merchant', 'graph:payments:read'],
  ['Terminal', 'graph:payments:read'],
  ['VirtualAccount', 'graph:merchants:read'],
  ['OnboardingApplication', 'graph:merchants:read'],
  ['Callback', 'graph:merchants:read'],
  ['CallbackEndpoint', 'graph:ledger:read'],
  ['Payout', 'graph:callbacks:read'],
  ['LedgerEntry', 'graph:callbacks:read'],
  ['Proposal', 'graph:jobs:read'],
  ['Job', 'graph:people:read'],
  ['Person', 'graph:proposals:read'],
];

describe.each(searchable)('%s', (type, other) => {
  let text: string;
  beforeAll(async () => {
    text = await keyOf(type);
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

  it.each([
    ['4000000000009995', '9995 12/30', 'DECLINED'],
    ['4000000000000002', '0002 12/30', 'DECLINED'],
    ['4000000000000119', '0119 12/30', 'FAILED'],
    ['4100000000000019', '0019 12/30', 'DENIED_BY_RISK'],
  ])('%s, which was refused, by %s', async (number, text, result) => {
    const paymentId = await paymentPaidBy(world, 'alpha', number);
    const operation = await world.stores.connection.collection('operations').findOne({ paymentId });
    expect(operation?.['result']).toBe(result);
    for (const caller of [staff, callerOf('alpha')])
      expect(paymentsIn(await search(caller, text), 'CARD')).toEqual([paymentId]);
    expect(paymentsIn(await search(callerOf('beta'), text), 'CARD')).toEqual([]);
  });

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

it.each(knownThings)('$type by $by: for whom it is there, and nobody else', async (row) => {
  const { type, by, collection, given, texts, none, other, isStaffs = false } = row;
  const key = await keyOf(type);
  const stored = { $or: [{ _id: key }, { merchantId: key }] } as object;
  await world.stores.connection.collection(collection).updateOne(stored, { $set: given });
  const found = async (caller: Caller, text: string) =>
    (await search(caller, text)).flatMap((hit) =>
      hit.matchedBy === by && hit.found.__typename === type ? hit.found.key : [],
    );
  const own = isStaffs ? [] : [key];
  for (const text of texts(key)) {
    const isWhole = by === 'ORDER_BEGINNING' && text === Object.values(given)[0];
    expect([text, await found(staff, text)]).toEqual([text, isWhole ? [] : [key]]);
    expect([text, await found(callerOf('alpha'), text)]).toEqual([text, own]);
    expect([text, await found(callerOf('beta'), text)]).toEqual([text, []]);
    expect([text, await found({ ...staff, scopes: [other] }, text)]).toEqual([text, []]);
  }
  for (const text of none) expect([text, await found(staff, text)]).toEqual([text, []]);
});

it('an endpoint that came with an order is found by its id, which is a hash', async () => {
  const endpoints = world.stores.connection.collection<{ _id: string }>('callback_endpoints');
  const registered = await endpoints.findOne({ _id: await keyOf('CallbackEndpoint') });
  const given = { _id: sha256('what it came with'), addressKey: 'of an order', address: 'https://order.example/' };
  await endpoints.insertOne({ ...registered, ...given });
  const found = async (caller: Caller) => (await search(caller, given._id)).map(({ found: { key } }) => key);
  expect(await found(staff)).toEqual([given._id]);
  expect(await found(callerOf('alpha'))).toEqual([given._id]);
  expect(await found(callerOf('beta'))).toEqual([]);
});

it.each(['', '  ', 'x'.repeat(101)])('refuses %j', async (text) => {
  await expect(search(staff, text)).rejects.toMatchObject({ extensions: { code: 'invalidInput', field: 'text' } });
});

it('leaves room for one of a kind beside many of another', async () => {
  const many: Find = async () => hitsOf('Payment', 'EMAIL', [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
  const one: Find = async () => hitsOf('Person', 'EMAIL', [{ _id: 'p' }]);
  const searched = [many, one].map((find) => ({ right: 'payments:read' as const, find }));
  const hits = await searchAll(searched, requestContext(staff, newId()), 'ida@shop.example', 3);
  expect(hits.map(({ id }) => id)).toEqual(['a', 'p', 'b']);
});

it('is bounded', async () => {
  await expect(search(staff, 'alpha', 101)).rejects.toMatchObject({
    extensions: { code: 'invalidInput', field: 'first' },
  });
  expect(await search(staff, 'nothing is called this')).toEqual([]);
});
