// The roles a process can have and how each is started: the one table that says what an installation is made of. What only some roles need is loaded
// by those: a worker carries neither a server of the graph nor the routes.
import { join } from 'node:path';
import type { Graph } from '../gateway/graph';
import type { Readiness } from '../rest-facade/fallback-app';
import type { AuditDoor } from '../subgraphs/shared/callers/audit';
import type { Caller } from '../subgraphs/shared/callers/caller';
import { createAddressOf } from '../subgraphs/shared/callers/caller-address';
import { type Blame, createBlame } from '../subgraphs/shared/callers/credential-failures';
import { inTime } from '../subgraphs/shared/deadline';
import { DomainError } from '../subgraphs/shared/errors';
import { equalsConstantTime } from '../subgraphs/shared/ids';
import { refusalOf } from '../subgraphs/shared/log/faults';
import { createFirstUse } from '../subgraphs/shared/store/first-use';
import { followChannel, openRedis } from '../subgraphs/shared/store/redis';
import type { CallbackWorkerDeps } from '../workers';
import { endpointsIn, eventsChannel } from '../workers/published';
import { auditChaining } from './audit-chaining';
import { drainHttpServer } from './drain';
import { domainsServed, domainTasks, janitorTasksOf, laneTasks } from './janitor-tasks';
import { listen } from './listen';
import type { Platform } from './platform';
import { parts } from './role-parts';

export interface RunningRoles {
  stop(): Promise<void>;
}

type StartRole = (platform: Platform, detail: string) => Promise<RunningRoles>;

/** How long readiness waits for Redis: its client waits longer than who asks does. */
const pingMsMax = 500;

/** Starting order of a process that has every role; it stops in reverse: entrances first, workers last. */
const everyRole = [
  'worker:outbox',
  'worker:callback',
  'worker:janitor',
  'worker:journal',
  'authorization',
  'gateway',
  'pages',
  'rest-facade',
];

const roles: Record<string, StartRole> = {
  'rest-facade': startRestFacade,
  authorization: startAuthorization,
  gateway: async (platform) =>
    parts.gateway.startGateway(platform, {
      graph: await graphOf(platform),
      blame: blameOf(platform),
      audit: auditDoorOf(platform),
      readiness: () => readinessOf(platform),
    }),
  pages: async (platform) => {
    const { execute } = await graphOf(platform);
    return parts.pages.startPages(platform, { execute, readiness: () => readinessOf(platform) });
  },
  subgraph: startSubgraph,
  worker: startWorker,
};

export async function startRoles(platform: Platform, running: RunningRoles[]): Promise<void> {
  const names = platform.config.ROLES.includes('all') ? everyRole : platform.config.ROLES;
  for (const name of names) {
    const [kind = '', detail = ''] = name.split(':');
    const start = roles[kind];
    if (!start) throw new Error(`ROLES names ${name}; expected ${Object.keys(roles).join(', ')}, all or prepare`);
    running.push(await start(platform, detail));
  }
}

/** Subgraphs of this process are built when a role first needs the graph; with SUBGRAPH_URLS they are processes of their own. */
async function graphOf(platform: Platform): Promise<Graph> {
  const isSplit = Object.keys(platform.config.SUBGRAPH_URLS).length > 0;
  platform.graph ??= parts.graph.openGraph({
    contract: parts.contract.readContract(join(__dirname, '../schema')),
    subgraphs: isSplit ? [] : await Promise.all(platform.subgraphs.map(parts.subgraph.buildSubgraph)),
    config: platform.config,
    log: platform.log,
    tracing: platform.tracing,
  });
  return platform.graph;
}

async function startRestFacade(platform: Platform): Promise<RunningRoles> {
  const { access, clock, config, limiter, log, metrics, notifications } = platform;
  const graph = await graphOf(platform);
  const { server, stop } = parts.rest.createRestServer({
    execute: graph.execute,
    authenticate: {
      bearer: access.authenticateBearer,
      apiKey: access.authenticateApiKey,
      consumer: access.authenticateConsumer,
      secretKey: access.authenticateSecretKey,
      sandboxKey: (key) => sandboxCaller(config, key),
    },
    limiter,
    blame: blameOf(platform),
    audit: auditDoorOf(platform),
    refusalOf,
    log,
    metrics,
    config,
    readiness: () => readinessOf(platform),
    sandbox: { clock, receiver: notifications.receiver },
    drain: drainHttpServer,
    root: join(__dirname, '..'),
    configuredWords: config,
  });
  await listen(server, config.REST_PORT, config.HOST);
  return { stop };
}

/** The caller of the sandbox key: it acts for every tenant, and only in the sandbox. */
function sandboxCaller({ environment, isSandbox, SANDBOX_KEY }: Platform['config'], key: string): Caller {
  if (!isSandbox || SANDBOX_KEY === '' || !equalsConstantTime(key, SANDBOX_KEY))
    throw new DomainError('unauthenticated');
  return {
    kind: 'sandboxKey',
    credentialId: 'sandbox-key',
    environment,
    accountId: null,
    scopes: ['sandbox:control'],
    identifiers: [],
  };
}

function auditDoorOf({ access, config }: Platform): AuditDoor {
  return { addressOf: createAddressOf(config.TRUSTED_PROXIES), note: access.refusals.note };
}

function blameOf(platform: Platform): Blame {
  const { limiter, metrics } = platform;
  return createBlame({ limiter, metrics, ...auditDoorOf(platform) });
}

async function startAuthorization({ access, config, limiter, log, metrics }: Platform): Promise<RunningRoles> {
  const server = parts.authorization.createAuthorizationServer({
    authenticateClient: access.authenticateClient,
    issueAccessToken: access.issueAccessToken,
    revokeAccessToken: access.revokeAccessToken,
    limiter,
    addressOf: createAddressOf(config.TRUSTED_PROXIES),
    noteRefusal: access.refusals.note,
    refusalOf,
    log,
    credentialFailures: metrics.credentialFailures,
    isSandbox: config.isSandbox,
    observe: (route, status, durationMs) =>
      metrics.requests.observe({ surface: 'authorization', route, status }, durationMs / 1_000),
  });
  await listen(server, config.AUTH_PORT, config.HOST);
  return { stop: () => drainHttpServer(server) };
}

async function startSubgraph(platform: Platform, name: string): Promise<RunningRoles> {
  const definition = platform.subgraphs.find((candidate) => candidate.name === name);
  if (!definition) throw new Error(`there is no subgraph ${name}`);
  const { clock, config, connection, log, metrics } = platform;
  const server = await parts.subgraphServer.startSubgraphServer({
    subgraph: await parts.subgraph.buildSubgraph(definition),
    config,
    log,
    tracing: platform.tracing,
    firstUse: createFirstUse(platform.redis, `call:${name}`),
    isReady: () => platform.mongo.isReady(),
    drain: drainHttpServer,
  });
  const tasks = domainTasks(platform, name);
  const means = { clock, connection, log, metrics, lease: `janitor-${name}` };
  const whole = tasks.length > 0 ? [parts.janitor.startJanitor({ ...means, tasks })] : [];
  return together([...whole, ...startLaneJanitors(platform, name), server]);
}

/** What the domain's janitor does lane by lane, if anything. */
function startLaneJanitors(platform: Platform, name: string): RunningRoles[] {
  const { clock, connection, log, metrics, notifications } = platform;
  const tasks = laneTasks(platform, name);
  const lanes = notifications.stores.events.lanes.present;
  const means = { clock, connection, log, metrics, kind: `janitor-${name}`, lanes };
  return tasks.length > 0 ? [parts.janitor.startLaneJanitor({ ...means, tasks })] : [];
}

async function startWorker(platform: Platform, kind: string): Promise<RunningRoles> {
  const { clock, config, connection, log, metrics, notifications, redis } = platform;
  const shared = { clock, config, connection, log, metrics, redis, stores: notifications.stores };
  switch (kind) {
    case 'outbox':
      return parts.outbox.startOutboxWorker(shared);
    case 'callback':
      return startCallbacks(platform, shared);
    case 'janitor':
      return together([
        parts.janitor.startJanitor({ clock, connection, log, metrics, tasks: janitorTasksOf(platform, config.ROLES) }),
        ...domainsServed(config.ROLES).flatMap((name) => startLaneJanitors(platform, name)),
        parts.mails.startMails(platform),
      ]);
    case 'journal':
      return startBooks(platform);
    default:
      throw new Error(`there is no worker ${kind}`);
  }
}

/** The callback worker waits on a connection of its own: a blocked one serves nobody else. */
function startCallbacks(
  { config, reporting, subscriber, vault }: Platform,
  shared: Omit<CallbackWorkerDeps, 'blockingRedis' | 'vault'>,
): RunningRoles {
  const blockingRedis = openRedis(config.REDIS_URL, 'workers');
  const worker = parts.callbacks.startCallbackWorker({
    ...shared,
    tally: reporting.callbackTally(),
    vault,
    blockingRedis,
    onWakeUp: (wake) => followChannel(subscriber, eventsChannel, (message) => wake(endpointsIn(message))).stop,
  });
  return {
    async stop() {
      await worker.stop();
      blockingRedis.disconnect();
    },
  };
}

/** The feeds of the journal and of the figures, and the settlement that follows by night. */
function startBooks(platform: Platform): RunningRoles {
  const { clock, connection, log, metrics, notifications, reporting, subscriber } = platform;
  const { startFeedWorker } = parts.feed;
  const means = { connection, log, metrics };
  const feed = startFeedWorker({
    ...means,
    kind: 'journal',
    feeds: reporting.feeds,
    feedNext: reporting.bookNext,
    wakeUps: (wake) => followChannel(subscriber, eventsChannel, wake).stop,
  });
  const figures = startFeedWorker({
    ...means,
    kind: 'figures',
    feeds: reporting.figureFeeds,
    feedNext: reporting.countNext,
  });
  const settlement = parts.settlement.startSettlementWorker({
    ...means,
    ...reporting,
    lanes: notifications.stores.events.lanes.present,
  });
  const chain = parts.janitor.startJanitor({ clock, connection, log, metrics, ...auditChaining(platform) });
  return {
    async stop() {
      await Promise.all([settlement.stop(), chain.stop(), figures.stop()]);
      await feed.stop();
    },
  };
}

function together(running: readonly RunningRoles[]): RunningRoles {
  return { stop: async () => void (await Promise.all(running.map((worker) => worker.stop()))) };
}

/** Each dependency by name; ready means that the database takes writes and a subgraph answers: without Redis, or some of the subgraphs, the rest goes on. */
async function readinessOf({ mongo, redis, graph }: Platform): Promise<Readiness> {
  // A Redis that hangs keeps its connections: only an answer tells.
  const answers = inTime(redis.ping(), pingMsMax, () => new Error('Redis does not answer')).then(
    () => true,
    () => false,
  );
  const [hasMongo, hasRedis, found] = await Promise.all([mongo.isReady(), answers, graph?.subgraphs() ?? {}]);
  const subgraphs = Object.entries(found).map(([name, state]) => [`subgraph ${name}`, state] as const);
  const isServed = subgraphs.length === 0 || subgraphs.some(([, state]) => state === 'up');
  const own = { mongodb: hasMongo ? 'up' : 'down', redis: hasRedis ? 'up' : 'down' } as const;
  return { ready: hasMongo && isServed, dependencies: { ...own, ...Object.fromEntries(subgraphs) } };
}
