// Applications in the graph: one line per field, everything else is in the services (onboarding interface; docs/sandbox.md, sections 6 and 7).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct, requireReason } from '../../shared/callers/reason';
import { PageArgs } from '../../shared/graph/page.type';
import { ProposedType } from '../../shared/graph/proposal.type';
import { assertListFilter } from '../../shared/list-filter';
import { numberAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import { OnboardingStatuses } from '../../shared/vocabulary/onboarding-status.type';
import { applyOnboardingEvent } from '../sandbox/lever.service';
import type { OnboardingCase } from './application';
import { applicationLoader, merchantApplicationLoader } from './application.reference';
import type { ApplicationRepository, StatusCount } from './application.repository';
import { createApplication, type LinkedApplication, resendActivation, updateApplication } from './application.service';
import {
  ApplicationMerchant,
  CreateOnboardingInput,
  LinkedOnboardingType,
  OnboardingApplicationConnectionType,
  OnboardingApplicationType,
} from './application.type';
import { staffActionRights } from './application-action';
import { type OnboardingView, onboardingView } from './application-view';
import { abandonOnboarding, proposeApproval, refuseOnboarding } from './approval.service';
import type { OnboardingServiceDeps } from './saving.service';
import { OnboardingStatusCountType } from './status-count.type';

@Resolver(() => OnboardingApplicationType)
export class OnboardingResolver {
  constructor(
    private readonly deps: OnboardingServiceDeps,
    private readonly operatorSalesRep: string,
  ) {}

  @Allow('onboarding', 'onboarding:read')
  @Query(() => OnboardingApplicationType, {
    nullable: true,
    description: 'One application; null when it does not exist or the caller may not see it.',
  })
  async onboardingApplication(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is wanted.' }) id: string,
  ): Promise<OnboardingView | null> {
    const found = await applicationLoader(context, this.deps.applications).load(id);
    return found && this.view(found);
  }

  @Allow('onboarding:read')
  @Query(() => OnboardingApplicationConnectionType, {
    description: 'The applications that the caller may see, newest first unless asked otherwise.',
  })
  async onboardingApplications(
    @Ctx() context: RequestContext,
    @Arg('status', () => OnboardingStatuses, {
      nullable: true,
      description: 'Applications at this point only; absent: all.',
    })
    status: OnboardingStatus | null | undefined,
    @Args(() => PageArgs) asked: PageArgs,
    @Arg('oldestFirst', () => Boolean, {
      nullable: true,
      description: 'Whether those that have waited longest come first; a cursor is one of the same order.',
    })
    oldestFirst?: boolean | null,
    @Arg('statuses', () => [OnboardingStatuses], {
      nullable: true,
      description: 'Applications at any of these points; 20 at most.',
    })
    statuses?: OnboardingStatus[] | null,
  ): Promise<Connection<OnboardingView>> {
    const slice = { ...readSlice(asked, numberAt), isOldestFirst: oldestFirst === true };
    const filter = withoutAbsent({ status, statuses });
    assertListFilter(filter);
    const page = await this.deps.applications.list(context.caller, filter, slice);
    const items = page.items.map((each) => this.view(each));
    return connection({ ...page, items }, slice, ({ id }) => [Number(id)]);
  }

  @Allow('onboarding:read')
  @Query(() => [OnboardingStatusCountType], {
    description: 'How many applications that the caller may see are at each point, of every point in its order.',
  })
  onboardingCounts(@Ctx() { caller }: RequestContext): Promise<StatusCount[]> {
    return this.deps.applications.countByStatus(caller);
  }

  @Allow('onboarding')
  @Mutation(() => LinkedOnboardingType, {
    description: "Takes a partner's application, and sends the merchant its link.",
  })
  async createOnboarding(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateOnboardingInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateOnboardingInput,
  ): Promise<LinkedOnboardingType> {
    return this.linked(await createApplication(this.deps, context, input));
  }

  @Allow('onboarding')
  @Mutation(() => OnboardingApplicationType, { description: 'Replaces the application whole.' })
  async updateOnboarding(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is acted on.' }) id: string,
    @Arg('application', () => GraphQLJSONObject, { description: 'As the onboarding interface writes it.' })
    application: object,
  ): Promise<OnboardingView> {
    return this.view(await updateApplication(this.deps, context, id, application));
  }

  @Allow(...staffActionRights.resend)
  @Mutation(() => LinkedOnboardingType, { description: 'A new link, five times a day; the old one is dead.' })
  async resendOnboardingActivation(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is acted on.' }) id: string,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<LinkedOnboardingType> {
    return this.linked(await resendActivation(this.deps, context, id, reasonOfAct(context, reason)));
  }

  @Allow(...staffActionRights.approve)
  @Mutation(() => ProposedType, {
    description: 'Once a second person has confirmed it, makes merchant, number and terminal.',
  })
  async approveOnboarding(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is acted on.' }) id: string,
    @Arg('reason', () => String, { nullable: true, description: 'Why staff approve it, in words; kept in the audit.' })
    reason?: string | null,
  ): Promise<ProposedType> {
    const read = reason === undefined || reason === null ? null : requireReason(reason);
    return { proposal: await proposeApproval(this.deps, context, { applicationId: id, reason: read }) };
  }

  @Allow(...staffActionRights.refuse)
  @Mutation(() => OnboardingApplicationType, { description: 'What is PROCESSING becomes ABANDONED.' })
  async refuseOnboarding(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is acted on.' }) id: string,
    @Arg('reason', () => String, { description: 'Why staff refuse it, in words; the partner is told.' }) reason: string,
  ): Promise<OnboardingView> {
    return this.view(await refuseOnboarding(this.deps, context, id, requireReason(reason)));
  }

  @Allow(...staffActionRights.abandon)
  @Mutation(() => OnboardingApplicationType, { description: 'What is not signed becomes ABANDONED.' })
  async abandonOnboarding(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is acted on.' }) id: string,
    @Arg('reason', () => String, { description: 'Why staff end it, in words; kept in the audit.' }) reason: string,
  ): Promise<OnboardingView> {
    return this.view(await abandonOnboarding(this.deps, context, id, requireReason(reason)));
  }

  @Allow('sandbox:control')
  @Mutation(() => OnboardingApplicationType, { description: 'OPEN, SIGN, FAIL_SIGNATURE, APPROVE, REFUSE or ABANDON.' })
  async applyOnboardingEvent(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'Id of the application that is acted on.' }) id: string,
    @Arg('event', () => String, { description: 'What the simulated merchant or staff do, in a word of the sandbox.' })
    event: string,
  ): Promise<OnboardingView> {
    return this.view(await applyOnboardingEvent(this.deps, context, id, event));
  }

  @FieldResolver(() => ApplicationMerchant, { nullable: true, description: 'Once it is made.' })
  merchant(@Root() { merchantId, merchantNumber }: OnboardingView): { merchantId: string } | null {
    return merchantNumber === null ? null : { merchantId };
  }

  private view(onboarding: OnboardingCase): OnboardingView {
    return onboardingView(onboarding, this.operatorSalesRep);
  }

  private linked({ onboarding, verificationLink }: LinkedApplication): LinkedOnboardingType {
    return { application: this.view(onboarding) as OnboardingApplicationType, verificationLink };
  }
}

@Resolver(() => ApplicationMerchant)
export class MerchantOnboardingResolver {
  constructor(
    private readonly applications: ApplicationRepository,
    private readonly operatorSalesRep: string,
  ) {}

  @Allow('onboarding:read')
  @FieldResolver(() => OnboardingApplicationType, { nullable: true, description: 'That it was made from.' })
  async onboardingApplication(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: ApplicationMerchant,
  ): Promise<OnboardingView | null> {
    const found = await merchantApplicationLoader(context, this.applications).load(merchantId);
    return found && onboardingView(found, this.operatorSalesRep);
  }
}
