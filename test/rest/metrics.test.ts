// The figures of a running program: every answered request and every callback attempt is counted once, the oldest waiting event has its age, and no label names anybody.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiFamilies, readApiFile } from '../../rest-facade/checks/openapi';
import { attemptResults } from '../../subgraphs/notifications/callbacks/callback';
import { callbackKinds } from '../../subgraphs/notifications/kinds/callback-kinds';
import { credentialSurfaces } from '../../subgraphs/shared/callers/credential-failures';
import { domainErrors } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { operationResults, operationTypes } from '../../subgraphs/shared/vocabulary/operation';
import { pointCallbacks } from '../faults/callback-targets';
import { openReceiver, type Receiver } from '../faults/receivers';
import { paymentServiceOf, payWithFields, shopOf } from '../support/checkout';
import { send } from '../support/client';
import { contractRoot } from '../support/contract';
import { accessTokenOf, freshCardNumber, type Partner, partnerOf, sandboxCall } from '../support/partner';
import { type Family, parseMetrics } from '../support/prometheus';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

const requests = 'http_request_duration_seconds';

let world: World;
let alpha: Partner;
let beta: Partner;
let receivers: { refusing: Receiver; accepting: Receiver };
/** What the refusing one says. */
let says = 500;

beforeAll(async () => {
  // Figures of several processes are added up.
  world = await startWorld({ env: { PROCESSES: '2' } });
  [alpha, beta] = await Promise.all([partnerOf(world, 'alpha'), partnerOf(world, 'beta')]);
  receivers = { refusing: await openReceiver(() => says), accepting: await openReceiver(() => 204) };
  await pointCallbacks(world, { alpha: receivers.refusing.url, beta: receivers.accepting.url });
});
afterAll(async () => {
  await Promise.all(Object.values(receivers ?? {}).map((receiver) => receiver.close()));
  await world?.stop();
});

async function scrape(): Promise<Map<string, Family>> {
  const { status, headers, text } = await send(world.urls.metrics, { method: 'GET', path: '/metrics' });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return parseMetrics(text);
}

/** The series of one metric over all processes, by label values. */
async function counted(family: string, name = family): Promise<Map<string, number>> {
  const { samples } = (await scrape()).get(family) ?? { samples: [] };
  return new Map(
    samples.filter((each) => each.name === name).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

const answered = () => counted(requests, `${requests}_count`);
const attempts = () => counted('callback_attempts_total');
const ageOfOldest = async () => (await counted('oldest_undelivered_event_age_seconds')).get('') ?? Number.NaN;

/** By how much each series grew; those that did not are left out. */
function growth(before: Map<string, number>, after: Map<string, number>): Record<string, number> {
  const grown = [...after].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, by]) => by !== 0));
}

async function createdAccount(partner: Partner): Promise<string> {
  const { status, body } = await partner.createToken({ account: freshCardNumber(), accountExpiry: '122030' });
  expect(status).toBe(201);
  return body.virtualAccountId;
}

/** Sends the same call that often, one after the other: each may meet another process. */
async function times(count: number, call: () => Promise<{ status: number }>, status: number): Promise<void> {
  for (let at = 0; at < count; at += 1) expect((await call()).status).toBe(status);
}

test('every answered request is counted once, by surface, route and status, over all processes', async () => {
  const [account, shop, service] = [
    await createdAccount(alpha),
    shopOf(world, 'alpha'),
    await paymentServiceOf(world, 'alpha'),
  ];
  const wrongKey = { 'X-API-KEY': 'nobody' };
  const calls: { series: string; count: number; status: number; call: () => Promise<{ status: number }> }[] = [
    { series: 'rest GET /virtual-accounts/{virtualAccountId}', count: 5, status: 200, call: () => alpha.read(account) },
    { series: 'rest GET /virtual-accounts/{virtualAccountId}', count: 3, status: 404, call: () => alpha.read(newId()) },
    {
      series: 'rest POST /virtual-accounts/token',
      count: 2,
      status: 400,
      call: () => alpha.call('POST', '/virtual-accounts/token', {}),
    },
    { series: 'rest POST /api/v1/orders/build', count: 3, status: 200, call: () => shop.build() },
    {
      series: 'rest POST /api/v1/orders/build',
      count: 2,
      status: 401,
      call: () => shop.build({ headers: wrongKey }),
    },
    { series: 'rest POST /api/v1/payments', count: 2, status: 201, call: () => service.create() },
    { series: 'rest POST /api/v1/payments', count: 1, status: 400, call: () => service.create({ amount: 'much' }) },
    { series: 'pay GET /pay/{sessionId}', count: 2, status: 404, call: () => page('GET', `/pay/${newId()}`) },
    { series: 'pay unknown', count: 2, status: 404, call: () => page('GET', `/${newId()}`) },
    { series: 'pay unknown', count: 1, status: 404, call: () => page('PROPFIND', `/${newId()}`) },
    { series: 'graph /graphql', count: 2, status: 200, call: () => ask() },
  ];
  const bearer = await accessTokenOf(world, world.credentials.graph.admin);
  const ask = () =>
    send(world.urls.graph, {
      method: 'POST',
      path: '/graphql',
      options: { headers: { authorization: `Bearer ${bearer}` }, body: { query: '{ __typename }' } },
    });
  const page = (method: string, path: string) => send(world.urls.pay, { method, path });
  // What came before is counted a moment after its answer.
  const before = await eventually(async () => {
    const [first, second] = [await answered(), await answered()];
    return Object.keys(growth(first, second)).length === 0 && first.size > 0 ? second : null;
  });

  for (const { call, count, status } of calls) await times(count, call, status);
  // Paths that are nobody's are no routes.
  await times(2, () => send(world.urls.rest, { method: 'GET', path: `/${newId()}/${freshCardNumber()}` }), 404);

  const expected: Record<string, number> = {};
  for (const { series, status, count } of calls)
    expected[`${series} ${status}`] = (expected[`${series} ${status}`] ?? 0) + count;
  await eventually(async () => sum(growth(before, await answered())) >= sum(expected));
  expect(growth(before, await answered())).toEqual(expected);
});

test('attempts are counted by outcome; the age of the oldest waiting event grows, and is 0 once it was delivered', async () => {
  const [before, waiting, told] = [await attempts(), await createdAccount(alpha), await createdAccount(beta)];
  for (const id of [waiting, told])
    await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${id}/events`, { event: 'SUSPEND' });
  const { refusing, accepting } = receivers;
  await eventually(() => refusing.deliveries.length > 0 && accepting.deliveries.length > 0);
  const made = () => ({
    'notify-update httpError': refusing.deliveries.filter(({ behaviour }) => behaviour === 500).length,
    'notify-update delivered':
      accepting.deliveries.length + refusing.deliveries.filter(({ behaviour }) => behaviour === 204).length,
  });
  await eventually(async () => sum(growth(before, await attempts())) >= 2);

  // Every process measures each quarter of a minute.
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 600_000 });
  await eventually(async () => (await ageOfOldest()) >= 600, { timeoutMs: 60_000 });
  expect(await ageOfOldest()).toBeLessThan(900);

  says = 204;
  await eventually(
    async () => {
      await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 600_000 });
      return refusing.deliveries.some(({ behaviour }) => behaviour === 204);
    },
    { everyMs: 1_000, timeoutMs: 60_000 },
  );
  await eventually(async () => (await ageOfOldest()) === 0, { timeoutMs: 60_000 });
  await eventually(async () => sum(growth(before, await attempts())) >= sum(made()));
  expect(growth(before, await attempts())).toEqual(made());
});

const documented = new Set(
  apiFamilies.flatMap((family) =>
    Object.entries(readApiFile(contractRoot, family).document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  ),
);
const pageRoute = /^((GET|POST) (\/([a-z.-]+|\{[a-zA-Z]+\}))*\/?|unknown)$/;
type Allowed = (value: string, labels: Record<string, string>) => boolean;
const oneOf =
  (values: readonly string[]): Allowed =>
  (value) =>
    values.includes(value);

const outwardCall: Record<string, Allowed> = {
  call: (call) => /^[a-z][a-zA-Z]{1,30}$/.test(call),
  outcome: oneOf(['answered', ...Object.keys(domainErrors)]),
};

const lane: Allowed = (number) => /^\d{1,2}$/.test(number);

/** A caller may name an operation: a GraphQL name, of a hundred at most. */
const isOperationName = (name: string) => /^(#[0-9a-f]{12}|[_A-Za-z][_0-9A-Za-z]{0,127})$/.test(name);
const isField = (name: string) => /^[A-Z]\w*\.\w+$/.test(name);
/** A client that is registered, a person's role, or a kind of caller. */
const isClient = (name: string) => /^[a-zA-Z][\w:-]{0,63}$/.test(name);

/** Whose values each label takes: tables of ours, never a word of a caller. */
const labelTables: Record<string, Record<string, Allowed>> = {
  [requests]: {
    surface: oneOf(['rest', 'authorization', 'graph', 'pay', 'shop', 'acs']),
    route: (route, { surface }) => {
      if (surface === 'rest') return documented.has(route);
      if (surface === 'graph') return ['/graphql', 'other'].includes(route);
      return surface === 'authorization' ? ['/token', '/revoke', 'unknown'].includes(route) : pageRoute.test(route);
    },
    status: (status) => /^[2-5]\d\d$/.test(status),
  },
  outbox_lag_seconds: { lane },
  outbox_held_aggregates: { lane },
  callback_attempts_total: { kind: oneOf(callbackKinds), outcome: oneOf(attemptResults) },
  operations_total: {
    family: oneOf(['paymentService', 'checkout']),
    type: oneOf(operationTypes),
    result: oneOf(operationResults),
  },
  graph_operation_duration_seconds: {
    operation: isOperationName,
    kind: oneOf(['query', 'mutation', 'subscription', 'none']),
    outcome: oneOf(['answered', 'refused', 'failed']),
  },
  graph_client_operations_total: { client: isClient, operation: isOperationName },
  graph_field_requests_total: { field: isField },
  graph_deprecated_field_requests_total: { field: isField, client: isClient },
  mails_total: { outcome: oneOf(['sent', 'retried', 'replaced', 'failed']) },
  credential_failures_total: { surface: oneOf(credentialSurfaces) },
  // A name of our own for each loop; on a machine that stands still for a while one may begin anew.
  watchdog_restarts_total: { loop: (loop) => /^[a-z]+(:? [a-zA-Z ]+)?$/.test(loop) },
  rate_limited_total: { name: (name) => /^[a-z]+(:[a-z]+)?$/.test(name) },
  token_service_call_duration_seconds: outwardCall,
  acquirer_call_duration_seconds: outwardCall,
  alternative_method_call_duration_seconds: outwardCall,
};

/** The rows of the table in docs/operations.md. */
function documentedMetrics(): { name: string; labels: string[] }[] {
  const text = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
  const [, table = ''] = /<!-- table: metrics -->\n([\s\S]*?)<!-- end -->/.exec(text) ?? [];
  const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  return table
    .split('\n')
    .slice(2)
    .filter((row) => row !== '')
    .map((row) => row.split('|'))
    .map(([, name = '', labels = '']) => ({ name: words(name)[0] ?? '', labels: words(labels) }));
}

/** Metrics with labels of which this world has no value; whether a loop began anew depends on the machine. */
const neverHere = new Set([
  'alternative_method_call_duration_seconds',
  'graph_deprecated_field_requests_total',
  'graph_sockets_refused_total',
  'mails_total',
  'rate_limited_total',
  'watchdog_restarts_total',
]);

const isOwn = (name: string) => !/^(process|nodejs)_/.test(name);
const emptyOf = (families: Map<string, Family>) =>
  [...families.values()].filter(({ name, samples }) => isOwn(name) && samples.length === 0).map(({ name }) => name);

test('the scrape has every metric of the document and no other, with its labels and values of our tables alone', async () => {
  const card = freshCardNumber();
  const shop = shopOf(world, 'beta', 'explicit');
  const paid = await payWithFields(world, shop, { paymentSession: { notificationUrl: receivers.accepting.url } });
  const made = await alpha.createToken({ account: card, accountExpiry: '122030' });
  await askGraph(world, '{ merchants(first: 1) { edges { cursor } } }', {});
  // A process that is busy for a moment is told as it last was; each labelled metric but those of what this world never does comes to have values.
  const families = await eventually(async () => {
    const read = await scrape();
    return emptyOf(read).every((name) => neverHere.has(name)) ? read : undefined;
  });
  const own = [...families.values()].filter(({ name }) => isOwn(name));
  const told = documentedMetrics();

  expect(told.length).toBeGreaterThan(15);
  expect(own.map(({ name }) => name).toSorted()).toEqual(told.map(({ name }) => name).toSorted());
  const wrong = own.flatMap(({ name, samples }) => {
    const { labels: names = [] } = told.find((row) => row.name === name) ?? {};
    return samples.filter(({ labels: { le: _bucket, ...labels } }) => {
      const isNamed = Object.keys(labels).toSorted().join() === names.toSorted().join();
      return !isNamed || !Object.entries(labels).every(([label, value]) => labelTables[name]?.[label]?.(value, labels));
    });
  });
  expect(wrong).toEqual([]);
  expect(new Set([...emptyOf(families), 'watchdog_restarts_total'])).toEqual(neverHere);

  const values = own.flatMap(({ samples }) => samples.flatMap(({ labels }) => Object.values(labels))).join('\n');
  const { operationId, orderId } = paid.finalized.body.operation;
  const secrets = [
    card,
    made.body.virtualAccountId,
    operationId,
    orderId,
    shop.merchantId,
    shop.apiKey,
    alpha.accessToken,
  ];
  expect(secrets.filter((each) => typeof each !== 'string' || values.includes(each))).toEqual([]);
  expect(values).not.toMatch(/alpha|beta|\d{6}|[0-9a-f]{8}-/);
});

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
