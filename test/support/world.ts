// A whole program for a test: started from dist in a DATA_DIR of its own on free ports, killed and stopped through its processes.json.
import { type ChildProcess, spawn } from 'node:child_process';
import type { JsonWebKey } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { built } from './built';
import { eventually, newStoreAddresses } from './stores';

export type Topology = 'embedded' | 'split';

export interface ProcessEntry {
  role: string;
  pid: number;
  port: number | null;
}

/** The tokenization part of a tenant's credentials. */
export interface TokenizationCredentials {
  clientId: string;
  clientSecret: string;
  acquirerId: string;
  providerId: string;
  pspId: string;
  merchantId: string;
  privateJwk: JsonWebKey & { kid: string };
  notifySecret: string;
}

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The checkout part of a tenant's credentials: one API key for each of its two terminals. */
interface CheckoutCredentials {
  implicit: { apiKey: string; terminalId: string };
  explicit: { apiKey: string; terminalId: string };
  notifySecret: string;
}

interface TenantCredentials {
  merchantId: string;
  merchantNumber: string;
  tokenization: TokenizationCredentials;
  payments: ClientCredentials;
  checkout: CheckoutCredentials;
  admin: { consumerKey: string; consumerSecret: string };
  partner: { secretApiKey: string; webhookSecret: string };
  reporting: { merchantApiKey: string; partnerApiKey: string };
}

export interface Credentials {
  urls: Record<'rest' | 'auth' | 'graph' | 'subscriptions' | 'dashboard' | 'metrics' | 'pay' | 'shop' | 'acs', string>;
  sandboxKey: string;
  graph: Record<'admin' | 'viewer' | 'operator', ClientCredentials>;
  people: { name: string; email: string; role: string; tenant?: string; signIn: string }[];
  tenants: Record<'alpha' | 'beta', TenantCredentials>;
}

export interface WorldOptions {
  topology?: Topology;
  /** One process, unless PROCESSES says otherwise. */
  env?: Record<string, string>;
  /** `own`: brings servers of its own, which a test may kill. `shared` (default): a fresh database on the run's servers. */
  databases?: 'own' | 'shared';
}

export interface World {
  topology: Topology;
  /** Other test files use it at the same time. */
  isShared: boolean;
  dataDir: string;
  credentials: Credentials;
  urls: Credentials['urls'];
  /** What runs now, from processes.json. */
  processes(): ProcessEntry[];
  /** The live process of a role; throws when it has none now. */
  process(role: string): ProcessEntry;
  /** Signals the process of a role (SIGKILL unless said otherwise) and returns the entry that it had. */
  kill(role: string, signal?: NodeJS.Signals): ProcessEntry;
  /** Waits until another process serves the role than the one with `pid`. */
  replaced(role: string, pid: number): Promise<ProcessEntry>;
  /** The log of a role so far. */
  log(role: string): string;
  /** What the launcher printed so far. */
  output(): string;
  /** Stops everything; resolves with the launcher's exit code. */
  stop(): Promise<number | null>;
}

const readyMsMax = 280_000;
const root = resolve(__dirname, '../..');

/** The run's topology: `TOPOLOGY`, embedded unless set. */
function runTopology(): Topology {
  return process.env['TOPOLOGY'] === 'split' ? 'split' : 'embedded';
}

/** Starts a program; the caller stops it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const topology = options.topology ?? runTopology();
  const dataDir = options.env?.['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'world-'));
  const stores = options.databases === 'own' ? undefined : await newStoreAddresses();
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    CACHE_DIR: process.env['CACHE_DIR'] ?? join(root, '.data/cache'),
    MONGODB_URI: stores?.mongoUri ?? '',
    REDIS_URL: stores?.redisUrl ?? '',
    REST_PORT: '0',
    AUTH_PORT: '0',
    GRAPH_PORT: '0',
    METRICS_PORT: '0',
    PAY_PORT: '0',
    SHOP_PORT: '0',
    ACS_PORT: '0',
    PROCESSES: '1',
    NODE_OPTIONS: '',
    ...options.env,
  };
  const args = [built('launcher.js'), ...(topology === 'split' ? ['--split'] : [])];
  const launcher = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = await awaitReady(launcher);
  const stop = async () => {
    const code = await stopLauncher(launcher);
    leaveLogs(dataDir);
    // A folder that the test named is the test's.
    if (!options.env?.['DATA_DIR']) rmSync(dataDir, { recursive: true, force: true });
    return code;
  };
  return attach({ topology, dataDir, isShared: false, output, stop });
}

/** Under the name of the test file: for `npm test`, which keeps those of a run that fails, or, of a file run by hand, in the checkout until it runs again. */
function leaveLogs(dataDir: string): void {
  const from = join(dataDir, 'logs');
  // Benchmarks start programs, too, and are run by no jest.
  if (!existsSync(from) || !('expect' in globalThis)) return;
  const file = basename(expect.getState().testPath ?? 'test', '.test.ts');
  const kept = join(process.env['TEST_LOGS'] ?? join(root, '.data/test-logs'), file);
  if (!process.env['TEST_LOGS'] && !isLogged) rmSync(kept, { recursive: true, force: true });
  isLogged = true;
  cpSync(from, join(kept, basename(dataDir)), { recursive: true });
}

/** A test file may start several programs. */
let isLogged = false;

/**
 * The world that the whole run shares (`npm test` starts one per topology and names its DATA_DIR in WORLD_DATA_DIR),
 * or where there is none, one for this test file. Its tests must live with others' data, and stop() leaves a shared one running.
 */
export async function sharedWorld(): Promise<World> {
  const dataDir = process.env['WORLD_DATA_DIR'];
  if (!dataDir) return startWorld();
  return attach({ topology: runTopology(), dataDir, isShared: true, output: () => '', stop: async () => 0 });
}

type Attached = Pick<World, 'topology' | 'dataDir' | 'isShared' | 'output' | 'stop'>;

function attach(attached: Attached): World {
  const { dataDir } = attached;
  const credentials = readJson(join(dataDir, 'sandbox-credentials.json')) as Credentials;
  const processes = () => readJson(join(dataDir, 'processes.json')) as ProcessEntry[];
  const find = (role: string) => processes().find((entry) => entry.role === role);
  const world: World = {
    ...attached,
    credentials,
    urls: credentials?.urls,
    processes,
    process(role) {
      const entry = find(role);
      if (!entry) throw new Error(`no process has the role ${role} now`);
      return entry;
    },
    kill(role, signal = 'SIGKILL') {
      const entry = world.process(role);
      process.kill(entry.pid, signal);
      return entry;
    },
    replaced: (role, pid) =>
      eventually(
        () => {
          const entry = find(role);
          return entry && entry.pid !== pid ? entry : undefined;
        },
        { timeoutMs: 120_000 },
      ),
    log: (role) => {
      const path = join(dataDir, 'logs', `${role}.log`);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    },
  };
  return world;
}

/** Resolves with a reader of everything printed so far once `ready` stands alone on a line. */
async function awaitReady(launcher: ChildProcess): Promise<() => string> {
  let text = '';
  launcher.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  launcher.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  let ended = false;
  launcher.once('exit', () => {
    ended = true;
  });
  await eventually(() => ended || /^ready$/m.test(text), { timeoutMs: readyMsMax });
  if (ended) throw new Error(`the program did not start:\n${text}`);
  return () => text;
}

async function stopLauncher(launcher: ChildProcess): Promise<number | null> {
  if (launcher.exitCode === null && launcher.signalCode === null) {
    const ended = new Promise((done) => launcher.once('exit', done));
    launcher.kill('SIGTERM');
    await ended;
  }
  return launcher.exitCode;
}

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
