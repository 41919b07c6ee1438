// Query planners, of which one is loaded when a document without a stored plan arrives: they are the largest single part of a gateway's memory.
import type { QueryPlan } from '@apollo/query-planner';
import { type DocumentNode, parse } from 'graphql';
import { loadHivePlanner } from './hive-planner';

export interface Planner {
  plan(document: DocumentNode, operationName: string | undefined): QueryPlan;
}

/** Who plans: the gateway's own planner (Elastic License 2.0), or Hive Router's (MIT). Both plan the same supergraph. */
export const plannerNames = ['apollo', 'hive'] as const;
export type PlannerName = (typeof plannerNames)[number];

/** Loads the named planner and opens the supergraph in it. */
export async function loadPlanner(supergraphSdl: string, name: PlannerName = 'apollo'): Promise<Planner> {
  return name === 'hive' ? loadHivePlanner(supergraphSdl) : loadApolloPlanner(supergraphSdl);
}

/** Takes about a second. */
async function loadApolloPlanner(supergraphSdl: string): Promise<Planner> {
  const { QueryPlanner } = await import('@apollo/query-planner');
  const { operationFromDocument, Supergraph } = await import('@apollo/federation-internals');
  const supergraph = Supergraph.build(parse(supergraphSdl, { noLocation: true }), { validateSupergraph: false });
  const apiSchema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return {
    plan: (document, operationName) =>
      planner.buildQueryPlan(operationFromDocument(apiSchema, document, operationName ? { operationName } : {})),
  };
}

/** A plan as JSON: parsed documents inside it would only repeat the text. */
export function planText(plan: QueryPlan): string {
  return JSON.stringify(plan, (key, value) => (key === 'operationDocumentNode' || key === 'id' ? undefined : value));
}
