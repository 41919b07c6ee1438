// Starts the receiver: the Go one where Go is installed (it leaves more of the machine to the sender), else the node one.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startServer, stopChild } from '../support/server-process';

export interface Sink {
  kind: 'Go' | 'node';
  port: number;
  /** Requests answered so far by first path segment. */
  counts(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export async function startSink(): Promise<Sink> {
  const binary = join(__dirname, '../../dist/bench/callbacks/sink');
  const built = spawnSync('go', ['build', '-o', binary, join(__dirname, 'sink/main.go')], { stdio: 'ignore' });
  const { kind, port, stop } = built.status === 0 ? await startGo(binary) : await startNode();
  return {
    kind,
    port,
    counts: async () => (await fetch(`http://127.0.0.1:${port}/`)).json() as Promise<Record<string, number>>,
    stop,
  };
}

function startGo(binary: string): Promise<Pick<Sink, 'kind' | 'port' | 'stop'>> {
  const child = spawn(binary, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (line: Buffer) =>
      resolve({ kind: 'Go', port: Number(line.toString()), stop: () => stopChild(child) }),
    );
  });
}

async function startNode(): Promise<Pick<Sink, 'kind' | 'port' | 'stop'>> {
  const { port, stop } = await startServer('callbacks/sink.server.ts');
  return { kind: 'node', port, stop };
}
