// The query planner, loaded when the first operation without a stored plan arrives: it is the largest single part of the start.
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
