// One installation's start: DATA_DIR, ports, keys and databases, in the order in which one needs the other.
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../../subgraphs/shared/config';
import { ownOrigin } from '../../subgraphs/shared/config-values';
import { domainNames } from '../domain-names';
import { StartFailure } from '../failure';
import { familyVariables } from '../keyring';
import { mailChoice } from '../mail-choice';
import {
  awaitPrimary,
  awaitRedis,
  checkMongoUri,
  checkRedisUrl,
  mongodAddress,
  mongodArguments,
  redisAddress,
  redisArguments,
  spawnServer,
} from './databases';
import { withInternalKeys } from './internal-keys';
import { choosePorts, type Ports } from './ports';
import { type ApplicationPorts, decideProcessCount, embeddedRoles, type Role, splitRoles, subgraphUrls } from './roles';
import { readSecrets } from './secrets';
import { type FoundServer, findMongod, findRedis } from './servers';
import type { Supervision } from './supervisor';

export interface Installation {
  dataDir: string;
  host: string;
  metricsHost: string;
  ports: ApplicationPorts & { METRICS_PORT: number };
  roles: Role[];
  /** What application processes may be told; each gets its part (app/launcher/role-environment.ts). */
  env: Record<string, string>;
  /** The servers that this start brings; empty when the user named both. */
  servers: Supervision[];
  /** Where people reach the dashboard; null where nobody signs in. */
  dashboard: string | null;
  /** One line per database: which one was taken; and in production what becomes of mails. */
  choices: string[];
}

/** Decides everything and starts nothing; throws a StartFailure for what the user can put right. */
export async function planInstallation(
  config: Readonly<Config>,
  isSplit: boolean,
  say: (line: string) => void,
): Promise<Installation> {
  const dataDir = resolve(config.DATA_DIR);
  const secrets = readSecrets(dataDir, config.MODE, config);
  const previous = Object.fromEntries(familyVariables.map(({ previous: name }) => [name, config[name]]));
  const { REST_PORT, AUTH_PORT, GRAPH_PORT, METRICS_PORT, PAY_PORT, SHOP_PORT, ACS_PORT } = config;
  const wished = { REST_PORT, AUTH_PORT, GRAPH_PORT, METRICS_PORT, PAY_PORT };
  const sandboxOnly = { SHOP_PORT, ACS_PORT };
  const ports = {
    ...sandboxOnly,
    ...(await choosePorts(dataDir, config.HOST, config.isSandbox ? { ...wished, ...sandboxOnly } : wished)),
  };
  const internal = await choosePorts(dataDir, '127.0.0.1', internalPorts(isSplit), Object.values(ports));
  const databases = await planDatabases(config, dataDir, internal, say);
  const subgraphPorts = Object.fromEntries(domainNames.map((name) => [name, internal[`subgraph-${name}`] ?? 0]));
  const count = decideProcessCount(config.PROCESSES, cpus().length);
  return {
    dataDir,
    host: config.HOST,
    metricsHost: config.METRICS_HOST,
    ports,
    roles: isSplit
      ? withInternalKeys(splitRoles(ports, subgraphPorts), config.INTERNAL_PUBLIC_KEYS)
      : embeddedRoles(count, ports),
    dashboard: dashboardOf(config, ports.GRAPH_PORT),
    servers: databases.servers,
    choices: [...databases.choices, ...mailChoice(config)],
    env: {
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      ...secrets,
      ...previous,
      ...databases.env,
      DATA_DIR: dataDir,
      HOST: config.HOST,
      MODE: config.MODE,
      PROCESSES: String(isSplit ? 1 : count),
      SUBGRAPH_URLS: isSplit ? subgraphUrls(subgraphPorts) : '',
    },
  };
}

/** The port may have been chosen only now. */
function dashboardOf({ HOST, isSandbox, OIDC_ISSUER, ...config }: Readonly<Config>, graphPort: number): string | null {
  if (!isSandbox && OIDC_ISSUER === '') return null;
  const isOwn = config.DASHBOARD_ORIGIN === ownOrigin(HOST, config.GRAPH_PORT);
  return `${isOwn ? ownOrigin(HOST, graphPort) : config.DASHBOARD_ORIGIN}/`;
}

function internalPorts(isSplit: boolean): Ports {
  const subgraphs = isSplit ? domainNames.map((name) => `subgraph-${name}`) : [];
  return Object.fromEntries(['mongod', 'redis-server', ...subgraphs].map((name) => [name, 0]));
}

export interface Databases {
  env: { MONGODB_URI: string; REDIS_URL: string };
  servers: Supervision[];
  choices: string[];
}

/** Chooses both databases; `ports` names `mongod` and `redis-server`. Fetches what is missing, starts nothing. */
export async function planDatabases(
  config: Readonly<Config>,
  dataDir: string,
  ports: Ports,
  say: (line: string) => void,
): Promise<Databases> {
  const cacheDir = config.CACHE_DIR ? resolve(config.CACHE_DIR) : join(dataDir, 'cache');
  const plan: Databases = {
    env: { MONGODB_URI: config.MONGODB_URI, REDIS_URL: config.REDIS_URL },
    servers: [],
    choices: [],
  };
  if (config.MONGODB_URI) {
    await checkMongoUri(config.MONGODB_URI);
    plan.choices.push('MongoDB: MONGODB_URI');
  } else if (config.MODE === 'production') {
    throw new StartFailure(
      'MODE=production needs a MongoDB of your own: set MONGODB_URI, because the one that a start brings asks nobody for a password.',
    );
  } else {
    const [found, port] = [await findMongod(cacheDir, say), ports['mongod'] ?? 0];
    plan.servers.push(mongodSupervision(found, dataDir, port));
    plan.env.MONGODB_URI = mongodAddress(port);
    plan.choices.push(`MongoDB: ${found.origin}, at 127.0.0.1:${port}`);
  }
  if (config.REDIS_URL) {
    const warning = await checkRedisUrl(config.REDIS_URL, config.MODE);
    plan.choices.push(`Redis:   REDIS_URL${warning ? ` (${warning})` : ''}`);
  } else {
    const [found, port] = [await findRedis(cacheDir, say), ports['redis-server'] ?? 0];
    plan.servers.push(redisSupervision(found, dataDir, port));
    plan.env.REDIS_URL = redisAddress(port);
    plan.choices.push(`Redis:   ${found.origin}, at 127.0.0.1:${port}`);
  }
  return plan;
}

const serverStop = { stopBy: 'signal', stopStage: 3, stopMsMax: 30_000 } as const;

function mongodSupervision(found: FoundServer, dataDir: string, port: number): Supervision {
  return {
    role: 'mongod',
    port,
    ...serverStop,
    spawn: () => spawnServer(found, mongodArguments(dataDir, port), join(dataDir, 'mongod')),
    awaitReady: (isAlive) => awaitPrimary(port, isAlive),
  };
}

function redisSupervision(found: FoundServer, dataDir: string, port: number): Supervision {
  return {
    role: 'redis-server',
    port,
    ...serverStop,
    spawn: () => spawnServer(found, redisArguments(dataDir, port), join(dataDir, 'redis')),
    awaitReady: (isAlive) => awaitRedis(port, isAlive),
  };
}
