// A world for sign-ins: real stores, real HTTP and WebSockets, the access subgraph as the graph, and either the sandbox's provider or one of the test's own.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { openGraph } from '../../gateway/graph';
import { startGraphServer } from '../../gateway/http/server';
import { composeContract } from '../../gateway/plan/compose';
import { createSignIn, type SignInServerDeps } from '../../gateway/sign-in/sign-in';
import { createSubscriptions } from '../../gateway/subscriptions/subscriptions';
import { createIdentity } from '../../sandbox';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import { createRateLimiter } from '../../subgraphs/shared/callers/rate-limit';
import { readConfig } from '../../subgraphs/shared/config';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { createLog } from '../../subgraphs/shared/log/log';
import { openWorld as openAccess } from '../access/world';
import { logInMemory } from '../gateway/log-in-memory';
import { configOf } from '../gateway/world-limits';

export type SignInWorld = Awaited<ReturnType<typeof openSignInWorld>>;

const root = resolve(__dirname, '../..');
const client = { clientId: 'dashboard', clientSecret: randomBytes(24).toString('base64url') };

/** The provider of the test's own; absent: the one that the sandbox brings. */
export interface OwnProvider {
  provider: Omit<SignInServerDeps['provider'], 'clientId' | 'clientSecret'>;
  roles: Parameters<typeof openAccess>[1];
}

export { client };

/** A port that nobody has: an origin has to be known before its server is there. */
export async function freeOrigin(): Promise<{ origin: string; port: number }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return { origin: `http://127.0.0.1:${port}`, port };
}

export async function openSignInWorld(own?: OwnProvider, given?: { origin: string; port: number }) {
  const { OIDC_ROLES } = readConfig({});
  const access = await openAccess({}, own?.roles ?? OIDC_ROLES);
  const { origin, port } = given ?? (await freeOrigin());
  const lines: string[] = [];
  const log = createLog('trace', 'test', (line) => void lines.push(line));
  const subgraph = await buildSubgraph({ ...access.access.subgraph, clock: access.clock });
  const contract = await composeContract([subgraph], {});
  const sealingKey = randomBytes(32).toString('base64');
  const stops: (() => Promise<unknown>)[] = [];

  /** A process of the graph: it shares nothing with the others but the stores and the key. */
  async function serve(at: number) {
    const { access: domain } = await access.instance();
    const config = { ...configOf({}), GRAPH_PORT: at, SUBGRAPH_TIMEOUT_MS: 5_000 };
    const graph = openGraph({ contract, subgraphs: [subgraph], config, log });
    const audit = { addressOf: createAddressOf(''), note: domain.refusals.note };
    const path = '/sandbox/identity';
    const signIn = createSignIn({
      origin,
      provider: own ? { ...client, ...own.provider } : { ...client, ...builtInProvider(`${origin}${path}`) },
      isBuiltIn: !own,
      sealingKey,
      sessions: domain.sessions,
      clock: access.clock,
      limiter: createRateLimiter({ redis: access.redis, factor: 50 }),
      audit,
      log,
    });
    const keys = { signing: Buffer.from(sealingKey, 'base64'), cookies: sealingKey };
    const shared = { graph, config, log, authenticate: domain.authenticateHeader, admit: async () => undefined, audit };
    const blame = async (_surface: string, _request: unknown, error: unknown) => error;
    const upgrades = createSubscriptions({
      ...shared,
      clock: access.clock,
      events: emptyLog,
      wakeUps: () => () => undefined,
      addressOf: audit.addressOf,
      blame,
      persons: signIn.persons,
      liveScopes: domain.liveScopes,
      changedSince: domain.changedSince,
      credentialWakeUps: () => () => undefined,
    });
    const mounted = createIdentity({ origin, path, client, keys, redis: access.redis, log, root });
    const server = await startGraphServer({ ...shared, signIn, upgrades, mounted: own ? undefined : mounted });
    stops.push(async () => {
      await server.stop();
      await graph.close();
      await domain.refusals.stop();
    });
    return `http://127.0.0.1:${server.port}`;
  }

  await serve(port);
  return {
    ...access,
    origin,
    serve,
    /** Everything that was logged. */
    logged: () => lines.join('\n'),
    audited: (action: string) => access.connection.collection('audit').find({ action }).toArray(),
    async close() {
      for (const stop of stops.reverse()) await stop();
      await access.closeAll();
    },
  };
}

function builtInProvider(issuer: string) {
  return { issuer, scopes: 'openid profile email groups', groupsClaim: 'groups' };
}

/** Nothing happens in it. */
const emptyLog = logInMemory([], { cursor: ({ position }) => String(position), floor: () => 0 });
