// The product as a case: the built program, started by its own launcher with databases of its own in a folder that is removed afterwards.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { type Credentials, startWorld, type Topology, type World } from '../../test/support/world';
import { type Recipient, writeBodies } from './cards';
import { profilingFlags } from './profiling';

export interface ProductOptions {
  processes: number;
  /** Of the spread-out shape the gateways alone are the application that is measured. */
  topology?: Topology;
  /** Variables of the program, for example LOG_LEVEL. */
  env?: Record<string, string>;
}

export interface Product {
  world: World;
  credentials: Credentials;
  restPort: number;
  /** The application processes. */
  pids: number[];
  /** mongod and redis-server; the comparison cases use them too. */
  databasePids: number[];
  mongoUri(databaseName: string): string;
  redisUrl: string;
  /** The program's own database. */
  database: MongoClient;
  /** What the launcher gives to a process that serves every role, but for its ports. */
  applicationEnv: Record<string, string>;
  tokenizationHeaders(): Promise<Record<string, string>>;
  graphToken(): Promise<string>;
  /** The service's current key and the merchant to seal cards for. */
  cardRecipient(): Promise<Recipient>;
  stop(): Promise<void>;
}

/** Rates of the sandbox times this: the limits are asked, and never reached by a load of one client. */
const rateLimitFactor = '100000';

/** Builds when the build is stale, and starts. */
export async function startProduct({ processes, topology = 'embedded', env = {} }: ProductOptions): Promise<Product> {
  const { prepare } = (await import('../../tools/prepare.mjs' as string)) as { prepare(): Promise<void> };
  await prepare();
  const world = await startWorld({
    topology,
    databases: 'own',
    env: {
      PROCESSES: String(processes),
      RATE_LIMIT_FACTOR: rateLimitFactor,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: profilingFlags().join(' '),
      ...env,
    },
  });
  // Also when the benchmark fails before it could end what it began.
  const launcher = world.process('launcher').pid;
  const end = () => {
    try {
      process.kill(launcher, 'SIGTERM');
    } catch (error) {
      // It has ended already: what is told is why this process ends.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  process.once('exit', end);
  const { credentials } = world;
  const port = (role: string) => world.process(role).port;
  const mongoUri = (name: string) => `mongodb://127.0.0.1:${port('mongod')}/${name}?replicaSet=rs0`;
  const database = await MongoClient.connect(mongoUri('payments'));
  return {
    world,
    credentials,
    restPort: Number(new URL(credentials.urls.rest).port),
    pids: world.processes().flatMap(({ role, pid }) => (/^(app|gateway)-/.test(role) ? [pid] : [])),
    databasePids: ['mongod', 'redis-server'].map((role) => world.process(role).pid),
    mongoUri,
    redisUrl: `redis://127.0.0.1:${port('redis-server')}/9`,
    database,
    applicationEnv: {
      ...(JSON.parse(readFileSync(join(world.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>),
      MONGODB_URI: mongoUri('payments'),
      REDIS_URL: `redis://127.0.0.1:${port('redis-server')}/0`,
      DATA_DIR: world.dataDir,
      ROLES: 'all',
      ROLE_NAME: 'bench',
      PROCESSES: '1',
      NODE_OPTIONS: '',
    },
    async tokenizationHeaders() {
      const { tokenization } = credentials.tenants.alpha;
      return {
        authorization: `Bearer ${await accessToken(credentials.urls.auth, tokenization)}`,
        'X-Acquirer-ID': tokenization.acquirerId,
        'X-Provider-ID': tokenization.providerId,
        'X-PSP-ID': tokenization.pspId,
        'X-Request-ID': '0b3f6a52-8a0c-4a57-9d2e-0d7c8a4f1b11',
        accept: 'application/json',
      };
    },
    async cardRecipient() {
      const answer = await fetch(`${credentials.urls.rest}/.well-known/jwks.json`);
      const { keys } = (await answer.json()) as { keys: Recipient['jwk'][] };
      return { jwk: keys[0] ?? {}, merchantId: credentials.tenants.alpha.tokenization.merchantId };
    },
    graphToken: () => accessToken(credentials.urls.auth, credentials.graph.admin),
    async stop() {
      await database.close();
      await world.stop();
      process.off('exit', end);
    },
  };
}

async function accessToken(auth: string, client: { clientId: string; clientSecret: string }): Promise<string> {
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const answer = await fetch(`${auth}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  if (answer.status !== 200) throw new Error(`POST /token answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** A virtual account of tenant alpha, made through the REST route. */
export async function newVirtualAccount(product: Product): Promise<string> {
  const headers = { ...(await product.tokenizationHeaders()), 'content-type': 'application/json' };
  const { rest } = product.credentials.urls;
  const bodies = writeBodies(await product.cardRecipient(), 1);
  const answer = await fetch(`${rest}/virtual-accounts/token`, {
    method: 'POST',
    headers,
    body: readFileSync(bodies.path, 'utf8'),
  });
  bodies.remove();
  if (answer.status !== 201) throw new Error(`create-token answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { virtualAccountId: string }).virtualAccountId;
}
