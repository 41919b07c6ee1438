// The printed contract that the graph is opened from: made by `npm run schema`, so that nothing is composed or planned at start.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryPlan } from '@apollo/query-planner';
import type { Audience, CallerContract } from '../../subgraphs/shared/callers/audience';
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
  /** All that can be asked, also by our own pages, the facade and the sandbox. */
  apiSdl: string;
  /** Of it, what staff and tenants may see and ask; absent: everything. */
  contracts?: Readonly<Record<CallerContract, string>>;
  operations: Record<string, PersistedOperation>;
  /** Where `node(id)` finds what; empty when nothing is a Node. */
  nodes: NodeOwners;
  /** Who may follow what: the rights that `@allow` names, by subscription field. The gateway serves subscriptions itself, so it asks here. */
  subscriptionRules: Record<string, readonly Rule[]>;
  /** Fields whose look stands in the audit, as `Type.field`: what shows one to somebody is shown to nobody else. */
  unmasked: readonly string[];
  /** What clients may ask by hash; none when absent. */
  trusted?: TrustedDocuments;
}

/** What is no SDL: schema/plans.json. */
export type PrintedPlans = Omit<GraphContract, 'supergraphSdl' | 'apiSdl' | 'contracts' | 'trusted'>;

/** Where the schema of an audience stands, in the folder `schema`. */
export function contractFile(audience: Audience): string {
  return `contracts/${audience}.graphql`;
}

/** Reads the contract from the folder `schema`: supergraph.graphql, contracts/, plans.json and trusted/. */
export function readContract(schemaFolder: string): GraphContract {
  const text = (file: string) => readFileSync(join(schemaFolder, file), 'utf8');
  const contract = (audience: Audience) => withoutNotice(text(contractFile(audience)));
  const { operations, nodes, subscriptionRules, unmasked }: PrintedPlans = JSON.parse(text('plans.json'));
  return {
    supergraphSdl: withoutNotice(text('supergraph.graphql')),
    apiSdl: contract('internal'),
    contracts: { staff: contract('staff'), tenant: contract('tenant') },
    operations,
    nodes,
    subscriptionRules,
    unmasked,
    trusted: readTrustedDocuments(join(schemaFolder, 'trusted')),
  };
}

/** A printed file begins with a comment for those who would edit it. */
function withoutNotice(sdl: string): string {
  return sdl.replace(/^#.*\n+/, '');
}
