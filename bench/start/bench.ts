// Start and memory: bare node http, one application process with every role, and the whole `npm start`.
import type { Benchmark, Case, Sample } from '../support/benchmark';
import { compileServer } from '../support/compile';
import { startProduct } from '../support/product';
import { rssMb, spawnServer } from '../support/server-process';
import { startApplication } from './program';
import { wholeProgram } from './whole-program';

const bare = 'bare node http';

export const benchmark: Benchmark = {
  title: 'Time to ready and memory',
  async open() {
    const product = await startProduct({ processes: 1 });
    const bareFile = await compileServer('start/bare.server.ts');
    const whole = wholeProgram();
    const cases: Case[] = [
      {
        name: bare,
        kind: 'limit',
        async measure() {
          const startedAt = performance.now();
          const server = await spawnServer(bareFile);
          await fetch(`http://127.0.0.1:${server.port}/`);
          const sample = started(performance.now() - startedAt, rssMb(server.pids));
          await server.stop();
          return sample;
        },
      },
      {
        name: 'product: REST ready',
        kind: 'product',
        async measure() {
          const { restReadyMs, rssMb: memory } = await startApplication(product);
          return started(restReadyMs, memory);
        },
      },
      {
        name: 'product: everything ready',
        kind: 'product',
        async measure() {
          const { allReadyMs, rssMb: memory } = await startApplication(product);
          return started(allReadyMs, memory);
        },
      },
      {
        name: 'npm start, second start',
        kind: 'product',
        async measure() {
          const { readyMs, idleRssMb, processes } = await whole.start();
          const sample = started(readyMs, idleRssMb);
          return { ...sample, extra: { ...sample.extra, 'application processes': processes } };
        },
      },
    ];
    return {
      cases,
      reference: bare,
      goals: [
        { metric: 'extra.ready ms', of: 'product: REST ready', against: bare, atMost: 4 },
        { metric: 'extra.ready ms', of: 'product: everything ready', against: bare, atMost: 7 },
        { metric: 'rssMb', of: 'product: everything ready', against: bare, atMost: 2.2 },
        { metric: 'extra.ready ms', of: 'npm start, second start', atMost: 10_000 },
        { metric: 'rssMb', of: 'npm start, second start', atMost: 600 },
      ],
      facts: [
        'rates are starts per second; the memory of `npm start` is that of its application processes together, 3 s after ready',
      ],
      async close() {
        whole.remove();
        await product.stop();
      },
    };
  },
};

function started(readyMs: number, memory: number | null): Sample {
  return { rate: 1_000 / readyMs, rssMb: memory, extra: { 'ready ms': readyMs } };
}
