// GET /virtual-accounts/{id} on the product's own REST server: authentication, rate limit and validation on, MongoDB behind it.
import type { Benchmark } from '../support/benchmark';
import { compareAnswers, type HttpCase, httpCase } from '../support/http-case';
import { startLoad } from '../support/http-load';
import { newVirtualAccount, startProduct } from '../support/product';
import { startServer } from '../support/server-process';

const connections = 16;

export const benchmark: Benchmark = {
  title: `GET /virtual-accounts/{id}, ${connections} connections, one process each`,
  async open() {
    const product = await startProduct({ processes: 1 });
    const mongoUri = product.mongoUri(product.database.db().databaseName);
    const [bare, express] = await Promise.all([
      startServer('facade-read/bare.server.ts', { mongoUri }),
      startServer('facade-read/express.server.ts', { mongoUri }),
    ]);
    const path = `/virtual-accounts/${await newVirtualAccount(product)}`;
    const headers = await product.tokenizationHeaders();
    const request = (port: number) => ({ port, method: 'GET' as const, path, headers, connections });
    const { databasePids } = product;
    const cases: HttpCase[] = [
      { name: 'bare node http', kind: 'limit', request: request(bare.port), pids: bare.pids, databasePids },
      {
        name: 'express 5 + plain code',
        kind: 'ordinary',
        request: request(express.port),
        pids: express.pids,
        databasePids,
      },
      { name: 'product', kind: 'product', request: request(product.restPort), pids: product.pids, databasePids },
    ];
    const answer = await compareAnswers(cases);
    const load = startLoad();
    return {
      cases: cases.map((each) => httpCase(load, each)),
      reference: 'express 5 + plain code',
      goals: [
        { metric: 'rate', of: 'product', against: 'express 5 + plain code', atLeast: 0.9 },
        { metric: 'p99Ms', of: 'product', against: 'express 5 + plain code', atMost: 1.5 },
        { metric: 'rate', of: 'product', against: 'bare node http', atLeast: 0, aim: 0.6 },
      ],
      facts: [
        `the answer of every case: ${answer}`,
        'the product also asks its rate limiter (Redis), keeps metrics and runs every other role in the same process; the comparison cases do not',
      ],
      async close() {
        await load.stop();
        await Promise.all([bare, express].map((server) => server.stop()));
        await product.stop();
      },
    };
  },
};
