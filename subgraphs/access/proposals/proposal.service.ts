// Two persons: one proposes, another confirms, both are in the audit, and the act is done in the transaction that ends the proposal (decision register, Two persons).
import type { RecordChange } from '../../shared/callers/audit';
import type { RequestContext } from '../../shared/callers/context';
import { type CarryOut, type ProposalKind, type Propose, proposalRights } from '../../shared/callers/proposal';
import { may } from '../../shared/callers/rights';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import type { InTransaction } from '../../shared/store/unit-of-work';
import type { AuditAction } from '../../shared/vocabulary/audit-action';
import { assertPending, assertSecondPerson, type Proposal } from './proposal';
import type { ProposalEnding, ProposalRepository } from './proposal.repository';

export interface ProposalServiceDeps {
  clock: Clock;
  inTransaction: InTransaction;
  proposals: ProposalRepository;
  audit: RecordChange;
  /** What each kind comes to, once confirmed. */
  carryOut: Readonly<Record<ProposalKind, CarryOut>>;
}

/** `propose`, as the domains are handed it. */
export function createPropose(deps: Omit<ProposalServiceDeps, 'carryOut'>): Propose {
  const { clock, inTransaction, proposals, audit } = deps;
  return async (context, wanted, updates = () => []) => {
    const { caller } = context;
    const proposal: Proposal = {
      ...wanted,
      proposalId: newId(),
      environment: caller.environment,
      kept: 'PENDING',
      proposedBy: caller.credentialId,
      proposedAt: clock.now(),
      endedBy: null,
      endedAt: null,
      rejection: null,
      resultId: null,
    };
    const { proposalId } = proposal;
    await inTransaction({
      inserts: [proposals.insert(proposal), audit(context, recordOf('proposal.made', proposal))],
      updates: updates({ proposalId }),
    });
    return { proposalId };
  };
}

/**
 * Does what was proposed, once. Safe to repeat: who confirmed it is told so again. Refuses with `notFound`, `forbidden` (no right to the act,
 * or the proposer), `invalidState` (confirmed by another, rejected or older than 24 hours), and as the act itself, which leaves it waiting.
 */
export function confirmProposal(
  deps: ProposalServiceDeps,
  context: RequestContext,
  proposalId: string,
): Promise<{ proposalId: string }> {
  const { caller } = context;
  return decideAgain(async () => {
    const proposal = await requireProposal(deps, context, proposalId);
    if (proposal.kept === 'CONFIRMED' && proposal.endedBy === caller.credentialId) return { proposalId };
    assertSecondPerson(proposal, caller.credentialId);
    assertPending(proposal, deps.clock.now());
    await deps.carryOut[proposal.kind](context, proposal.input, (resultId) => ({
      inserts: [deps.audit(context, recordOf('proposal.confirmed', proposal))],
      updates: [deps.proposals.end(proposal, endingOf(deps, context, { kept: 'CONFIRMED', resultId }))],
    }));
    return { proposalId };
  });
}

/** Ends it undone; by anybody who may do the act, the proposer too. Refuses with `notFound`, `forbidden` or `invalidState`. */
export function rejectProposal(
  deps: ProposalServiceDeps,
  context: RequestContext,
  { proposalId, reason }: { proposalId: string; reason: string },
): Promise<{ proposalId: string }> {
  return decideAgain(async () => {
    const proposal = await requireProposal(deps, context, proposalId);
    assertPending(proposal, deps.clock.now());
    const told = recordOf('proposal.rejected', proposal);
    const changes = [...told.changes, { field: 'rejection', from: null, to: reason }];
    await deps.inTransaction({
      inserts: [deps.audit(context, { ...told, changes })],
      updates: [deps.proposals.end(proposal, endingOf(deps, context, { kept: 'REJECTED', rejection: reason }))],
    });
    return { proposalId };
  });
}

function endingOf(
  { clock }: ProposalServiceDeps,
  { caller }: RequestContext,
  ending: Partial<ProposalEnding>,
): ProposalEnding {
  const unset = { kept: 'PENDING', rejection: null, resultId: null } as const;
  return { ...unset, endedBy: caller.credentialId, endedAt: clock.now(), ...ending };
}

/** One that the caller may see, and whose act it may do. */
async function requireProposal(
  { proposals }: ProposalServiceDeps,
  { caller }: RequestContext,
  proposalId: string,
): Promise<Proposal> {
  const [proposal] = await proposals.find(caller, [proposalId]);
  if (!proposal) throw new DomainError('notFound', 'There is no such proposal.');
  const right = proposalRights[proposal.kind];
  if (!may(caller, right)) throw new DomainError('forbidden', `needs ${right}`);
  return proposal;
}

function recordOf(action: AuditAction, { proposalId, kind, accountId, subjectType, subjectId, ...proposal }: Proposal) {
  const { reason, changes, proposedBy } = proposal;
  return {
    action,
    subjectType,
    subjectId,
    accountId,
    changes: [
      { field: 'proposal', from: null, to: proposalId },
      { field: 'kind', from: null, to: kind },
      { field: 'proposedBy', from: null, to: proposedBy },
      { field: 'reason', from: null, to: reason },
      ...changes,
    ],
  };
}
