// Spans of the graph at a collector of the test's own, which speaks OTLP: of an operation and its calls to subgraphs, in one process and over several; and a collector that is away.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openGraph } from '../../gateway/graph';
import { startGraphServer } from '../../gateway/http/server';
import { openTracing } from '../../gateway/open-tracing';
import { publicHalf } from '../../gateway/subgraphs/internal-keys';
import { type RunningServer, startSubgraphServer } from '../../gateway/subgraphs/subgraph-server';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { readConfig } from '../../subgraphs/shared/config';
import { newId } from '../../subgraphs/shared/ids';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { eventually } from '../support/stores';
import { byMerchant } from './conversations';
import { fixtureConfig, fixtureContract, fixtureSubgraphs, gatewayKey, silentLog, staff } from './fixture';
import { graphClient } from './graph-client';
import { Client } from './subscription-client';
import { openWorld } from './subscription-world';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string } }[];
  status: { code?: number };
}

const cursorKey = Buffer.alloc(32).toString('base64');
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const query = 'query Shelf($upc: ID!) { product(upc: $upc) { name reviews { rating } } }';

let collector: Server;
let endpoint: string;
let received: { path: string; spans: Span[] }[] = [];
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const spans = resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    );
    received.push({ path: request.url ?? '', spans });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = [];
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

async function opened(more: Record<string, string> = {}): Promise<Tracing> {
  const tracing = await openTracing(
    readConfig({ CURSOR_KEY: cursorKey, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more }),
  );
  if (!tracing) throw new Error('nothing is traced');
  return tracing;
}

/** A gateway over the fixture, with its subgraphs in it, or each behind HTTP. */
async function gateway(tracing: Tracing, shape: 'one process' | 'several'): Promise<string> {
  const servers: RunningServer[] = [];
  if (shape === 'several') {
    const config = { HOST: '127.0.0.1', SUBGRAPH_PORT: 0, INTERNAL_PUBLIC_KEYS: { gateway: [publicHalf(gatewayKey)] } };
    for (const subgraph of fixtureSubgraphs)
      servers.push(await startSubgraphServer({ subgraph, config, log: silentLog, tracing }));
  }
  const urls = fixtureSubgraphs.map(({ name }, at) => [name, `http://127.0.0.1:${servers[at]?.port}/graphql`]);
  const graph = openGraph({
    contract: await fixtureContract(),
    subgraphs: shape === 'several' ? [] : fixtureSubgraphs,
    config: { ...fixtureConfig, SUBGRAPH_URLS: shape === 'several' ? Object.fromEntries(urls) : {} },
    log: silentLog,
  });
  const server = await startGraphServer({
    graph,
    config: { ...fixtureConfig, HOST: '127.0.0.1', GRAPH_PORT: 0, isSandbox: true },
    log: silentLog,
    authenticate: async () => staff,
    admit: async () => {},
    tracing,
  });
  stops.push(
    () => Promise.all(servers.map((each) => each.stop())),
    () => graph.close(),
    () => server.stop(),
  );
  return `http://127.0.0.1:${server.port}/graphql`;
}

const spansOf = () => received.flatMap(({ spans }) => spans);
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

test.each(['one process', 'several'] as const)('an operation and its fetches, in %s', async (shape) => {
  const tracing = await opened();
  const { post } = graphClient(await gateway(tracing, shape));
  const headers = { traceparent };
  for (const _time of [1, 2])
    expect((await post(query, { variables: { upc: '1' }, headers })).json).toMatchObject({
      data: { product: { name: 'table' } },
    });
  await tracing.stop();
  expect(received.map(({ path }) => path)).toContain('/v1/traces');
  const spans = spansOf();
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  const operations = spans.filter(({ name }) => name === 'query');
  expect(operations.map(({ parentSpanId }) => parentSpanId)).toEqual(['b7ad6b7169203331', 'b7ad6b7169203331']);
  expect(attributesOf(operations[0] as Span)).toEqual({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Shelf',
    'request.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  for (const { spanId } of operations) {
    const fetches = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
    expect(fetches.map(({ name }) => name).sort()).toEqual(['fetch catalog', 'fetch reviews']);
    for (const fetch of fetches) {
      const served = spans.filter(({ parentSpanId }) => parentSpanId === fetch.spanId).map(({ name }) => name);
      expect(served).toEqual(shape === 'several' ? [fetch.name.replace('fetch', 'serve')] : []);
    }
  }
  // Nothing of what was asked for or answered.
  expect(JSON.stringify(spans)).not.toMatch(/product\(|table/);
});

test('an operation of the REST facade, below the span of whoever called', async () => {
  const tracing = await opened();
  const graph = openGraph({
    contract: await fixtureContract({ Shelf: query, Denied: 'query Denied { denied { name } }' }),
    subgraphs: fixtureSubgraphs,
    config: fixtureConfig,
    log: silentLog,
    tracing,
  });
  stops.push(() => graph.close());
  const [asked, alone] = [{ ...requestContext(staff, newId()), traceparent }, requestContext(staff, newId())];
  expect((await graph.execute('Shelf', { upc: '1' }, asked)).errors).toBeUndefined();
  expect((await graph.execute('Denied', {}, alone)).errors).toHaveLength(1);
  await tracing.stop();
  const spans = spansOf();
  const [shelf, denied] = spans.filter(({ name }) => name === 'query') as [Span, Span];
  expect([shelf.traceId, shelf.parentSpanId]).toEqual([traceId, 'b7ad6b7169203331']);
  expect(attributesOf(shelf)).toEqual({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Shelf',
    'request.id': asked.requestId,
  });
  const below = ({ spanId }: Span) =>
    spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
  expect(below(shelf).sort()).toEqual(['fetch catalog', 'fetch reviews']);
  expect([denied.parentSpanId, attributesOf(denied)['error.type']]).toEqual([undefined, 'forbidden']);
});

test('a subscription until it is live, and the completion of its events', async () => {
  const tracing = await opened();
  const world = await openWorld({ tracing });
  stops.push(() => world.stop());
  const client = await Client.open(world.url, 'staff');
  world.commit('m-alpha');
  await client.subscribe('1', byMerchant, { m: 'm-alpha' });
  world.commit('m-alpha');
  await eventually(() => client.items('1').length === 1);
  client.close();
  await tracing.stop();
  const spans = spansOf();
  const [subscription] = spans.filter(({ name }) => name === 'subscription') as [Span];
  expect(attributesOf(subscription)).toMatchObject({ 'graphql.operation.type': 'subscription' });
  const [events, ...others] = spans.filter(({ name }) => name === 'events') as [Span];
  expect(others).toEqual([]);
  expect(spans.filter(({ parentSpanId }) => parentSpanId === events.spanId).map(({ name }) => name)).toContain(
    'fetch notifications',
  );
});

test.each([
  ['a defect', '{ broken }', 'internal', 2],
  ['a refusal', '{ denied { name } }', 'forbidden', 0],
])('%s is told by its code', async (_what, text, code, status) => {
  const tracing = await opened();
  const { post } = graphClient(await gateway(tracing, 'one process'));
  await post(text);
  await tracing.stop();
  const [span] = spansOf().filter(({ name }) => name === 'query') as [Span];
  expect([attributesOf(span)['error.type'], span.status.code ?? 0, span.parentSpanId]).toEqual([
    code,
    status,
    undefined,
  ]);
});

test.each([
  ['that its caller does not want traced', {}, `00-${traceId}-b7ad6b7169203331-00`],
  ['of which none is to be', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, undefined],
  [
    'of which every nothingth is to be',
    { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    undefined,
  ],
])('an operation %s is not', async (_what, more, given) => {
  const tracing = await opened(more as Record<string, string>);
  const { post } = graphClient(await gateway(tracing, 'one process'));
  await post('{ product(upc: "1") { name } }', given ? { headers: { traceparent: given } } : {});
  await tracing.stop();
  expect(spansOf()).toEqual([]);
});

test('a traceparent that is none begins a trace of its own', async () => {
  const tracing = await opened();
  const { post } = graphClient(await gateway(tracing, 'one process'));
  await post('{ product(upc: "1") { name } }', { headers: { traceparent: 'nonsense' } });
  await tracing.stop();
  expect(spansOf().find(({ name }) => name === 'query')).toMatchObject({ traceId: expect.stringMatching(/^\w{32}$/) });
});

test.each([
  ['is away', 'http://127.0.0.1:9'],
  ['never answers', ''],
])('a collector that %s neither breaks a request nor keeps a process from ending', async (_what, address) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const silence = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const tracing = await opened({ OTEL_EXPORTER_OTLP_ENDPOINT: address || silence });
  const { post } = graphClient(await gateway(tracing, 'one process'));
  for (let one = 0; one < 30; one += 1) expect((await post(query, { variables: { upc: '1' } })).status).toBe(200);
  // It has its own limit; the test has none but jest's.
  await tracing.stop();
  silent.closeAllConnections();
  silent.close();
});

test('without a collector nothing is traced and nothing is loaded for it', async () => {
  expect(await openTracing(readConfig({ CURSOR_KEY: cursorKey }))).toBeNull();
});
