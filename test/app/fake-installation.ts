// The real launcher and commands around fake application processes, built once per test file, for tests of supervision alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { eventually } from '../support/stores';
import type { ProcessEntry } from '../support/world';

const root = resolve(__dirname, '../..');
const external = [
  'kerberos',
  '@mongodb-js/zstd',
  'snappy',
  'gcp-metadata',
  '@aws-sdk/*',
  'socks',
  'mongodb-client-encryption',
];

interface Program {
  child: ChildProcess;
  output(): string;
  errors(): string;
  /** Resolves with the exit code (or signal) and everything printed. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface FakeInstallation {
  /** A folder for this installation's data, fresh. */
  dataDir: string;
  run(
    name: 'launcher' | 'process' | 'stop' | 'reset',
    options?: { args?: string[]; env?: Record<string, string> },
  ): Program;
  /** Runs the launcher and waits for `ready`. */
  start(options?: { args?: string[]; env?: Record<string, string> }): Promise<Program>;
  processes(): ProcessEntry[];
  process(role: string): ProcessEntry;
  remove(): Promise<void>;
}

/** Compiles the launcher, its commands and the fake application into a folder laid out like dist. */
export function buildFakeDist(): string {
  const dist = mkdtempSync(join(tmpdir(), 'fake-dist-'));
  const shared = { bundle: true, platform: 'node', target: 'node20', external, logLevel: 'warning' } as const;
  const commands = { stop: 'tools/commands/stop.ts', reset: 'tools/commands/reset.ts' };
  const entryPoints = {
    'app/launcher/launcher': 'app/launcher/launcher.ts',
    process: 'test/app/fake-process.ts',
    ...commands,
  };
  buildSync({ ...shared, absWorkingDir: root, entryPoints, outdir: dist });
  return dist;
}

export function createFakeInstallation(dist: string): FakeInstallation {
  const dataDir = mkdtempSync(join(tmpdir(), 'fake-data-'));
  const programs: Program[] = [];
  const paths = { launcher: 'app/launcher/launcher.js', process: 'process.js', stop: 'stop.js', reset: 'reset.js' };
  const installation: FakeInstallation = {
    dataDir,
    run(name, { args = [], env = {} } = {}) {
      const program = follow(
        spawn(process.execPath, [join(dist, paths[name]), ...args], {
          env: { ...process.env, ...freePorts, CACHE_DIR: cacheDir(), DATA_DIR: dataDir, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      );
      programs.push(program);
      return program;
    },
    async start(options) {
      const program = installation.run('launcher', options);
      await eventually(() => /^ready$/m.test(program.output()) || program.child.exitCode !== null, {
        timeoutMs: 280_000,
      });
      if (program.child.exitCode !== null) throw new Error(`the launcher did not start: ${program.errors()}`);
      return program;
    },
    processes: () => {
      const path = join(dataDir, 'processes.json');
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ProcessEntry[]) : [];
    },
    process(role) {
      const entry = installation.processes().find((candidate) => candidate.role === role);
      if (!entry) throw new Error(`no process has the role ${role} now`);
      return entry;
    },
    async remove() {
      for (const { child, ended } of programs) {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
        await ended;
      }
      await installation.run('stop').ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return installation;
}

const freePorts = {
  REST_PORT: '0',
  AUTH_PORT: '0',
  GRAPH_PORT: '0',
  METRICS_PORT: '0',
  PAY_PORT: '0',
  SHOP_PORT: '0',
  ACS_PORT: '0',
  PROCESSES: '2',
};

function cacheDir(): string {
  return process.env['CACHE_DIR'] ?? join(root, '.data/cache');
}

function follow(child: ChildProcess): Program {
  let [output, errors] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) =>
    child.once('close', (code, signal) => done({ code, signal })),
  );
  return { child, output: () => output, errors: () => errors, ended };
}
