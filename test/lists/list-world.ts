// The graph over rows of every collection that a list of it reads.
import { type Graph, openGraph } from '../../gateway/graph';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { type EntityWorld, openEntityWorld } from '../journeys/entity-world';
import { contract } from '../support/graph-contract';
import { keptCollections, own, rowsOf } from './list-rows';

export interface ListWorld extends EntityWorld {
  graph: Graph;
}

/** Each collection has so many rows. */
export async function openListWorld(rowCount: number): Promise<ListWorld> {
  const world = await openEntityWorld();
  const { connection } = world.stores;
  for (const name of keptCollections) {
    await connection.collection(name).deleteMany({});
    for (const rows of rowsOf(name, rowCount))
      await connection.collection(name).insertMany(rows as never, { bypassDocumentValidation: true });
  }
  await sealMails(world);
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  // What a question reads is judged, never how long a busy machine takes.
  const config = { ...fixtureConfig, SUBGRAPH_TIMEOUT_MS: 300_000 };
  // Pages and partners ask some of them by operations of ours: held against no contract of callers.
  const { contracts: _ofCallers, ...whole } = contract;
  const graph = openGraph({ contract: whole, subgraphs, config, log: silentLog });
  const close = async () => {
    await graph.close();
    await world.close();
  };
  return { ...world, graph, close };
}

/** The list of mails shows what is in them. */
async function sealMails({ vault, stores }: EntityWorld): Promise<void> {
  const link = await vault.seal({ owner: own.accountId, field: 'mail.link' }, 'https://sign.example');
  const sealed = { $set: { accountId: own.accountId, link } };
  await stores.connection.collection('mails').updateMany({}, sealed, { bypassDocumentValidation: true });
}
