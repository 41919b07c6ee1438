// Server processes of a benchmark: started from a TypeScript file, ready when they say so, watched through /proc, stopped by their id.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { compileServer } from './compile';
import { profilingFlags } from './profiling';

export interface ServerProcess {
  /** The processes that do the work. */
  pids: number[];
  port: number;
  child: ChildProcess;
  stop(): Promise<void>;
}

const readyMsMax = 60_000;
const stopMsMax = 5_000;

/** Compiles and starts `file` of bench/ with a settings object (BENCH_SETTINGS, JSON) and waits for its `sayReady`. */
export async function startServer(file: string, settings: object = {}): Promise<ServerProcess> {
  return spawnServer(await compileServer(file), settings);
}

/** Starts a compiled server. */
export function spawnServer(file: string, settings: object = {}): Promise<ServerProcess> {
  const child = fork(file, {
    execArgv: profilingFlags(),
    env: { ...process.env, NODE_ENV: 'production', BENCH_SETTINGS: JSON.stringify(settings) },
  });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(new Error(`${file} was not ready within ${readyMsMax} ms`)), readyMsMax);
    function fail(error: Error): void {
      clearTimeout(late);
      child.kill('SIGKILL');
      reject(error);
    }
    child.once('exit', (code) => fail(new Error(`${file} ended with ${code} before it was ready`)));
    child.once('message', (message: { port: number; pids: number[] }) => {
      clearTimeout(late);
      child.removeAllListeners('exit');
      resolve({ ...message, child, stop: () => stopChild(child) });
    });
  });
}

/** Sends SIGTERM, then SIGKILL; resolves when the process is gone. */
export function stopChild(child: ChildProcess, deadlineMs = stopMsMax): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

const ticksPerSecond = 100;

/** CPU seconds that these processes have used, threads included; null where there is no /proc. */
export function cpuSeconds(pids: readonly number[]): number | null {
  try {
    return pids.reduce((sum, pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return sum + (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    }, 0);
  } catch {
    return null;
  }
}

/** Resident memory of these processes together in MB; null where there is no /proc. */
export function rssMb(pids: readonly number[]): number | null {
  try {
    return pids.reduce((sum, pid) => {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0;
      return sum + Number(kilobytes) / 1024;
    }, 0);
  } catch {
    return null;
  }
}

/** A port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Gives a batch server an order and waits for its answer. */
export function order(server: ServerProcess, message: Record<string, unknown>): Promise<{ seconds: number }> {
  return new Promise((resolve, reject) => {
    server.child.once('message', (answer: { seconds: number } | { failure: string }) => {
      if ('failure' in answer) reject(new Error(answer.failure));
      else resolve(answer);
    });
    server.child.send(message);
  });
}
