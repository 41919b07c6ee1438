// Token events to many subscribers: the product's graph server against bare `ws` and graphql-ws as shipped.
import { Redis } from 'ioredis';
import type { Benchmark } from '../support/benchmark';
import { newVirtualAccount, startProduct } from '../support/product';
import { type ServerProcess, startServer } from '../support/server-process';
import type { ClientsSettings } from './clients.server';
import { channel, clientMessages } from './event';
import { type FanOutCase, fanOutCase } from './fan-out-case';
import { productEvents } from './product-events';

const subscribers = Number(process.env['SUBSCRIBERS'] ?? 5_000);
/** Of each case, and of the subscribers: what one process may open ends somewhere. */
const processes = Number(process.env['BENCH_PROCESSES'] ?? 1);
/** Every role in each process of the product, or its gateways by themselves, of which there are two. */
const topology = process.env['BENCH_TOPOLOGY'] === 'split' ? 'split' : 'embedded';
const each = Math.ceil(subscribers / processes);

export const benchmark: Benchmark = {
  title: `Token events to ${(each * processes).toLocaleString('en')} subscribers, processes: ${processes}, bursts of 10`,
  async open() {
    const product = await startProduct({
      processes,
      topology,
      // All subscribers come from one address, with one access token.
      env: {
        SOCKETS_PER_TOKEN_MAX: '100000',
        UNAUTHENTICATED_SOCKETS_PER_ADDRESS_MAX: '100000',
        UNAUTHENTICATED_SOCKETS_MAX: '100000',
      },
    });
    const { redisUrl } = product;
    const [clients, bare, shipped] = await Promise.all([
      servers('fan-out/clients.server.ts', { subscribers: each } satisfies ClientsSettings),
      servers('fan-out/bare.server.ts', { redisUrl }),
      servers('fan-out/graphql-ws.server.ts', { redisUrl }),
    ]);
    const redis = new Redis(redisUrl);
    const publish = async (count: number) => async () => {
      await redis.publish(channel, String(count));
    };
    const events = productEvents(product, await newVirtualAccount(product));
    const { merchantId } = product.credentials.tenants.alpha;
    const cases: FanOutCase[] = [
      { ...behind(bare, []), name: 'bare ws.send', kind: 'limit', prepare: publish },
      {
        ...behind(shipped, clientMessages(merchantId, 'Bearer bench')),
        name: 'graphql-ws as shipped',
        kind: 'ordinary',
        prepare: publish,
      },
      {
        name: 'product',
        kind: 'product',
        // Its processes share one.
        ports: clients.map(() => Number(new URL(product.credentials.urls.graph).port)),
        path: '/graphql',
        messages: clientMessages(merchantId, `Bearer ${await product.graphToken()}`),
        pids: product.pids,
        prepare: events.positioned,
        commit: events.commit,
      },
    ];
    return {
      cases: cases.map((one) => fanOutCase(clients, each * processes, one)),
      reference: 'bare ws.send',
      goals: [
        { metric: 'rate', of: 'product', against: 'bare ws.send', atLeast: 0.7, aim: 0.85 },
        { metric: 'rate', of: 'product', against: 'graphql-ws as shipped', atLeast: 4 },
        { metric: 'extra.last delivery ms', of: 'product', against: 'bare ws.send', atMost: 1.15 },
        { metric: 'rssMb', of: 'product', against: 'bare ws.send', atMost: 1.2 },
      ],
      facts: [
        'the subscribers are plain sockets',
        topology === 'split' ? 'the gateways alone are counted' : 'each process of the product runs every role',
      ],
      async close() {
        redis.disconnect();
        await events.close();
        await Promise.all([...clients, ...bare, ...shipped].map((server) => server.stop()));
        await product.stop();
      },
    };
  },
};

function servers(file: string, settings: object): Promise<ServerProcess[]> {
  return Promise.all(Array.from({ length: processes }, () => startServer(file, settings)));
}

function behind(many: readonly ServerProcess[], messages: string[]) {
  return { ports: many.map(({ port }) => port), path: '/graphql', messages, pids: many.flatMap(({ pids }) => pids) };
}
