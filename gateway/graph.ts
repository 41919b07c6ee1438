// Opens the one graph; the only file that knows whether subgraphs run in this process or behind HTTP.
import type { Config } from '../subgraphs/shared/config';
import type { Subgraph } from '../subgraphs/shared/graph/subgraph';
import type { Log } from '../subgraphs/shared/log/log';
import type { Tracing } from '../subgraphs/shared/log/tracing';
import { createNodes } from './nodes';
import type { GraphContract } from './plan/contract';
import { createGraph, type Graph } from './plan/execute';
import { senderKey } from './subgraphs/internal-keys';
import { localSubgraph } from './subgraphs/local-subgraph';
import { remoteSubgraph } from './subgraphs/remote-subgraph';
import type { SubgraphClient } from './subgraphs/subgraph-client';
import { subgraphWithDeadline } from './subgraphs/subgraph-deadline';

export type { Graph } from './plan/execute';

/** When a connection to a subgraph is given up. Whoever waits for the answer has a limit of his own, the longest is that of the sandbox's settlement. */
const callMsMax = 75_000;

export interface OpenGraphDeps {
  /** The folder `schema`, as `npm run schema` printed it: `readContract`. */
  contract: GraphContract;
  /** Subgraphs of this process; those missing here must be in `config.SUBGRAPH_URLS`. */
  subgraphs: readonly Subgraph[];
  config: Pick<Config, 'SUBGRAPH_URLS' | 'SUBGRAPH_TIMEOUT_MS' | 'INTERNAL_PRIVATE_KEY' | 'ROLES' | 'GRAPH_PLANNER'>;
  log: Log;
  /** Absent: nobody collects spans. */
  tracing?: Tracing | undefined;
}

/** Nothing connects and nothing is planned here: the first call of each operation compiles it. */
export function openGraph({ contract, subgraphs, config, log, tracing }: OpenGraphDeps): Graph {
  const remote = Object.entries(config.SUBGRAPH_URLS).filter(
    ([name]) => !subgraphs.some((subgraph) => subgraph.name === name),
  );
  const signer = remote.length > 0 ? senderKey(config.ROLES, config.INTERNAL_PRIVATE_KEY) : null;
  const clients = [
    ...subgraphs.map(({ name, schema }) => localSubgraph(name, schema, log)),
    ...remote.flatMap(([name, url]) => (signer ? [remoteSubgraph({ name, url, signer, timeoutMs: callMsMax })] : [])),
  ].map((client) => subgraphWithDeadline(client, config.SUBGRAPH_TIMEOUT_MS));
  if (Object.keys(contract.nodes).length > 0) clients.push(createNodes(contract.nodes, clientNamed(clients), log));
  return createGraph({ contract, subgraphs: clients, log, planner: config.GRAPH_PLANNER, tracing });
}

function clientNamed(clients: readonly SubgraphClient[]): (name: string) => SubgraphClient {
  return (name) => {
    const client = clients.find((candidate) => candidate.name === name);
    if (!client) throw new Error(`the contract names a subgraph ${name} that this process does not know`);
    return client;
  };
}
