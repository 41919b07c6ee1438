// The small graph of the fixture behind a real port, with the credentials and the rate that a test decides on.

import { openGraph } from '../../gateway/graph';
import type { Admit, ChargeCost } from '../../gateway/http/admission';
import { startGraphServer } from '../../gateway/http/server';
import type { Graph } from '../../gateway/plan/execute';
import type { TrustedDocuments } from '../../gateway/plan/trusted-documents';
import type { Usage } from '../../gateway/plan/usage';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { fixtureConfig, fixtureContract, fixtureSubgraphs, silentLog } from './fixture';

export interface FixtureServer {
  graph: Graph;
  /** Of /graphql. */
  url: string;
  stop(): Promise<void>;
}

export interface FixtureServerOptions {
  authenticate(authorization: string | undefined): Promise<Caller>;
  admit: Admit;
  /** Silent when absent. */
  log?: Log;
  metrics?: Metrics;
  /** 5 000 when absent. */
  timeoutMs?: number;
  /** True when absent. */
  isSandbox?: boolean;
  charge?: ChargeCost;
  usage?: Usage;
  trusted?: TrustedDocuments;
  /** Of other pages; none when absent. */
  origins?: string;
}

export async function startFixtureServer(options: FixtureServerOptions): Promise<FixtureServer> {
  const { authenticate, admit, metrics, log = silentLog, timeoutMs = fixtureConfig.REQUEST_TIMEOUT_MS } = options;
  const config = {
    ...fixtureConfig,
    HOST: '127.0.0.1',
    GRAPH_PORT: 0,
    REQUEST_TIMEOUT_MS: timeoutMs,
    isSandbox: options.isSandbox ?? true,
    GRAPH_ORIGINS: options.origins ?? '',
  };
  const contract = { ...(await fixtureContract()), ...withoutUndefined({ trusted: options.trusted }) };
  const graph = openGraph({ contract, subgraphs: fixtureSubgraphs, config, log: silentLog });
  const kept = withoutUndefined({ metrics, charge: options.charge, usage: options.usage });
  const server = await startGraphServer({ graph, config, log, authenticate, admit, ...kept });
  return {
    graph,
    url: `http://127.0.0.1:${server.port}/graphql`,
    async stop() {
      await server.stop();
      await graph.close();
    },
  };
}
