// Composing the graph at build time: supergraph, what callers see of it, and the plan of each persisted operation.
import { type GraphQLSchema, isObjectType, parse, printSchema, validate } from 'graphql';
import { rulesOf } from '../../subgraphs/shared/callers/allow';
import type { TypedPart } from '../contracts/audience-tags';
import { apiSchemaOf, composeParts } from '../contracts/contract-schemas';
import { nodeOwners, nodesSdl, nodesSubgraph } from '../nodes';
import { loadPlanner, planText } from '../planner/planner';
import type { GraphContract, PersistedOperation } from './contract';

/** What is composed: the subgraphs, and the gateway's own where something is a Node and it is not there yet. */
export function graphParts(parts: readonly TypedPart[]): readonly TypedPart[] {
  const owners = nodeOwners(domainsOf(parts));
  if (Object.keys(owners).length === 0 || domainsOf(parts).length < parts.length) return parts;
  return [...parts, { name: nodesSubgraph, typeDefs: parse(nodesSdl(owners)) }];
}

function domainsOf(parts: readonly TypedPart[]): readonly TypedPart[] {
  return parts.filter(({ name }) => name !== nodesSubgraph);
}

/** Composes; throws one Error with everything that is wrong. `documents`: name of each persisted operation and its text. */
export async function composeContract(
  parts: readonly TypedPart[],
  documents: Record<string, string>,
): Promise<GraphContract> {
  const { supergraphSdl } = composeParts(graphParts(parts));
  const apiSchema = apiSchemaOf(supergraphSdl);
  const planner = await loadPlanner(supergraphSdl);
  const operations: Record<string, PersistedOperation> = {};
  for (const [name, text] of Object.entries(documents).sort(([a], [b]) => a.localeCompare(b))) {
    const document = parse(text);
    const wrong = validate(apiSchema, document);
    if (wrong.length > 0)
      throw new Error(`persisted operation ${name}: ${wrong.map(({ message }) => message).join('; ')}`);
    operations[name] = { document: text, plan: JSON.parse(planText(planner.plan(document, name))) };
  }
  const subscriptionRules = Object.fromEntries(
    parts.flatMap(({ typeDefs }) => [...(rulesOf(typeDefs).get('Subscription') ?? [])]),
  );
  return {
    supergraphSdl,
    apiSdl: printSchema(apiSchema),
    operations,
    nodes: nodeOwners(domainsOf(parts)),
    subscriptionRules,
    unmasked: unmaskedFields(parts, apiSchema),
  };
}

/** Also by the interfaces through which a document may ask for them. */
function unmaskedFields(parts: readonly TypedPart[], schema: GraphQLSchema): string[] {
  const found = parts.flatMap(({ unmasked = {} }) =>
    Object.entries(unmasked).flatMap(([name, { fields }]) => {
      const type = schema.getType(name);
      const interfaces = isObjectType(type) ? type.getInterfaces() : [];
      return fields.flatMap((field) => [
        `${name}.${field}`,
        ...interfaces.filter((each) => field in each.getFields()).map((each) => `${each.name}.${field}`),
      ]);
    }),
  );
  return [...new Set(found)].sort();
}
