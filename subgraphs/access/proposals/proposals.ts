// Proposals of every domain, wired: where they are kept, who may end them, and what each kind comes to (decision register, Two persons).
import type { Connection } from 'mongoose';
import type { CarryOut, ProposalKind, Propose } from '../../shared/callers/proposal';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import type { Find } from '../../shared/search';
import { createProposalRepository } from './proposal.repository';
import { ProposalResolver, ProposedResolver, proposalReference } from './proposal.resolver';
import { createPropose, type ProposalServiceDeps } from './proposal.service';

export interface Proposals {
  propose: Propose;
  find: Find;
  resolvers(carryOut: Readonly<Record<ProposalKind, CarryOut>>): object[];
  references: Record<string, ResolveReference>;
  ensureIndexes(): Promise<void>;
}

export function createProposals(
  deps: Pick<ProposalServiceDeps, 'clock' | 'inTransaction' | 'audit'> & {
    connection: Connection;
    idempotent: Idempotent;
  },
): Proposals {
  const proposals = createProposalRepository(deps.connection);
  return {
    propose: createPropose({ ...deps, proposals }),
    find: proposals.search,
    resolvers: (carryOut) => [new ProposalResolver({ ...deps, proposals, carryOut }), new ProposedResolver(proposals)],
    references: { Proposal: proposalReference(proposals) },
    ensureIndexes: proposals.ensureIndexes,
  };
}
