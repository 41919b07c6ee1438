// Runs the command line as its users do: a process of its own, bundled once per run, against small servers of the test.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Bundles the command line into a folder of its own; returns the file to run. */
export function bundleCommandLine(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'pay-')), 'cli.js');
  const run = spawnSync(
    join(root, 'node_modules/.bin/esbuild'),
    [join(root, 'cli/main.ts'), '--bundle', '--platform=node', '--target=node20', `--outfile=${file}`],
    { encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`the command line does not build: ${run.stderr}`);
  return file;
}

/** Runs it to its end; `input` goes to stdin. */
export function runCommand(file: string, args: string[], input = ''): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: 'pipe', timeout: 120_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => done({ code, stdout, stderr }));
    // A command that never reads its stdin may be gone before this arrives.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface SmallServer {
  server: Server;
  origin: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

export type Reply = { status?: number; json?: unknown; text?: string };

/** A server that answers by `reply` and remembers what it was asked. */
export async function openServer(reply: (request: SeenRequest) => Reply): Promise<SmallServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const asked = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      seen.push(asked);
      const { status = 200, json, text } = reply(asked);
      response.writeHead(status, { 'content-type': json === undefined ? 'text/plain' : 'application/json' });
      response.end(json === undefined ? (text ?? '') : JSON.stringify(json));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Writes a file into a folder of its own and returns its path. */
export function temporaryFile(name: string, content: string, mode = 0o600): string {
  const path = join(mkdtempSync(join(tmpdir(), 'pay-')), name);
  writeFileSync(path, content, { mode });
  return path;
}
