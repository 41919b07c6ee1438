// The bare HTTP shell that the comparison cases share: bearer check, body, answer; nothing else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sayReady } from '../support/server-side';
import { bearer } from './fixture';

export interface GraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** Serves `answer` (an object or the ready JSON) on a free port and tells the benchmark. */
export function serveGraph(answer: (request: GraphRequest) => unknown, isOpen = false): void {
  const server = createServer((request, response) => {
    if (!isOpen && request.headers.authorization !== bearer) return send(response, 401, '{}');
    void readBody(request)
      .then(async (body) => send(response, 200, JSON.stringify(await answer(JSON.parse(body) as GraphRequest))))
      .catch((error: Error) => send(response, 500, JSON.stringify({ message: error.message })));
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => sayReady((server.address() as AddressInfo).port));
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
