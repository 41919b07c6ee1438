// The whole of `npm start`, with everything in place from a first start: time to `ready`, and what its application processes hold when idle.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rssMb, stopChild } from '../support/server-process';

const root = resolve(__dirname, '../..');
const idleMs = 3_000;

interface WholeStart {
  readyMs: number;
  /** Application processes together, a few seconds after `ready`. */
  idleRssMb: number;
  processes: number;
}

export interface WholeProgram {
  start(): Promise<WholeStart>;
  remove(): void;
}

/** Keeps one DATA_DIR over all starts. */
export function wholeProgram(): WholeProgram {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATA_DIR: dataDir,
    CACHE_DIR: process.env['CACHE_DIR'] ?? join(root, '.data/cache'),
    MONGODB_URI: '',
    REDIS_URL: '',
    REST_PORT: '0',
    AUTH_PORT: '0',
    GRAPH_PORT: '0',
    METRICS_PORT: '0',
    PAY_PORT: '0',
    SHOP_PORT: '0',
    ACS_PORT: '0',
  };
  return {
    async start() {
      const startedAt = performance.now();
      const child = spawn(process.execPath, [join(root, 'tools/start.mjs')], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise<void>((done, fail) => {
        let text = '';
        child.stdout.on('data', (bytes: Buffer) => {
          text += bytes.toString();
          if (/^ready$/m.test(text)) done();
        });
        child.once('exit', (code) => fail(new Error(`the start ended with ${code}:\n${text}`)));
      });
      const readyMs = performance.now() - startedAt;
      await new Promise((done) => setTimeout(done, idleMs));
      const entries = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as {
        role: string;
        pid: number;
      }[];
      const pids = entries.filter(({ role }) => role.startsWith('app-')).map(({ pid }) => pid);
      const idleRssMb = rssMb(pids) ?? Number.NaN;
      await stopChild(child, 30_000);
      return { readyMs, idleRssMb, processes: pids.length };
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
