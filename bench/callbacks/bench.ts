// Callbacks with their attempt log: the product's worker against a raw undici pool, one BullMQ job and one Go asynq task per delivery.
import { type BatchCase, batchCase } from '../support/batch-case';
import type { Benchmark, Case } from '../support/benchmark';
import { type ServerProcess, startServer } from '../support/server-process';
import { openStores } from '../support/stores';
import { startAsynq } from './asynq';
import type { BullmqSettings } from './bullmq.server';
import type { ProductSettings } from './product.server';
import { startSink } from './sink';

const manyName = 'product, 2,000 endpoints, one callback each';
const asynqName = 'asynq task per delivery (Go)';

export const benchmark: Benchmark = {
  title: 'Delivered callbacks: 550-byte JSON, signed, keep-alive POST to a local sink, one worker process',
  async open() {
    const stores = await openStores();
    const sink = await startSink();
    const { redisUrl } = stores;
    const bullmqSettings = { sinkPort: sink.port, redisUrl } as const;
    const mongoUri = await stores.mongoUri('bench_callbacks_bullmq');
    const productSettings: ProductSettings = {
      sinkPort: sink.port,
      redisUrl,
      mongoUri: await stores.mongoUri('bench_callbacks_product'),
    };
    const [pool, bullmq, bullmqLogged, product] = await Promise.all([
      startServer('callbacks/pool.server.ts', { sinkPort: sink.port }),
      startServer('callbacks/bullmq.server.ts', {
        ...bullmqSettings,
        mongoUri: null,
        queueName: 'bench-plain',
      } satisfies BullmqSettings),
      startServer('callbacks/bullmq.server.ts', {
        ...bullmqSettings,
        mongoUri,
        queueName: 'bench-logged',
      } satisfies BullmqSettings),
      startServer('callbacks/product.server.ts', productSettings),
    ]);
    const asynq = await startAsynq({ sinkPort: sink.port, redisUrl });
    const shared = { databasePids: stores.pids, apart: stores.pidsOf };
    return {
      cases: [
        batchCase({ name: 'undici pool, 50 connections', kind: 'limit', server: pool }),
        ...ordinaryCases({ bullmq, bullmqLogged, asynq }, shared),
        ...productCases(product, shared),
      ],
      reference: 'undici pool, 50 connections',
      goals: [
        { metric: 'rate', of: 'product', against: 'undici pool, 50 connections', atLeast: 0.5 },
        { metric: 'rate', of: 'product', against: 'BullMQ job per delivery', atLeast: 2 },
        // 178 a second and 6.3 ms of CPU is what it was while each endpoint was served by itself.
        { metric: 'rate', of: manyName, atLeast: 1_780 },
        { metric: 'rate', of: manyName, against: 'BullMQ job per delivery + attempt row', atLeast: 1 },
        ...(asynq ? [{ metric: 'rate', of: 'product', against: asynqName, atLeast: 0.9 } as const] : []),
        { metric: 'rate', of: 'product, 1 of 100 endpoints slow', against: 'product, 100 endpoints', atLeast: 0.95 },
      ],
      facts: [
        `the sink is a ${sink.kind} process`,
        'one job per delivery knows no endpoints: its rows stand for 4 and for 2,000 of them',
        ...(asynq ? [] : ['no Go here: the asynq case is left out']),
      ],
      async close() {
        await Promise.all([pool, bullmq, bullmqLogged, product, asynq].map((server) => server?.stop()));
        await sink.stop();
        await stores.close();
      },
    };
  },
};

type Shared = Pick<BatchCase, 'databasePids' | 'apart'>;

function ordinaryCases(
  { bullmq, bullmqLogged, asynq }: Record<'bullmq' | 'bullmqLogged', ServerProcess> & { asynq: ServerProcess | null },
  shared: Shared,
): Case[] {
  const ordinary = (name: string, server: ServerProcess) => batchCase({ name, kind: 'ordinary', server, ...shared });
  return [
    ordinary('BullMQ job per delivery', bullmq),
    ordinary('BullMQ job per delivery + attempt row', bullmqLogged),
    ...(asynq ? [ordinary(asynqName, asynq)] : []),
  ];
}

function productCases(server: ServerProcess, shared: Shared): Case[] {
  const product = (name: string, variant: string, unit = 1) =>
    batchCase({ name, kind: 'product', server, ...shared, unit, variant });
  return [
    product('product', '4'),
    product('product, 4 endpoints that answer 500', '4 failing'),
    product('product, 100 endpoints', '100'),
    product('product, 1 of 100 endpoints slow', '100 one slow'),
    product(manyName, '2000 one each', 2_000),
  ];
}
