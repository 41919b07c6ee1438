// Callbacks with their attempt log: the product's worker against a raw undici pool, one BullMQ job and one Go asynq task per delivery.
import { batchCase } from '../support/batch-case';
import type { Benchmark } from '../support/benchmark';
import { startServer } from '../support/server-process';
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
        batchCase({ name: 'BullMQ job per delivery', kind: 'ordinary', server: bullmq, ...shared }),
        batchCase({
          name: 'BullMQ job per delivery + attempt row',
          kind: 'ordinary',
          server: bullmqLogged,
          ...shared,
        }),
        ...(asynq ? [batchCase({ name: asynqName, kind: 'ordinary', server: asynq, ...shared })] : []),
        batchCase({ name: 'product', kind: 'product', server: product, ...shared, variant: '4' }),
        batchCase({ name: 'product, 100 endpoints', kind: 'product', server: product, ...shared, variant: '100' }),
        batchCase({
          name: 'product, 1 of 100 endpoints slow',
          kind: 'product',
          server: product,
          ...shared,
          variant: '100 one slow',
        }),
        batchCase({
          name: manyName,
          kind: 'product',
          server: product,
          ...shared,
          unit: 2_000,
          variant: '2000 one each',
        }),
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
