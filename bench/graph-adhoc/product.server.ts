// Product: the graph's own HTTP server, as it ships, over the fixture's two subgraphs in this process; only the credential check is the fixture's.

import { openGraph } from '../../gateway/graph';
import { startGraphServer } from '../../gateway/http/server';
import { composeContract } from '../../gateway/plan/compose';
import { createUsage } from '../../gateway/plan/usage';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { createLog } from '../../subgraphs/shared/log/log';
import { createMetrics } from '../../subgraphs/shared/log/metrics';
import { sayReady } from '../support/server-side';
import { bearer } from './fixture';
import { subgraphNames, subgraphSchema, subgraphTypeDefs } from './subgraphs';

const caller: Caller = {
  kind: 'client',
  credentialId: 'bench',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read'],
  identifiers: [],
};

async function start(): Promise<void> {
  const log = createLog('warn', 'bench');
  const subgraphs = subgraphNames.map((name) => ({
    name,
    schema: subgraphSchema(name),
    typeDefs: subgraphTypeDefs(name),
    sdl: '',
  }));
  const contract = await composeContract(subgraphs, {});
  const config = {
    HOST: '127.0.0.1',
    GRAPH_PORT: 0,
    REQUEST_TIMEOUT_MS: 10_000,
    SUBGRAPH_TIMEOUT_MS: 5_000,
    isSandbox: true,
    SUBGRAPH_URLS: {},
    INTERNAL_PRIVATE_KEY: '',
    GRAPH_PLANNER: process.env['GRAPH_PLANNER'] === 'hive' ? ('hive' as const) : ('apollo' as const),
    ROLES: ['gateway'],
  };
  const metrics = createMetrics();
  const graph = openGraph({ contract, subgraphs, config, log });
  const { port } = await startGraphServer({
    graph,
    config,
    log,
    metrics,
    usage: createUsage(metrics),
    authenticate: async (authorization) => {
      if (authorization !== bearer) throw new DomainError('unauthenticated');
      return caller;
    },
    // The others count no rates either.
    admit: async () => {},
  });
  sayReady(port);
}

void start();
