// The schema of a domain under test, built once: domains only declare their subgraph, whoever serves it builds it.
import type { GraphQLSchema } from 'graphql';
import { buildSubgraph, type Subgraph, type SubgraphDefinition } from '../../subgraphs/shared/graph/subgraph';

const built = new WeakMap<SubgraphDefinition, Promise<Subgraph>>();

export async function schemaOf({ subgraph }: { subgraph: SubgraphDefinition }): Promise<GraphQLSchema> {
  const building = built.get(subgraph) ?? buildSubgraph(subgraph);
  built.set(subgraph, building);
  return (await building).schema;
}
