// What may be done with an application now, and why not: judged by the decisions that the mutations ask themselves.
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../shared/callers/context';
import type { JudgedAction } from '../../shared/callers/judged-action';
import type { Clock } from '../../shared/clock';
import { OnboardingApplicationType } from './application.type';
import { judgeApplication, type StaffAction } from './application-action';
import { OnboardingActionType } from './application-action.type';
import type { OnboardingView } from './application-view';

@Resolver(() => OnboardingApplicationType)
export class OnboardingActionsResolver {
  constructor(private readonly clock: Clock) {}

  @FieldResolver(() => [OnboardingActionType], {
    description: 'What can be done with it, and whether this caller may do it now.',
  })
  actions(@Ctx() { caller }: RequestContext, @Root() { shownOf }: OnboardingView): JudgedAction<StaffAction>[] {
    return judgeApplication(caller, shownOf, this.clock.now());
  }
}
