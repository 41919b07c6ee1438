// The printed contract that the graph is opened from: made by `npm run schema`, so that nothing is composed or planned at start.
import type { QueryPlan } from '@apollo/query-planner';
import type { Rule } from '../../subgraphs/shared/callers/rights';
import type { NodeOwners } from '../nodes';

/** One persisted operation of schema/operations/<domain>/<Name>.graphql and the plan that the gateway's own planner made for it. */
export interface PersistedOperation {
  document: string;
  plan: QueryPlan;
}

export interface GraphContract {
  /** Says that the file is generated, and how. */
  generated?: string;
  /** Composed schema with join directives, as the planner reads it. */
  supergraphSdl: string;
  /** What callers may see and ask. */
  apiSdl: string;
  operations: Record<string, PersistedOperation>;
  /** Where `node(id)` finds what; empty when nothing is a Node. */
  nodes: NodeOwners;
  /** Who may follow what: the rights that `@allow` names, by subscription field. The gateway serves subscriptions itself, so it asks here. */
  subscriptionRules: Record<string, readonly Rule[]>;
}
