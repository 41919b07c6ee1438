// Subgraphs as processes of their own: the same answers over HTTP as in one process, signed callers only, and what happens when one is away.
import type { ExecutionResult } from 'graphql';
import { SignJWT } from 'jose';
import { openGraph } from '../../gateway/graph';
import type { Graph } from '../../gateway/plan/execute';
import { callerHeader, signCall } from '../../gateway/subgraphs/internal-call';
import { newInternalKey, publicHalf, type SenderKey, senderKey } from '../../gateway/subgraphs/internal-keys';
import { type RunningServer, startSubgraphServer } from '../../gateway/subgraphs/subgraph-server';
import { type Caller, pageCaller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { freePorts } from '../support/free-ports';
import { contextOf, fixtureConfig, fixtureContract, fixtureSubgraphs, gatewayKey, silentLog, staff } from './fixture';
import { operations } from './operations';

const [facadeKey, nextFacadeKey, pagesKey] = [newInternalKey(), newInternalKey(), newInternalKey()];
const facade = senderKey(['rest-facade'], facadeKey);
const serverConfig = {
  HOST: '127.0.0.1',
  SUBGRAPH_PORT: 0,
  INTERNAL_PUBLIC_KEYS: {
    gateway: [publicHalf(gatewayKey)],
    'rest-facade': [publicHalf(facadeKey), publicHalf(nextFacadeKey)],
    pages: [publicHalf(pagesKey)],
  },
};
const sandboxKey: Caller = { ...staff, kind: 'sandboxKey', scopes: ['sandbox:control'] };
/** What the processes of a role share: Redis, in a program. */
const told = new Set<string>();
const firstUse = async (id: string) => !told.has(id) && told.add(id) !== undefined;
const serverDeps = { config: serverConfig, log: silentLog, firstUse };
let servers: RunningServer[];
let inProcess: Graph;
let overHttp: Graph;

beforeAll(async () => {
  servers = await Promise.all(fixtureSubgraphs.map((subgraph) => startSubgraphServer({ ...serverDeps, subgraph })));
  const contract = await fixtureContract();
  const urls = Object.fromEntries(
    fixtureSubgraphs.map(({ name }, index) => [name, `http://127.0.0.1:${servers[index]?.port}/graphql`]),
  );
  inProcess = openGraph({ contract, subgraphs: fixtureSubgraphs, config: fixtureConfig, log: silentLog });
  overHttp = openGraph({ contract, subgraphs: [], config: { ...fixtureConfig, SUBGRAPH_URLS: urls }, log: silentLog });
});
afterAll(async () => {
  await overHttp.close();
  await inProcess.close();
  await Promise.all(servers.map((server) => server.stop()));
});

it.each(operations)('answers the same: %s', async (_name, query, variables = {}) => {
  const local = await inProcess.executeDocument({ query }, variables, contextOf());
  const remote = await overHttp.executeDocument({ query }, variables, contextOf());
  expect(plain(remote)).toEqual(plain(local));
});

/** Errors in any order: fetches that run side by side end in any order over a network. */
function plain({ data, errors, extensions }: ExecutionResult) {
  const printed = JSON.parse(JSON.stringify({ data, extensions }));
  return { ...printed, errors: (errors ?? []).map((error) => JSON.stringify(error.toJSON())).sort() };
}

const signedQuery = '{"query":"{ product(upc: \\"1\\") { name } }"}';
const signedRequest = { subgraph: 'catalog', method: 'POST', path: '/graphql', body: signedQuery };
const client: Caller = { ...staff, credentialId: 'a client', accountId: 'alpha', scopes: ['payments:read'] };
const gateway = senderKey(['gateway'], gatewayKey);
const signed = (caller: Caller = staff, change: Partial<typeof signedRequest> = {}, signer: SenderKey = gateway) => ({
  [callerHeader]: signCall(signer, { ...signedRequest, ...change }, requestContext(caller, 'r')),
});
/** A statement that differs from a right one in what the case says. */
const stated = async (change: object, header: { alg: string; typ?: string } = { alg: 'EdDSA' }) => {
  const right = JSON.parse(Buffer.from(signed()[callerHeader]?.split('.')[1] ?? '', 'base64url').toString()) as object;
  const jwt = new SignJWT({ ...right, ...change }).setProtectedHeader(header);
  return { [callerHeader]: await jwt.sign(gateway.privateKey) };
};
const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
const ask = (headers: Record<string, string>, body = signedQuery) =>
  fetch(`http://127.0.0.1:${servers[0]?.port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

const unsigned = (statement: string) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${statement.split('.')[1]}.`;

const answered: [string, () => Promise<Record<string, string>> | Record<string, string>][] = [
  ['made by another program', () => stated({})],
  ['signed with the key that is to follow', () => signed(client, {}, senderKey(['rest-facade'], nextFacadeKey))],
  ["of a client at the REST facade's entrance", () => signed(client, {}, facade)],
  ['of the holder of the sandbox key there', () => signed(sandboxKey, {}, facade)],
  ['of a page', () => signed(pageCaller('sandbox'), {}, senderKey(['pages'], pagesKey))],
  // Seconds before the minute is over: a busy machine takes some of them.
  ['of most of a minute ago', () => stated({ iat: ago(50) })],
];

const refused: [string, () => Promise<Record<string, string>> | Record<string, string>, string?][] = [
  ['nobody', () => ({})],
  ['an access token', () => ({ authorization: 'Bearer staff' })],
  ['nonsense', () => ({ [callerHeader]: 'a.b.c' })],
  ['another key of the same role', () => signed(staff, {}, senderKey(['gateway'], newInternalKey()))],
  [
    "the REST facade's key under the gateway's name",
    () => signed(staff, {}, { ...gateway, privateKey: facade.privateKey }),
  ],
  ['a role that calls nobody', () => stated({ iss: 'worker:callback' })],
  ['a role of the language', () => stated({ iss: '__proto__' })],
  ['the REST facade when it says staff', () => signed(staff, {}, facade)],
  [
    'the REST facade when it gives rights of the graph',
    () => signed({ ...client, scopes: ['graph:admin'] }, {}, facade),
  ],
  ['the gateway when it says that it is a worker', () => signed(systemCaller('sandbox', 'seed'))],
  ['a page that speaks for a client', () => signed(client, {}, senderKey(['pages'], pagesKey))],
  ["another subgraph's call", () => signed(staff, { subgraph: 'reviews' })],
  ['a call of another method', () => signed(staff, { method: 'GET' })],
  ['a call of another path', () => signed(staff, { path: '/other' })],
  ['another body', () => signed(), '{"query":"{ secret }"}'],
  ['an old call', () => stated({ iat: ago(62) })],
  ['a call of the future', () => stated({ iat: ago(-10) })],
  ['a call without a time', () => stated({ iat: undefined })],
  ['a call without an id', () => stated({ jti: undefined })],
  ['a call without a caller', () => stated({ caller: undefined })],
  ['a call without a body hash', () => stated({ bodyHash: undefined })],
  ['another header than ours', () => stated({}, { alg: 'EdDSA', typ: 'JWT' })],
  ['an unsigned statement', async () => ({ [callerHeader]: unsigned((await stated({}))[callerHeader] ?? '') })],
];

describe('who is answered', () => {
  it('a call that the gateway signed, for staff too', async () => {
    const answer = await ask(signed());
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ data: { product: { name: 'table' } } });
  });

  it.each(answered)('a call %s', async (_, headers) => expect((await ask(await headers())).status).toBe(200));

  it.each(refused)('not %s', async (...[, headers, body]) => {
    const answer = await ask(await headers(), body);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ errors: [{ message: 'refused', extensions: { code: 'unauthenticated' } }] });
  });

  it('reads as often as their call is told, but a mutation once, also by another process of the role', async () => {
    const body = '{"query":"mutation { count }"}';
    const read = signed();
    const write = signed(staff, { body });
    const other = await startSubgraphServer({ ...serverDeps, subgraph: fixtureSubgraphs[0] as Subgraph });
    const there = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${other.port}/graphql`, { method: 'POST', headers, body });
    expect([(await ask(read)).status, (await ask(read)).status]).toEqual([200, 200]);
    expect([(await ask(write, body)).status, (await ask(write, body)).status]).toEqual([200, 401]);
    expect([(await there(write)).status, (await there(signed(staff, { body }))).status]).toEqual([401, 200]);
    await other.stop();
  });

  it('not another path or method', async () => {
    const base = `http://127.0.0.1:${servers[0]?.port}`;
    expect((await fetch(`${base}/graphql`)).status).toBe(404);
    expect((await fetch(`${base}/`, { method: 'POST', body: signedQuery })).status).toBe(404);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  });
});

describe('a subgraph that is away', () => {
  it('is waited for while it restarts, and is unavailable when it does not come back', async () => {
    const [catalog] = fixtureSubgraphs;
    if (!catalog) throw new Error('the fixture has subgraphs');
    const [port = 0] = await freePorts(1);
    const graph = openGraph({
      contract: await fixtureContract(),
      subgraphs: fixtureSubgraphs.slice(1),
      config: { ...fixtureConfig, SUBGRAPH_URLS: { catalog: `http://127.0.0.1:${port}/graphql` } },
      log: silentLog,
    });
    const ask = () => graph.executeDocument({ query: '{ product(upc: "1") { name score } }' }, {}, contextOf());
    const waiting = ask();
    const server = await startSubgraphServer({
      subgraph: catalog,
      config: { ...serverConfig, SUBGRAPH_PORT: port },
      log: silentLog,
    });
    expect(await waiting).toEqual({ data: { product: { name: 'table', score: 10 } } });
    await server.stop();
    const result = await ask();
    expect(result.data).toEqual({ product: null });
    expect(result.errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'unavailable', retryAfterSeconds: 1 }]);
    await graph.close();
  });
});
