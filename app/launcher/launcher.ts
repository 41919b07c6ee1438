// `npm start` after preparation: brings the databases, seeds, runs and supervises every process, and stops all in order.
import { type ChildProcess, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig, variables } from '../../subgraphs/shared/config';
import { readFiles } from '../../subgraphs/shared/config-files';
import { readJsonFile, replaceJsonFile } from '../data-files';
import { failureSentence, StartFailure } from '../failure';
import { serveMetrics } from '../metrics-endpoint';
import { ownAddress } from '../role-database';
import { addressTable, exampleAddresses } from './addresses';
import { closeUntakenConnections } from './handed-over';
import { type Installation, planInstallation } from './installation';
import { mergedMetrics } from './merged-metrics';
import { createProcessLog, type ProcessLog } from './process-log';
import { environmentOf, forgetOwnEnvironment } from './role-environment';
import { decideMemoryFlags, type Role } from './roles';
import { clearLeftovers, takeDataDir } from './single-start';
import { Supervisor } from './supervisor';

const readyMsMax = 240_000;
/** How often a preparation that takes its time is spoken of. */
const preparingSaidEveryMs = 30_000;
/** An application process that dies this often before it was ever ready stops the start. */
const startDeathsMax = 4;
const startingPerCore = 2;
/** Each thread of a process has an arena of its own otherwise, which keeps what a start has freed: 20 MB of a process that rests. */
const frugal = { MALLOC_ARENA_MAX: '2' };

const say = (line: string) => void process.stdout.write(`${line}\n`);
const warn = (line: string) => void process.stderr.write(`${line}\n`);

interface RunningInstallation {
  installation: Installation;
  /** The environment that this start was given. */
  given: NodeJS.ProcessEnv;
  supervisor: Supervisor;
  log: ProcessLog;
  /** Open at the time of stopping. */
  metrics?: Server;
  preparing?: ChildProcess;
}

async function main(): Promise<void> {
  const config = readConfigOrFail();
  const dataDir = resolve(config.DATA_DIR);
  const giveBack = takeDataDir(dataDir);
  process.once('exit', giveBack);
  // What stops the preparation is said by the sentence about it.
  const log = createProcessLog(join(dataDir, 'logs'), (role, text) => role !== 'prepare' && warn(`${role}: ${text}`));
  let running: RunningInstallation | undefined;
  let stopping: Promise<never> | undefined;
  const stop = (code: number): Promise<never> => {
    stopping ??= stopAll(dataDir, running, log).then(() => process.exit(code));
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  try {
    for (const role of await clearLeftovers(dataDir)) say(`Ended ${role}, which an earlier start had left running.`);
    const installation = await planInstallation(config, process.argv.includes('--split'), say);
    if (stopping) return;
    // Its processes are told the values, not where they lie: of a file's name they would know nothing.
    const given = readFiles(process.env, variables);
    running = { installation, log, supervisor: createSupervisor(installation, log), given };
    // Whatever is forked or spawned from here on inherits what is left.
    forgetOwnEnvironment();
    await startAll(running, config.SHUTDOWN_TIMEOUT_MS);
    if (!stopping) announce(installation);
  } catch (error) {
    if (stopping) return;
    warn(failureSentence(error, join(dataDir, 'logs')));
    await stop(1);
  }
}

function readConfigOrFail() {
  try {
    return readConfig(process.env);
  } catch (error) {
    throw new StartFailure(error instanceof Error ? error.message : String(error));
  }
}

function createSupervisor(installation: Installation, log: ProcessLog): Supervisor {
  const path = join(installation.dataDir, 'processes.json');
  const supervisor: Supervisor = new Supervisor({
    changed: () => {
      const self = { role: 'launcher', pid: process.pid, port: installation.ports.METRICS_PORT };
      try {
        replaceJsonFile(path, [self, ...supervisor.entries()]);
      } catch (error) {
        warn(`The list of processes cannot be written: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    died: (role, how, waitMs) => {
      const when = waitMs > 0 ? `starting it again in ${waitMs} ms` : 'starting it again';
      warn(`${role} ended unexpectedly (${how}); ${when}. Its log: ${log.path(role)}`);
    },
  });
  return supervisor;
}

async function startAll(running: RunningInstallation, shutdownMs: number): Promise<void> {
  const { installation, supervisor, log, given } = running;
  for (const line of installation.choices) say(line);
  for (const server of installation.servers)
    supervisor.start({ ...server, spawn: logged(log, server.role, server.spawn) });
  await supervisor.allReady(() => undefined);
  const execArgv = decideMemoryFlags(installation.roles.length);
  await prepareData(running, execArgv);
  const { METRICS_PORT } = installation.ports;
  const metrics = mergedMetrics(() => supervisor.serving());
  running.metrics = await serveMetrics(installation.metricsHost, METRICS_PORT, metrics);
  cluster.setupPrimary({ exec: join(__dirname, '../../process.js'), args: [], execArgv, silent: true });
  const until = Date.now() + readyMsMax;
  const check = () => checkStart(installation.roles, supervisor, log, until);
  for (const role of installation.roles) {
    await supervisor.atMostStarting(cpus().length * startingPerCore - 1, check);
    supervisor.start({
      ...role,
      spawn: logged(log, role.role, () =>
        closeUntakenConnections(cluster.fork(processEnvironment(role.env, installation, given)).process),
      ),
      stopBy: 'message',
      stopMsMax: shutdownMs + 5_000,
    });
  }
  await supervisor.allReady(check);
}

function checkStart(roles: Role[], supervisor: Supervisor, log: ProcessLog, until: number): void {
  const dying = roles.find(({ role }) => supervisor.deathsInARow(role) >= startDeathsMax);
  if (dying) {
    const reason = log.lastError(dying.role) ?? 'it said nothing';
    throw new StartFailure(`${dying.role} cannot start (${reason}): its log is ${log.path(dying.role)}.`);
  }
  if (Date.now() > until) {
    throw new StartFailure(
      `Not every process was ready within ${readyMsMax / 1000} s: the logs are next to ${log.path('launcher')}.`,
    );
  }
}

/** Indexes, seeds and the credentials file, made once by a process that ends, before anything serves; of large collections indexes take as long as they take. */
async function prepareData(running: RunningInstallation, execArgv: string[]): Promise<void> {
  const { installation, log, given } = running;
  const env = processEnvironment({ ROLES: 'prepare', ROLE_NAME: 'prepare' }, installation, given);
  const child = logged(log, 'prepare', () =>
    spawn(process.execPath, [...execArgv, join(__dirname, '../../process.js')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )();
  running.preparing = child;
  const startedMs = Date.now();
  const saying = setInterval(() => {
    const seconds = Math.round((Date.now() - startedMs) / 1_000);
    say(
      `Still preparing the data after ${seconds} s (indexes of large collections take time): its log is ${log.path('prepare')}.`,
    );
  }, preparingSaidEveryMs);
  const how = await new Promise((done) => {
    child.once('close', (code, signal) => done(code === 0 ? null : (signal ?? `exit code ${code}`)));
    child.once('error', (error) => done(error.message));
  });
  clearInterval(saying);
  delete running.preparing;
  if (how !== null) {
    throw new StartFailure(
      `Preparing the data failed (${log.lastError('prepare') ?? how}): its log is ${log.path('prepare')}.`,
    );
  }
}

function processEnvironment(role: Role['env'], { env }: Installation, given: NodeJS.ProcessEnv) {
  const roles = role['ROLES'] ?? '';
  const told = { ...given, ...env, ...role };
  return { ...frugal, ...environmentOf(roles, { ...told, MONGODB_URI: ownAddress(roles, told) }) };
}

function logged(log: ProcessLog, role: string, spawnIt: () => ChildProcess): () => ChildProcess {
  return () => {
    const child = spawnIt();
    log.follow(role, [child.stdout, child.stderr]);
    return child;
  };
}

function announce({ host, metricsHost, ports, dataDir, env, dashboard }: Installation): void {
  const credentialsPath = join(dataDir, 'sandbox-credentials.json');
  const credentials = readJsonFile(credentialsPath) as Parameters<typeof exampleAddresses>[2];
  say(`\n${addressTable({ host, metricsHost }, ports, { isSandbox: env['MODE'] === 'sandbox', dashboard })}\n`);
  if (credentials) say(`Credentials: ${credentialsPath}\n\n${exampleAddresses(host, ports, credentials)}\n`);
  say('ready');
}

async function stopAll(dataDir: string, running: RunningInstallation | undefined, log: ProcessLog): Promise<void> {
  running?.preparing?.kill('SIGTERM');
  running?.metrics?.close();
  running?.metrics?.closeAllConnections();
  await running?.supervisor.stop();
  replaceJsonFile(join(dataDir, 'processes.json'), []);
  await log.close();
}

main().catch((error: unknown) => {
  warn(failureSentence(error, 'DATA_DIR/logs'));
  process.exit(1);
});
