// Starts the program's one application process against databases that run already, and times what becomes reachable when.
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Product } from '../support/product';
import { freePort, rssMb, stopChild } from '../support/server-process';

const root = resolve(__dirname, '../..');
const pollMs = 5;
const readyMsMax = 60_000;

export interface StartTimes {
  /** Milliseconds from spawning until GET /readyz of REST answers 200, and until an ad-hoc query is answered on the graph. */
  restReadyMs: number;
  allReadyMs: number;
  rssMb: number;
}

/** One application process with every role, as the launcher starts it, on ports of its own. */
export async function startApplication(product: Product): Promise<StartTimes> {
  const [REST_PORT, AUTH_PORT, GRAPH_PORT, METRICS_PORT] = await Promise.all([1, 2, 3, 4].map(freePort));
  const graphToken = await product.graphToken();
  const ports = { REST_PORT, AUTH_PORT, GRAPH_PORT, METRICS_PORT };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/process.js')], {
    env: { ...process.env, ...product.applicationEnv, ...textOf(ports) },
    stdio: 'ignore',
  });
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${REST_PORT}/readyz`)).status === 200, child);
    const restReadyMs = performance.now() - startedAt;
    await until(() => answersQuery(`http://127.0.0.1:${GRAPH_PORT}/graphql`, graphToken), child);
    const allReadyMs = performance.now() - startedAt;
    return { restReadyMs, allReadyMs, rssMb: rssMb([child.pid as number]) ?? Number.NaN };
  } finally {
    await stopChild(child, 20_000);
  }
}

function textOf(ports: Record<string, number | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}

async function answersQuery(url: string, token: string): Promise<boolean> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ merchants(first: 1) { edges { node { merchantId } } } }' }),
  });
  return ((await answer.json()) as { data?: unknown }).data !== undefined;
}

async function until(probe: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + readyMsMax;
  for (;;) {
    if (await probe().catch(() => false)) return;
    if (child.exitCode !== null) throw new Error(`the application process ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`not ready within ${readyMsMax} ms`);
    await new Promise((done) => setTimeout(done, pollMs));
  }
}
