// A subgraph that hangs: what it costs, that writes are not cut, and who names it.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { openGraph } from '../../gateway/graph';
import { startGraphServer } from '../../gateway/http/server';
import type { Graph } from '../../gateway/plan/execute';
import { subgraphWithDeadline } from '../../gateway/subgraphs/subgraph-deadline';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { contextOf, fixtureConfig, fixtureContract, fixtureSubgraphs, silentLog, staff } from './fixture';

const never = new Promise<never>(() => {});
const limited = { ...fixtureConfig, SUBGRAPH_TIMEOUT_MS: 50 };
const [catalog, reviews, shipping] = fixtureSubgraphs as [Subgraph, Subgraph, Subgraph];
const others = [catalog, shipping];
let silent: Server;
let remote: Graph;
let local: Graph;
let release: (value: object) => void;

beforeAll(async () => {
  silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const urls = { reviews: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/graphql` };
  const praised = new Promise<object>((resolve) => {
    release = resolve;
  });
  const resolvers = { Product: { __resolveReference: () => never }, Mutation: { praise: () => praised } };
  const hanging = { ...reviews, schema: buildSubgraphSchema([{ typeDefs: reviews.typeDefs, resolvers }]) };
  const contract = await fixtureContract();
  local = openGraph({ contract, subgraphs: [...others, hanging], config: limited, log: silentLog });
  remote = openGraph({ contract, subgraphs: others, config: { ...limited, SUBGRAPH_URLS: urls }, log: silentLog });
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await Promise.all([local.close(), remote.close()]);
});

test.each([
  ['in one process', () => local],
  ['over HTTP', () => remote],
])('costs its own fields alone, %s', async (_name, graph) => {
  const query = '{ product(upc: "1") { name shipping reviews { id } } }';
  const { data, errors } = await graph().executeDocument({ query }, {}, contextOf());
  expect(data).toEqual({ product: { name: 'table', shipping: 200, reviews: null } });
  expect(errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'unavailable', retryAfterSeconds: 1 }]);
});

test('a write is waited for, however long reads have given up', async () => {
  const written = local.executeDocument({ query: 'mutation { praise(upc: "1") { id } }' }, {}, contextOf());
  await local.executeDocument({ query: '{ product(upc: "2") { reviews { id } } }' }, {}, contextOf());
  release({ id: '1-new' });
  expect(await written).toEqual({ data: { praise: { id: '1-new' } } });
});

test('is waited for once by one request, and again by the next', async () => {
  let calls = 0;
  const prepare = () => () => {
    calls += 1;
    return never;
  };
  const operation = subgraphWithDeadline({ name: 'reviews', prepare, close: async () => {} }, 20).prepare(
    '{ a }',
    undefined,
  );
  const context = contextOf();
  await expect(operation({}, context)).rejects.toMatchObject({ code: 'unavailable' });
  expect(() => operation({}, context)).toThrow('takes too long');
  expect(calls).toBe(1);
  await expect(operation({}, contextOf())).rejects.toMatchObject({ code: 'unavailable' });
  expect(calls).toBe(2);
});

test('is named by readiness', async () => {
  expect(await local.subgraphs()).toEqual({});
  const config = { ...limited, HOST: '127.0.0.1', GRAPH_PORT: 0, isSandbox: true };
  const server = await startGraphServer({
    graph: remote,
    config,
    log: silentLog,
    authenticate: async () => staff,
    admit: async () => {},
    readiness: async () => ({ ready: true, dependencies: await remote.subgraphs() }),
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: 'degraded', dependencies: { reviews: 'down' } },
  ]);
  await server.stop();
});
