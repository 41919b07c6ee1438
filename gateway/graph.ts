// Opens the one graph; the only file that knows whether subgraphs run in this process or behind HTTP.
import type { Config } from '../subgraphs/shared/config';
import type { Log } from '../subgraphs/shared/log';
import type { Subgraph } from '../subgraphs/shared/subgraph';
import type { GraphContract } from './contract';
import { createGraph, type Graph } from './execute';
import { internalCalls } from './internal-call';
import { localSubgraph } from './local-subgraph';
import { remoteSubgraph } from './remote-subgraph';

export type { Graph } from './execute';

export interface OpenGraphDeps {
  /** schema/plans.json, as `npm run schema` printed it. */
  contract: GraphContract;
  /** Subgraphs of this process; those missing here must be in `config.SUBGRAPH_URLS`. */
  subgraphs: readonly Subgraph[];
  config: Pick<Config, 'SUBGRAPH_URLS' | 'INTERNAL_SECRET' | 'REQUEST_TIMEOUT_MS'>;
  log: Log;
}

/** Nothing connects and nothing is planned here: the first call of each operation compiles it. */
export function openGraph({ contract, subgraphs, config, log }: OpenGraphDeps): Graph {
  const remote = Object.entries(config.SUBGRAPH_URLS).filter(
    ([name]) => !subgraphs.some((subgraph) => subgraph.name === name),
  );
  const calls = remote.length > 0 ? internalCalls(config.INTERNAL_SECRET) : null;
  const clients = [
    ...subgraphs.map(({ name, schema }) => localSubgraph(name, schema, log)),
    ...remote.flatMap(([name, url]) =>
      calls ? [remoteSubgraph({ name, url, calls, timeoutMs: config.REQUEST_TIMEOUT_MS })] : [],
    ),
  ];
  return createGraph({ contract, subgraphs: clients });
}
