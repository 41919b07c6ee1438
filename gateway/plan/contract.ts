// The printed contract that the graph is opened from: made by `npm run schema`, so that nothing is composed or planned at start.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryPlan } from '@apollo/query-planner';
import type { Rule } from '../../subgraphs/shared/callers/rights';
import type { NodeOwners } from '../nodes';
import { readTrustedDocuments, type TrustedDocuments } from './trusted-documents';

/** One persisted operation of schema/operations/<domain>/<Name>.graphql and the plan that the gateway's own planner made for it. */
export interface PersistedOperation {
  document: string;
  plan: QueryPlan;
}

export interface GraphContract {
  /** Composed schema with join directives, as the planner reads it. */
  supergraphSdl: string;
  /** What callers may see and ask. */
  apiSdl: string;
  operations: Record<string, PersistedOperation>;
  /** Where `node(id)` finds what; empty when nothing is a Node. */
  nodes: NodeOwners;
  /** Who may follow what: the rights that `@allow` names, by subscription field. The gateway serves subscriptions itself, so it asks here. */
  subscriptionRules: Record<string, readonly Rule[]>;
  /** What clients may ask by hash; none when absent. */
  trusted?: TrustedDocuments;
}

/** What is no SDL: schema/plans.json. */
export type PrintedPlans = Omit<GraphContract, 'supergraphSdl' | 'apiSdl' | 'trusted'>;

/** Reads the contract from the folder `schema`: supergraph.graphql, api.graphql, plans.json and trusted/. */
export function readContract(schemaFolder: string): GraphContract {
  const text = (file: string) => readFileSync(join(schemaFolder, file), 'utf8');
  const { operations, nodes, subscriptionRules }: PrintedPlans = JSON.parse(text('plans.json'));
  return {
    supergraphSdl: withoutNotice(text('supergraph.graphql')),
    apiSdl: withoutNotice(text('api.graphql')),
    operations,
    nodes,
    subscriptionRules,
    trusted: readTrustedDocuments(join(schemaFolder, 'trusted')),
  };
}

/** A printed file begins with a comment for those who would edit it. */
function withoutNotice(sdl: string): string {
  return sdl.replace(/^#.*\n+/, '');
}
