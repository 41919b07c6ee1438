// A proposal and what may become of it: confirmed by a second person, rejected, or too old (decision register, Two persons). Pure.
import type { Environment } from '../../shared/callers/caller';
import type { NewProposal } from '../../shared/callers/proposal';
import { DomainError } from '../../shared/errors';

/** As kept: a proposal that nobody answered in time stays PENDING in the store and is shown as EXPIRED. */
export const keptStatuses = ['PENDING', 'CONFIRMED', 'REJECTED'] as const;
type KeptStatus = (typeof keptStatuses)[number];
export const proposalStatuses = [...keptStatuses, 'EXPIRED'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/** How long a second person has, on the one clock. */
export const proposalLifeMs = 24 * 3_600_000;

export interface Proposal extends NewProposal {
  proposalId: string;
  environment: Environment;
  kept: KeptStatus;
  /** Caller.credentialId of the first person. */
  proposedBy: string;
  proposedAt: Date;
  /** Who confirmed or rejected it, and when; null while nobody has. */
  endedBy: string | null;
  endedAt: Date | null;
  /** Why it was rejected. */
  rejection: string | null;
  /** Id of what the act made, if it made anything. */
  resultId: string | null;
}

export function expiryOf({ proposedAt }: Pick<Proposal, 'proposedAt'>): Date {
  return new Date(proposedAt.getTime() + proposalLifeMs);
}

export function statusOf(proposal: Proposal, now: Date): ProposalStatus {
  return proposal.kept === 'PENDING' && expiryOf(proposal) <= now ? 'EXPIRED' : proposal.kept;
}

/** Refuses with `invalidState` what is not waiting any more. */
export function assertPending(proposal: Proposal, now: Date): void {
  const status = statusOf(proposal, now);
  if (status === 'PENDING') return;
  const words: Record<Exclude<ProposalStatus, 'PENDING'>, string> = {
    CONFIRMED: 'the proposal was confirmed already',
    REJECTED: 'the proposal was rejected',
    EXPIRED: 'the proposal was not confirmed within 24 hours: propose it again',
  };
  throw new DomainError('invalidState', words[status]);
}

/** Refuses with `forbidden` the person who proposed it. */
export function assertSecondPerson({ proposedBy }: Proposal, credentialId: string): void {
  if (proposedBy === credentialId)
    throw new DomainError('forbidden', 'who proposed it cannot confirm it: another person does');
}
