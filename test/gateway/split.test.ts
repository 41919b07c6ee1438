// Subgraphs as processes of their own: the same answers over HTTP as in one process, signed callers only, and what happens when one is away.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ExecutionResult } from 'graphql';
import { SignJWT } from 'jose';
import type { Graph } from '../../gateway/execute';
import { openGraph } from '../../gateway/graph';
import { callerHeader, internalCalls } from '../../gateway/internal-call';
import { type RunningServer, startSubgraphServer } from '../../gateway/subgraph-server';
import { requestContext } from '../../subgraphs/shared/context';
import { contextOf, fixtureConfig, fixtureContract, fixtureSubgraphs, silentLog, staff } from './fixture';
import { operations } from './operations';

const secret = fixtureConfig.INTERNAL_SECRET;
const serverConfig = { HOST: '127.0.0.1', SUBGRAPH_PORT: 0, INTERNAL_SECRET: secret };
let servers: RunningServer[];
let inProcess: Graph;
let overHttp: Graph;

beforeAll(async () => {
  servers = await Promise.all(
    fixtureSubgraphs.map((subgraph) => startSubgraphServer({ subgraph, config: serverConfig, log: silentLog })),
  );
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

describe('who is answered', () => {
  const query = '{"query":"{ product(upc: \\"1\\") { name } }"}';
  const hash = (body: string) => createHash('sha256').update(body).digest('base64url');
  const key = Buffer.from(secret, 'base64');
  const statement = { caller: staff, requestId: 'r', bodyHash: hash(query) };
  const sign = (claims: object, change: (jwt: SignJWT) => SignJWT = (jwt) => jwt) =>
    change(
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('gateway')
        .setAudience('catalog')
        .setIssuedAt()
        .setExpirationTime('30s'),
    ).sign(key);
  const ask = (headers: Record<string, string>, body = query) =>
    fetch(`http://127.0.0.1:${servers[0]?.port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('a call that the gateway signed', async () => {
    const signed = await internalCalls(secret).sign('catalog', query, requestContext(staff, 'r'));
    const answer = await ask({ [callerHeader]: signed });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ data: { product: { name: 'table' } } });
    expect((await ask({ [callerHeader]: await sign(statement) })).status).toBe(200);
  });

  const refused: [string, () => Promise<Record<string, string>>, string?][] = [
    ['nobody', async () => ({})],
    ['an access token', async () => ({ authorization: 'Bearer staff' })],
    ['nonsense', async () => ({ [callerHeader]: 'a.b.c' })],
    [
      'another secret',
      async () => ({
        [callerHeader]: await internalCalls(Buffer.alloc(32, 1).toString('base64')).sign(
          'catalog',
          query,
          requestContext(staff, 'r'),
        ),
      }),
    ],
    [
      "another subgraph's call",
      async () => ({ [callerHeader]: await internalCalls(secret).sign('reviews', query, requestContext(staff, 'r')) }),
    ],
    [
      'another body',
      async () => ({ [callerHeader]: await internalCalls(secret).sign('catalog', query, requestContext(staff, 'r')) }),
      '{"query":"{ secret }"}',
    ],
    [
      'an expired call',
      async () => ({
        [callerHeader]: await sign(statement, (jwt) => jwt.setExpirationTime(Math.floor(Date.now() / 1_000) - 1)),
      }),
    ],
    [
      'an old call that claims to live on',
      async () => ({
        [callerHeader]: await sign(statement, (jwt) =>
          jwt.setIssuedAt(Math.floor(Date.now() / 1_000) - 120).setExpirationTime('1h'),
        ),
      }),
    ],
    [
      'a call without an end',
      async () => ({
        [callerHeader]: await new SignJWT(statement)
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('gateway')
          .setAudience('catalog')
          .setIssuedAt()
          .sign(key),
      }),
    ],
    ['another issuer', async () => ({ [callerHeader]: await sign(statement, (jwt) => jwt.setIssuer('somebody')) })],
    [
      'a call without a caller',
      async () => ({ [callerHeader]: await sign({ requestId: 'r', bodyHash: hash(query) }) }),
    ],
    ['a call without a body hash', async () => ({ [callerHeader]: await sign({ caller: staff, requestId: 'r' }) })],
    [
      'an unsigned statement',
      async () => ({
        [callerHeader]: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ ...statement, iss: 'gateway', aud: 'catalog', exp: 9e9, iat: 1 })).toString('base64url')}.`,
      }),
    ],
  ];
  it.each(refused)('not %s', async (...[, headers, body]) => {
    const answer = await ask(await headers(), body);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ errors: [{ message: 'refused', extensions: { code: 'unauthenticated' } }] });
  });

  it('not another path or method', async () => {
    const base = `http://127.0.0.1:${servers[0]?.port}`;
    expect((await fetch(`${base}/graphql`)).status).toBe(404);
    expect((await fetch(`${base}/`, { method: 'POST', body: query })).status).toBe(404);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  });
});

describe('a subgraph that is away', () => {
  it('is waited for while it restarts, and is unavailable when it does not come back', async () => {
    const [catalog] = fixtureSubgraphs;
    if (!catalog) throw new Error('the fixture has subgraphs');
    const port = await freePort();
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}
