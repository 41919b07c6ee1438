// The load: a process of its own that keeps a fixed number of requests in flight over plain keep-alive sockets, cheaper than any HTTP client.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoadConnection } from './load-connection';
import { stopChild } from './server-process';
import { percentile } from './statistics';

export interface LoadRequest {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  /** One body for all requests. */
  body?: string;
  /** A file with one body per line, each used once, in order over all rounds; when it is used up the load stops. */
  bodiesFile?: string;
  connections: number;
  seconds: number;
}

interface LoadResult {
  completed: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Connections that broke with a request on its way. */
  broken: number;
  /** One answer that was not 2xx. */
  refusal: string;
}

export interface LoadProcess {
  /** Runs one load; throws when an answer was not 2xx or a connection broke, because such a figure means nothing. */
  run(request: LoadRequest): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** Starts the load process. */
export function startLoad(): LoadProcess {
  const child: ChildProcess = fork(__filename, { execArgv: ['--require', join(__dirname, 'typescript.cjs')] });
  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        child.once('message', (answer: LoadResult | { failure: string }) => {
          if ('failure' in answer) return reject(new Error(`the load failed: ${answer.failure}`));
          const refused = Object.keys(answer.statuses).filter((status) => !status.startsWith('2'));
          if (refused.length > 0 || answer.broken > 0) {
            const counts = `${JSON.stringify(answer.statuses)}, ${answer.broken} broken connections`;
            return reject(new Error(`${request.path}: ${counts}\n${answer.refusal}`));
          }
          resolve(answer);
        });
        child.send(request);
      }),
    stop: () => stopChild(child),
  };
}

const bodyFiles = new Map<string, { lines: string[]; next: number }>();

async function load(request: LoadRequest): Promise<LoadResult> {
  const next = messages(request);
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let broken = 0;
  let refusal = '';
  const startedAt = performance.now();
  const until = startedAt + request.seconds * 1_000;
  await Promise.all(
    Array.from({ length: request.connections }, async () => {
      const connection = await LoadConnection.open(request.port);
      try {
        while (performance.now() < until) {
          const message = next();
          if (message === null) break;
          const sentAt = performance.now();
          const status = await connection.exchange(message);
          latencies.push(performance.now() - sentAt);
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      } catch {
        broken += 1;
      } finally {
        refusal ||= connection.refusal;
        connection.close();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(latencies).sort();
  return {
    completed: latencies.length,
    seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    statuses,
    broken,
    refusal,
  };
}

/** Gives the bytes of the next request, or null when the file of bodies is used up. */
function messages({ method, path, headers, body, bodiesFile, port }: LoadRequest): () => Buffer | null {
  const fixed = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${fixed.join('')}`;
  const whole = (content: string) =>
    Buffer.from(`${head}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`);
  if (!bodiesFile) {
    const message = body === undefined ? Buffer.from(`${head}\r\n`) : whole(body);
    return () => message;
  }
  let file = bodyFiles.get(bodiesFile);
  if (!file) {
    file = { lines: readFileSync(bodiesFile, 'utf8').split('\n').filter(Boolean), next: 0 };
    bodyFiles.set(bodiesFile, file);
  }
  const bodies = file;
  return () => {
    const line = bodies.lines[bodies.next];
    bodies.next += 1;
    return line === undefined ? null : whole(line);
  };
}

if (require.main === module) {
  process.once('disconnect', () => process.exit(0));
  process.on('message', (request: LoadRequest) => {
    load(request).then(
      (result) => process.send?.(result),
      (error: Error) => process.send?.({ failure: error.message }),
    );
  });
}
