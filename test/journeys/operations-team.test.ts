// What a team that runs the platform asks of the graph in a day, by nothing but the public contract of staff: each operation is served whole, and finds what is there.
import { type Graph, openGraph } from '../../gateway/graph';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { contract } from '../support/graph-contract';
import { type EntityWorld, openEntityWorld, staff } from './entity-world';
import { ownedEntities } from './owned-entities';

let world: EntityWorld;
let graph: Graph;
let ids: Record<string, string>;
const named = [
  'Payment',
  'Operation',
  'VirtualAccount',
  'OnboardingApplication',
  'Callback',
  'CallbackEndpoint',
  'Payout',
];

beforeAll(async () => {
  world = await openEntityWorld();
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: silentLog });
  const keys = await Promise.all(
    named.map((type) => ownedEntities.find((entity) => entity.type === type)?.key(world, 'alpha')),
  );
  const found = Object.fromEntries(named.map((type, index) => [type, String(Object.values(keys[index] ?? {})[0])]));
  const operation = await world.stores.connection
    .collection('operations')
    .findOne({ _id: found['Operation'] as never });
  ids = { ...found, Paid: String(operation?.['paymentId']) };
});
afterAll(async () => {
  await graph?.close();
  await world?.close();
});

const paging = 'pageInfo { hasNextPage endCursor }';
const day = '{ from: "2026-11-20T00:00:00Z", to: "2026-11-22T00:00:00Z" }';

/** What it is for, and the document; `$Payment` and its like stand for the ids of things that are there. */
const operations: [string, string][] = [
  ['who I am and what I may', '{ viewer { name roles rights environment now freshUntil account { accountId } } }'],
  ['my settings', '{ viewer { preferences { __typename } savedViews { __typename } } }'],
  [
    'everybody who has signed in',
    `{ people(first: 50) { edges { node { personId name roles status lastSeenAt } } ${paging} } }`,
  ],
  [
    'the newest payments',
    `{ payments(first: 50) { totalCount { value isExact } edges { node { paymentId state amount merchant { name } } } ${paging} } }`,
  ],
  [
    'the oldest of them',
    '{ payments(last: 10) { edges { node { paymentId createdAt } } pageInfo { hasPreviousPage startCursor } } }',
  ],
  [
    'payments of several states',
    '{ payments(filter: { states: [Authorized, Captured] }) { totalCount { value isExact } } }',
  ],
  [
    'payments of several merchants',
    '{ payments(filter: { merchantIds: ["merchant-alpha", "merchant-beta"] }) { edges { node { paymentId } } } }',
  ],
  [
    'payments of an amount',
    '{ payments(filter: { minAmount: "1000", maxAmount: "9000" }) { edges { node { paymentId } } } }',
  ],
  [
    'payments of a day',
    '{ payments(filter: { from: "2026-11-21T00:00:00Z", to: "2026-11-22T00:00:00Z" }) { edges { node { paymentId } } } }',
  ],
  [
    'a payment whole',
    '{ payment(paymentId: "$Paid") { state money { captured { minor currency formatted(locale: "da") } } operations(first: 50) { edges { node { operationId operationType operationResult } } } checkoutSessions(first: 5) { edges { node { sessionId state } } } terminal { terminalId label status } timeline(first: 20) { edges { node { sequence type operationType operationResult } } } } }',
  ],
  [
    'what may be done with it',
    '{ payment(paymentId: "$Paid") { actions { action allowed reason { code message } } } }',
  ],
  [
    'what became of an operation',
    '{ operation(operationId: "$Operation") { timeline(first: 20) { edges { node { type occurredAt } } } callbacks(first: 5) { edges { node { status } } } payment { state } merchant { name } } }',
  ],
  [
    'its exchange with the acquirer',
    '{ operation(operationId: "$Operation") { acquirerCall { state startedAt steps { step outcome at } } } }',
  ],
  [
    'what was declined',
    '{ operations(filter: { operationResults: [DECLINED, DENIED] }) { totalCount { value isExact } } }',
  ],
  [
    'operations of types',
    '{ operations(filter: { operationTypes: [AUTHORIZATION, REFUND] }) { edges { node { operationId } } } }',
  ],
  [
    'operations of a method',
    '{ operations(filter: { paymentMethods: [CARD] }) { edges { node { paymentCircuit } } } }',
  ],
  [
    'operations by circuit',
    '{ operations(filter: { merchantId: "merchant-alpha", paymentCircuits: ["VISA"] }) { edges { node { operationId } } } }',
  ],
  [
    'operations from the end',
    '{ operations(last: 5) { edges { node { operationId } } pageInfo { hasPreviousPage } } }',
  ],
  ['payments of unknown outcome', '{ payments(filter: { states: [Unknown] }) { totalCount { value isExact } } }'],
  ['anything by its id', '{ search(text: "$Paid") { matchedBy found { __typename } } }'],
  ['a payment by its card', '{ search(text: "4242 12/30") { matchedBy found { ... on Payment { paymentId } } } }'],
  ['a merchant by its name', '{ search(text: "alp") { matchedBy found { ... on Merchant { merchantId } } } }'],
  [
    'figures of a day by hour',
    `{ metrics(range: ${day}, interval: HOUR) { rows { start approved declined approvalRate } } }`,
  ],
  [
    'volume by currency',
    `{ metrics(range: ${day}, interval: DAY, groupBy: [CURRENCY]) { rows { group { currency } captured { count volume { minor currency } } } } }`,
  ],
  ['declines by reason', `{ metrics(range: ${day}, interval: WHOLE) { rows { declines { reason count } } } }`],
  [
    'challenges',
    `{ metrics(range: ${day}, interval: WHOLE) { rows { authentication { challenged passed challengeRate } } } }`,
  ],
  [
    'refunds and chargebacks',
    `{ metrics(range: ${day}, interval: WHOLE) { rows { refunded { count } chargebacks { count } } } }`,
  ],
  [
    'health of callbacks',
    `{ metrics(range: ${day}, interval: WHOLE) { rows { callbacks { attempts successRate p50Ms p95Ms } } } }`,
  ],
  [
    'the way of applications',
    `{ metrics(range: ${day}, interval: WHOLE) { rows { onboarding { created signed approved refused abandoned } } } }`,
  ],
  [
    'figures by merchant',
    `{ metrics(range: ${day}, interval: WHOLE, groupBy: [MERCHANT]) { rows { group { merchantId } approved } } }`,
  ],
  [
    'failed callbacks',
    '{ callbacks(filter: { merchantId: "merchant-alpha", status: EXHAUSTED }) { edges { node { callbackId attempts { at status } } } } }',
  ],
  [
    'a callback whole',
    '{ callback(callbackId: "$Callback") { status body attempts { number at result } actions { action allowed } merchant { name } } }',
  ],
  [
    'addresses in trouble',
    '{ callbackEndpoints(health: [DEGRADED, DISABLED]) { edges { node { endpointId address } } } }',
  ],
  [
    'an address whole',
    '{ callbackEndpoint(endpointId: "$CallbackEndpoint") { accountId kind health { state failingSince } secrets { secretId } } }',
  ],
  [
    'applications that wait longest',
    '{ onboardingApplications(oldestFirst: true, first: 20) { edges { node { id status createdAt } } } }',
  ],
  ['how many are at each point', '{ onboardingCounts { status total { value isExact } } }'],
  [
    'an application whole',
    '{ onboardingApplication(id: "$OnboardingApplication") { status actions { action allowed } timeline(first: 20) { edges { node { type } } } callbacks(first: 5) { edges { node { status } } } } }',
  ],
  ['merchants', `{ merchants(first: 20) { edges { node { merchantId name status account { name } } } ${paging} } }`],
  [
    'a merchant whole',
    '{ merchant(merchantId: "merchant-alpha") { status terminals { terminalId label } agreements { agreementId status } apiKeys { keyId } payments(first: 3) { totalCount { value } edges { node { paymentId } } } } }',
  ],
  ['its balances', '{ merchant(merchantId: "merchant-alpha") { balances { day currency opening closing } } }'],
  ['payouts of a month', '{ payouts(from: "2026-11-01", to: "2026-11-30") { edges { node { payoutId amount } } } }'],
  [
    'a payout with what it pays',
    '{ payout(payoutId: "$Payout") { currency merchant { merchantId } actions(first: 10) { edges { node { action } } } } }',
  ],
  [
    'a card whole',
    '{ virtualAccount(virtualAccountId: "$VirtualAccount") { state accountMasked timeline(first: 5) { edges { node { type } } } merchant { name } } }',
  ],
  [
    'who did what',
    '{ auditRecords(filter: { from: "2026-11-01T00:00:00Z" }, first: 20) { edges { node { at actor action subjectType subjectId } } } }',
  ],
  [
    'what waits for a second person, and jobs',
    '{ proposals(status: PENDING) { edges { node { proposalId } } } jobs { edges { node { jobId state done total } } } }',
  ],
];

/** What was asked for later, beside those that were counted. */
const later: [string, string][] = [
  [
    'who was told of a payment',
    `{ payment(paymentId: "$Paid") { callbacks(first: 5) { edges { node { status operation { operationId } attempts { at result } } } ${paging} } } }`,
  ],
  [
    'receivers in trouble',
    `{ callbackOrigins(health: [DEGRADED, DISABLED]) { edges { node { origin total { value } health { state total { value } } undelivered { total { value isExact } oldestAt } terminals { label } } } ${paging} } }`,
  ],
  [
    'the addresses of an origin, for a merchant',
    '{ callbackEndpoints(origin: "https://shop.example", merchantId: "merchant-alpha") { edges { node { endpointId } } } }',
  ],
  [
    'chargebacks of all merchants',
    `{ ledgerEntries(filter: { actions: [CHARGEBACK] }) { totalCount { value isExact } edges { node { occurredAt merchant { name } money { minor } payment { state } payout { number } } } ${paging} } }`,
  ],
  [
    'the largest deposits and adjustments',
    '{ ledgerEntries(filter: { actions: [DEPOSIT, ADJUSTMENT], currencies: ["EUR"] }, orderBy: LARGEST, first: 10) { edges { node { money { formatted(locale: "de") } } } } }',
  ],
  [
    'who is owed most',
    '{ merchantBalances(filter: { currencies: ["EUR"], minAmount: "1" }, orderBy: AMOUNT) { totals { currency count money { formatted } } edges { node { merchant { name } money { minor } } } } }',
  ],
];

test('there are as many as the dashboard was measured by', () => {
  expect(operations).toHaveLength(45);
});

test.each([...operations, ...later])('%s', async (_what, text) => {
  const query = text.replace(/"\$(\w+)"/g, (_whole, type) => JSON.stringify(ids[type]));
  const { data, errors } = await graph.executeDocument({ query }, {}, requestContext(staff, newId()));
  expect(errors ?? []).toEqual([]);
  expect(Object.values(data ?? {})).not.toContain(null);
  // Whoever looks for one thing finds it.
  if (query !== text) expect(JSON.stringify(data)).not.toMatch(/^\{"\w+":\[\]\}$/);
});
