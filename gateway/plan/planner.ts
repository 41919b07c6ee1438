// The gateway's own query planner, loaded when the first operation without a stored plan arrives: it is the largest single part of the start.
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';

export interface Planner {
  plan(document: DocumentNode, operationName: string | undefined): QueryPlan;
}

/** Loads the planner and opens the supergraph in it (about a second). */
export async function loadPlanner(supergraphSdl: string): Promise<Planner> {
  const { QueryPlanner } = await import('@apollo/query-planner');
  const { operationFromDocument, Supergraph } = await import('@apollo/federation-internals');
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
  const apiSchema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return {
    plan: (document, operationName) =>
      planner.buildQueryPlan(operationFromDocument(apiSchema, document, operationName ? { operationName } : {})),
  };
}
