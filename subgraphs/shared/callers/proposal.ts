// An act that needs two persons: what a domain proposes, and how it is done once somebody else has confirmed it. Access keeps the proposals; the composition hands the functions in.

import type { InsertWrite, UpdateWrite } from '../store/unit-of-work';
import type { AuditedChange } from './audit';
import type { RequestContext } from './context';
import type { ActingRight } from './rights';

/** Acts that one person alone may not do, and the right that proposing, confirming and rejecting each of them needs. */
export const proposalRights = {
  LEDGER_BOOKING: 'ledger:book',
  PAYOUT_ACCOUNT: 'payout-account:write',
  ONBOARDING_APPROVAL: 'onboarding:approve',
  CLIENT_SCOPES: 'rights:write',
} as const satisfies Record<string, ActingRight>;

export type ProposalKind = keyof typeof proposalRights;
export const proposalKinds = Object.keys(proposalRights) as ProposalKind[];

export interface NewProposal {
  kind: ProposalKind;
  /** The account whose thing it is; null for the platform's own. */
  accountId: string | null;
  subjectType: string;
  subjectId: string;
  reason: string | null;
  /** What it comes to, as the audit prints it: never a secret, no whole account number. */
  changes: AuditedChange['changes'];
  /** What `CarryOut` is given again: JSON. */
  input: Record<string, unknown>;
}

/** Keeps a proposal with its audit record; `updates` join that transaction. */
export type Propose = (
  context: Pick<RequestContext, 'caller' | 'requestId'>,
  proposal: NewProposal,
  updates?: (proposed: { proposalId: string }) => UpdateWrite[],
) => Promise<{ proposalId: string }>;

/** The writes that end a proposal, given the id of what was made, if anything; they fail when somebody else was faster. */
export type Conclude = (resultId: string | null) => { inserts: InsertWrite[]; updates: UpdateWrite[] };

/**
 * Does what was proposed, judged anew, for the person who confirmed it, in one transaction with the writes of `conclude`. Refuses as the act
 * itself does; a WriteConflict is the caller's to decide again.
 */
export type CarryOut = (context: RequestContext, input: Record<string, unknown>, conclude: Conclude) => Promise<void>;
