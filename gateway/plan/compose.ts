// Composing the graph at build time: supergraph, what callers see of it, and the plan of each persisted operation.
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import type { DocumentNode } from 'graphql';
import { parse, printSchema, validate } from 'graphql';
import { rulesOf } from '../../subgraphs/shared/callers/allow';
import { nodeOwners, nodesSdl, nodesSubgraph } from '../nodes';
import type { GraphContract, PersistedOperation } from './contract';
import { loadPlanner } from './planner';

export interface ComposedPart {
  name: string;
  typeDefs: DocumentNode;
}

/** Composes; throws one Error with everything that is wrong. `documents`: name of each persisted operation and its text. */
export async function composeContract(
  parts: readonly ComposedPart[],
  documents: Record<string, string>,
): Promise<GraphContract> {
  const nodes = nodeOwners(parts);
  const hasNodes = Object.keys(nodes).length > 0;
  const all = hasNodes ? [...parts, { name: nodesSubgraph, typeDefs: parse(nodesSdl(nodes)) }] : parts;
  const composed = composeServices(all.map(({ name, typeDefs }) => ({ name, typeDefs, url: '' })));
  if (composed.errors) {
    throw new Error(
      `the subgraphs do not compose:\n${composed.errors.map(({ message }) => `  ${message}`).join('\n')}`,
    );
  }
  const { supergraphSdl } = composed;
  const apiSchema = Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema();
  const planner = await loadPlanner(supergraphSdl);
  const operations: Record<string, PersistedOperation> = {};
  for (const [name, text] of Object.entries(documents).sort(([a], [b]) => a.localeCompare(b))) {
    const document = parse(text);
    const wrong = validate(apiSchema, document);
    if (wrong.length > 0)
      throw new Error(`persisted operation ${name}: ${wrong.map(({ message }) => message).join('; ')}`);
    operations[name] = { document: text, plan: withoutDocuments(planner.plan(document, name)) };
  }
  const subscriptionRules = Object.fromEntries(
    parts.flatMap(({ typeDefs }) => [...(rulesOf(typeDefs).get('Subscription') ?? [])]),
  );
  return { supergraphSdl, apiSdl: printSchema(apiSchema), operations, nodes, subscriptionRules };
}

/** Plans are kept as JSON: parsed documents inside them would only repeat the text. */
function withoutDocuments<Plan>(plan: Plan): Plan {
  return JSON.parse(
    JSON.stringify(plan, (key, value) => (key === 'operationDocumentNode' || key === 'id' ? undefined : value)),
  );
}
