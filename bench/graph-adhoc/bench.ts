// Ad-hoc federated query: the product's graph server against one schema in graphql-js and the gateway over HTTP as shipped.
import type { Benchmark } from '../support/benchmark';
import { compareAnswers, type HttpCase, httpCase } from '../support/http-case';
import { startLoad } from '../support/http-load';
import { type ServerProcess, startServer } from '../support/server-process';
import { bearer, query } from './fixture';

const connections = 16;

export const benchmark: Benchmark = {
  title: 'Ad-hoc federated query, two subgraphs with data in memory, 16 connections',
  async open() {
    const subgraphs = await startServer('graph-adhoc/subgraphs.server.ts');
    const [bare, oneSchema, gateway, product] = await Promise.all([
      startServer('graph-adhoc/bare.server.ts'),
      startServer('graph-adhoc/one-schema.server.ts'),
      startServer('graph-adhoc/gateway-http.server.ts', { subgraphsPort: subgraphs.port }),
      startServer('graph-adhoc/product.server.ts'),
    ]);
    const cases: HttpCase[] = [
      { name: 'bare node http', kind: 'limit', ...behind(bare) },
      { name: 'graphql-js one schema', kind: 'limit', ...behind(oneSchema) },
      { name: 'gateway over HTTP', kind: 'ordinary', ...behind(gateway, subgraphs) },
      { name: 'product', kind: 'product', ...behind(product) },
    ];
    const answer = await compareAnswers(cases);
    const load = startLoad();
    return {
      cases: cases.map((each) => httpCase(load, each)),
      reference: 'graphql-js one schema',
      goals: [
        { metric: 'rate', of: 'product', against: 'graphql-js one schema', atLeast: 0.8 },
        { metric: 'rate', of: 'product', against: 'gateway over HTTP', atLeast: 12 },
      ],
      facts: [`${Buffer.byteLength(answer) - 4} bytes of answer, the same from every case`, `query: ${query}`],
      async close() {
        await load.stop();
        await Promise.all([subgraphs, bare, oneSchema, gateway, product].map((server) => server.stop()));
      },
    };
  },
};

function behind(server: ServerProcess, ...others: ServerProcess[]): Pick<HttpCase, 'request' | 'pids'> {
  return {
    request: {
      port: server.port,
      method: 'POST',
      path: '/graphql',
      headers: { authorization: bearer, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
      connections,
    },
    pids: [server, ...others].flatMap(({ pids }) => pids),
  };
}
