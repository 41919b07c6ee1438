// Checkout sessions as a list of the graph: every filter, page by page, one merchant's, one payment's; only one's own, and nothing secret in them (hosted checkout, build and hpp).
import { graphql } from 'graphql';
import { flowStates } from '../../subgraphs/payments/sessions/checkout-session';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { schemaOf } from '../support/subgraph';
import { type CheckoutWorld, card, minuteMs, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
/** Newest first. */
let alphas: string[];
let betas: string[];
let orderId: string;

const reader = (accountId: string | null): Caller => ({
  kind: 'client',
  credentialId: `reader-${accountId}`,
  environment: 'sandbox',
  accountId,
  scopes: ['graph:read'],
  identifiers: [],
});

beforeAll(async () => {
  world = await openCheckoutWorld();
  const made: string[] = [];
  const build = async (order: object, session: object, options: object = {}) => {
    world.clock.advance(minuteMs);
    const { data } = await world.build(order, session, options);
    made.unshift(data.sessionId);
    return data.sessionId as string;
  };
  const paid = await build({ orderId: 'order-of-one' }, {});
  await world.run('FillCheckoutCard', { sessionId: paid, card: card() });
  await world.run('FinalizeCheckout', { sessionId: paid });
  await build({ currency: 'JPY' }, {}, { more: { pluginName: 'a-plugin' } });
  await build({}, { paymentService: 'PAYPAL' }, { caller: world.explicit });
  await build({}, { paymentService: null });
  world.clock.advance(minuteMs);
  made.unshift((await world.hosted()).data.sessionId);
  orderId = 'order-of-one';
  alphas = made.splice(0);
  await build({ orderId }, {}, { caller: world.foreign });
  betas = made.splice(0);
});
afterAll(() => world.close());

const page = 'edges { cursor node { sessionId } } pageInfo { hasNextPage endCursor }';

async function ask(source: string, variableValues: Record<string, unknown> = {}, caller = reader('alpha')) {
  const contextValue = requestContext(caller, newId());
  const schema = await schemaOf(world.payments);
  const { data, errors } = await graphql({ schema, source, contextValue, variableValues });
  // biome-ignore lint/suspicious/noExplicitAny: the schema has just established the shape
  return { data: data as any, refusal: errors?.[0] ? (refusalOf(errors[0]) ?? errors[0]) : null };
}

async function list(filter: object, caller?: Caller, more = '') {
  const source = `query Q($filter: CheckoutSessionFilter) { checkoutSessions(filter: $filter ${more}) { ${page} } }`;
  const { data, refusal } = await ask(source, { filter }, caller);
  if (refusal) throw refusal;
  return data.checkoutSessions.edges.map(({ node }: { node: { sessionId: string } }) => node.sessionId) as string[];
}

const stored = async (sessionId: string) => (await world.documents('checkout_sessions', { _id: sessionId }))[0];

it.each<[string, () => object, number]>([
  ['nothing', () => ({}), 5],
  ['state', () => ({ state: 'PAYMENT_COMPLETE' }), 1],
  ['kind', () => ({ kind: 'HOSTED' }), 1],
  ['family', () => ({ family: 'checkout' }), 5],
  ['another family', () => ({ family: 'paymentService' }), 0],
  ['method', () => ({ method: 'PAYPAL' }), 1],
  ['terminal', () => ({ terminalId: 'terminal-alpha-explicit' }), 1],
  ['merchant', () => ({ merchantId: 'merchant-alpha' }), 5],
  ['order', () => ({ orderId }), 1],
  ['currency', () => ({ currency: 'JPY' }), 1],
  ['plugin', () => ({ pluginName: 'a-plugin' }), 1],
  ['time', () => ({ from: '2026-11-21T10:02:00Z', to: '2026-11-21T10:03:00Z' }), 2],
  ['two at once', () => ({ method: 'CARDS', currency: 'JPY' }), 1],
])('finds by %s what fits, newest first', async (_, filter, count) => {
  const found = await list(filter());
  expect(found).toHaveLength(count);
  expect(found).toEqual(alphas.filter((sessionId) => found.includes(sessionId)));
  const { from, to, ...same } = filter() as Record<string, string>;
  for (const sessionId of found) {
    const session = await stored(sessionId);
    expect(session).toMatchObject(same);
    if (from && to) expect(session.createdAt >= new Date(from) && session.createdAt <= new Date(to)).toBe(true);
  }
});

it('finds by state exactly those in it', async () => {
  for (const state of flowStates) {
    const states = await Promise.all(alphas.map(async (id) => (await stored(id)).state));
    expect(await list({ state })).toEqual(alphas.filter((_, index) => states[index] === state));
  }
});

it('goes on page by page', async () => {
  const source = `query Q($after: String) { checkoutSessions(first: 2, after: $after) { ${page} } }`;
  const found: string[] = [];
  let after: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof ask>> = await ask(source, { after });
    const { checkoutSessions } = answer.data;
    found.push(...checkoutSessions.edges.map(({ node }: { node: { sessionId: string } }) => node.sessionId));
    after = checkoutSessions.pageInfo.hasNextPage ? checkoutSessions.pageInfo.endCursor : null;
  } while (after);
  expect(found).toEqual(alphas);
});

it('shows an account its own, staff all, and a key of one merchant that merchant', async () => {
  expect(await list({}, reader('beta'))).toEqual(betas);
  expect(await list({}, reader(null))).toEqual([...betas, ...alphas]);
  expect(await list({ merchantId: 'merchant-beta' })).toEqual([]);
  expect(await list({ orderId }, reader('beta'))).toEqual(betas);
  const ofMerchant = { ...reader('alpha'), merchantId: 'merchant-other' };
  expect(await list({}, ofMerchant)).toEqual([]);
  expect(await list({ merchantId: 'merchant-alpha' }, ofMerchant)).toEqual([]);
});

it('belongs to its payment and operation, and to its merchant', async () => {
  const sessionId = alphas.at(-1) ?? '';
  const { paymentId } = await stored(sessionId);
  const fields = `edges { node { sessionId amount currency method kind warnings { code } payment { paymentId state } operation { operationType } } }`;
  const source = `query Q($paymentId: ID!) { payment(paymentId: $paymentId) { checkoutSessions { ${fields} } } }`;
  const { data } = await ask(source, { paymentId });
  expect(data.payment.checkoutSessions.edges).toEqual([
    {
      node: {
        sessionId,
        amount: '5000',
        currency: 'EUR',
        method: 'CARDS',
        kind: 'BUILD',
        warnings: [],
        payment: { paymentId, state: 'Captured' },
        operation: { operationType: 'AUTHORIZATION' },
      },
    },
  ]);
  const source2 = `query Q($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on Merchant { checkoutSessions(filter: { method: "CARDS" }, first: 2) { ${page} } } } }`;
  const representations = ['merchant-alpha', 'merchant-beta'].map((merchantId) => ({
    __typename: 'Merchant',
    merchantId,
  }));
  const both = (await ask(source2, { representations }, reader(null))).data._entities;
  const idsOf = (one: { checkoutSessions: { edges: { node: { sessionId: string } }[] } }) =>
    one.checkoutSessions.edges.map(({ node }) => node.sessionId);
  expect(both.map(idsOf)).toEqual([alphas.slice(-2), betas]);
  const foreign = (await ask(source2, { representations })).data._entities;
  expect(foreign.map(idsOf)).toEqual([alphas.slice(-2), []]);
});

it('has no field for a token, a card, a page or what was typed', async () => {
  const fields = Object.keys(
    ((await schemaOf(world.payments)).getType('CheckoutSession') as unknown as { getFields(): object }).getFields(),
  );
  for (const secret of [
    'securityToken',
    'instrument',
    'cardData',
    'redirection',
    'order',
    'notificationUrl',
    'entered',
  ])
    expect(fields).not.toContain(secret);
});

it.each([
  ['a page of nothing', 'first: 0', 'invalidInput'],
  ['too large a page', 'first: 101', 'invalidInput'],
  ['no cursor', 'after: "x"', 'invalidInput'],
  ['a cursor of another list', 'after: "WzEsMiwzXQ"', 'invalidInput'],
  ['reversed times', 'filter: { from: "2026-11-22T00:00:00Z", to: "2026-11-21T00:00:00Z" }', 'timesReversed'],
])('refuses %s', async (_, argument, code) => {
  expect((await ask(`{ checkoutSessions(${argument}) { ${page} } }`)).refusal).toMatchObject({ code });
});

it.each<[string, Caller['scopes']]>([
  ['a page', ['pages']],
  ['a shop', ['checkout']],
  ['a client of the payment service', ['payments:read']],
])('refuses %s', async (_, scopes) => {
  const { refusal } = await ask(`{ checkoutSessions { ${page} } }`, {}, { ...reader('alpha'), scopes });
  expect(refusal).toMatchObject({ code: 'forbidden' });
});

it.each([
  {},
  { state: 'PAYMENT_COMPLETE' },
  { method: 'CARDS' },
  { merchantId: 'merchant-alpha', orderId: 'order-of-one' },
])('looks into an index for %j', async (filter) => {
  const database = world.stores.connection.db;
  for (const caller of [reader('alpha'), reader(null)]) {
    const since = new Date();
    await database?.command({ profile: 2 });
    await list(filter, caller);
    await database?.command({ profile: 0 });
    const rows = await world.documents('system.profile', { ns: /\.checkout_sessions$/, ts: { $gte: since } });
    expect(rows.length).toBeGreaterThan(0);
    for (const { planSummary } of rows) expect(planSummary).toContain('IXSCAN');
  }
});

// After the lists, which count what there is.
test.each([
  ['PASS', 'PASSED'],
  ['FAIL', 'FAILED'],
  ['CANCEL', 'CANCELLED'],
])('a visit tells when its payer was sent to a challenge, and when that came to %s', async (answer, outcome) => {
  const { data } = await world.build({}, {});
  const { sessionId } = data;
  await world.run('FillCheckoutCard', { sessionId, card: card('4000002500003155') });
  const sentAt = world.clock.now().toISOString();
  await world.run('FinalizeCheckout', { sessionId });
  const read = async () => {
    const asked =
      '{ checkoutSessions(first: 1) { edges { node { sessionId challenge { sentAt answeredAt outcome } } } } }';
    const found = await ask(asked);
    expect(found.refusal).toBeNull();
    const [first] = found.data.checkoutSessions.edges;
    expect(first.node.sessionId).toBe(sessionId);
    return first.node.challenge;
  };
  expect(await read()).toEqual({ sentAt, answeredAt: null, outcome: null });
  world.clock.advance(minuteMs);
  await world.run('SettleChallenge', { sessionId, outcome: answer });
  expect(await read()).toEqual({ sentAt, answeredAt: world.clock.now().toISOString(), outcome });
  expect(Object.keys((await stored(sessionId))?.['redirection']).sort()).toEqual([
    'answeredAt',
    'id',
    'kind',
    'outcome',
    'sentAt',
    'url',
  ]);
});

test('a visit without a challenge tells none', async () => {
  const { data } = await ask(
    '{ checkoutSessions(filter: { state: PAYMENT_COMPLETE, orderId: "order-of-one" }) { edges { node { challenge { sentAt } } } } }',
  );
  expect(data.checkoutSessions.edges).toEqual([{ node: { challenge: null } }]);
});
