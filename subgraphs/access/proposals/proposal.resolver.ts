// Proposals in the graph: what waits for a second person, and that person's yes or no (decision register, Two persons).
import type DataLoader from 'dataloader';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { proposalRights } from '../../shared/callers/proposal';
import { requireReason } from '../../shared/callers/reason';
import { may } from '../../shared/callers/rights';
import { DomainError } from '../../shared/errors';
import { PageArgs } from '../../shared/graph/page.type';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { readSlice, timeAt } from '../../shared/lists/list-order';
import { connection } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import { AccessApplication } from '../jobs/job-subject.type';
import { expiryOf, type Proposal, type ProposalStatus, statusOf } from './proposal';
import type { ProposalRepository } from './proposal.repository';
import { confirmProposal, type ProposalServiceDeps, rejectProposal } from './proposal.service';
import { ProposalConnectionType, ProposalStatuses, ProposalType, ProposedProposalType } from './proposal.type';

export interface ProposalResolverDeps extends ProposalServiceDeps {
  idempotent: Idempotent;
}

@Resolver(() => ProposalType)
export class ProposalResolver {
  constructor(private readonly deps: ProposalResolverDeps) {}

  @Allow('proposals:read')
  @Query(() => ProposalType, {
    nullable: true,
    description: 'One proposal; null when it does not exist or the caller may not see it.',
  })
  proposal(
    @Arg('proposalId', () => ID, { description: 'Id of the proposal that is wanted.' }) proposalId: string,
    @Ctx() context: RequestContext,
  ): Promise<Proposal | null> {
    return proposalLoader(this.deps.proposals, context).load(proposalId);
  }

  @Allow('proposals:read')
  @Query(() => ProposalConnectionType, { description: 'Acts that wait for a second person, or had one; newest first.' })
  async proposals(
    @Arg('status', () => ProposalStatuses, { nullable: true, description: 'Those of this status only; absent: all.' })
    status: ProposalStatus | null,
    @Arg('resultId', () => ID, {
      nullable: true,
      description: 'The one that made this when it was confirmed, for example a booking; absent: all.',
    })
    resultId: string | null,
    @Args(() => PageArgs) asked: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    const slice = readSlice(asked, timeAt);
    const page = await this.deps.proposals.list(
      context.caller,
      { status: status ?? null, resultId: resultId ?? null, now: this.deps.clock.now() },
      slice,
    );
    return connection(page, slice, ({ proposedAt, proposalId }) => [proposedAt.getTime(), proposalId]);
  }

  @AllowFresh('ledger:book', 'payout-account:write', 'onboarding:approve', 'rights:write')
  @Mutation(() => ProposedProposalType, {
    description: 'Does what somebody else proposed within the last 24 hours; needs the right to the act itself.',
  })
  confirmProposal(
    @Arg('proposalId', () => ID, { description: 'Id of the proposal that is confirmed.' }) proposalId: string,
    @Ctx() context: RequestContext,
  ): Promise<{ proposalId: string }> {
    return this.deps.idempotent(context, 'confirmProposal', () => confirmProposal(this.deps, context, proposalId));
  }

  @Allow('ledger:book', 'payout-account:write', 'onboarding:approve', 'rights:write')
  @Mutation(() => ProposedProposalType, { description: 'Ends a proposal undone; the proposer may, too.' })
  rejectProposal(
    @Arg('proposalId', () => ID, { description: 'Id of the proposal that is rejected.' }) proposalId: string,
    @Arg('reason', () => String, { description: 'Why, in words, 500 characters at most; kept in the audit.' })
    reason: string,
    @Ctx() context: RequestContext,
  ): Promise<{ proposalId: string }> {
    const told = requireReason(reason);
    return this.deps.idempotent(context, 'rejectProposal', () =>
      rejectProposal(this.deps, context, { proposalId, reason: told }),
    );
  }

  @FieldResolver(() => ProposalStatuses, { description: 'What became of it.' })
  status(@Root() proposal: Proposal): ProposalStatus {
    return statusOf(proposal, this.deps.clock.now());
  }

  @FieldResolver(() => Date, { description: 'Until when a second person can confirm it, UTC.' })
  expiresAt(@Root() proposal: Proposal): Date {
    return expiryOf(proposal);
  }

  @Allow('onboarding:read')
  @FieldResolver(() => AccessApplication, {
    nullable: true,
    description: 'The onboarding application that it is about; null when there is none or the caller may not see it.',
  })
  application(@Root() { subjectType, subjectId }: Proposal): AccessApplication | null {
    return subjectType === 'application' ? { id: subjectId } : null;
  }

  @FieldResolver(() => GraphQLJSONObject, {
    nullable: true,
    description: 'What was asked for, whole, with bank accounts unmasked; null for those who may not do the act.',
  })
  input(@Root() { kind, input }: Proposal, @Ctx() { caller }: RequestContext): Record<string, unknown> | null {
    return may(caller, proposalRights[kind]) ? input : null;
  }
}

@Resolver(() => ProposedProposalType)
export class ProposedResolver {
  constructor(private readonly proposals: ProposalRepository) {}

  @FieldResolver(() => ProposalType, { description: 'What waits to be confirmed, or was.' })
  async proposal(@Root() { proposalId }: { proposalId: string }, @Ctx() context: RequestContext): Promise<Proposal> {
    const found = await proposalLoader(this.proposals, context).load(proposalId);
    if (!found) throw new DomainError('notFound');
    return found;
  }
}

/** Absent, foreign, and not for this caller's eyes look alike. */
export function proposalReference(proposals: ProposalRepository): ResolveReference {
  return ({ proposalId }, context) =>
    typeof proposalId === 'string' && may(context.caller, 'proposals:read')
      ? proposalLoader(proposals, context).load(proposalId)
      : null;
}

function proposalLoader(proposals: ProposalRepository, context: RequestContext): DataLoader<string, Proposal | null> {
  return requestLoader(
    context,
    'Proposal',
    (ids) => proposals.find(context.caller, ids),
    ({ proposalId }) => proposalId,
  );
}
