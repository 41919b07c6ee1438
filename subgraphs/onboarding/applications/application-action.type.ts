// What may be done with an application, as the graph shows it.
import { Field, ObjectType } from 'type-graphql';
import { ActionReasonType, actDescriptions } from '../../shared/graph/action.type';
import { constantName, graphEnum } from '../../shared/graph/graph-enum';
import { type StaffAction, staffActions } from './application-action';

export const OnboardingActionKinds = graphEnum(staffActions, {
  name: 'OnboardingActionKind',
  description: 'What is done with an application.',
  nameOf: constantName,
  values: {
    approve: 'It is proposed for approval: `approveOnboarding`.',
    refuse: 'What was signed is refused: `refuseOnboarding`.',
    abandon: 'What is not signed is given up: `abandonOnboarding`.',
    resend: 'The merchant gets a new link: `resendOnboardingActivation`.',
  },
});

@ObjectType('OnboardingAction', {
  simpleResolvers: true,
  description: 'One act, and whether this caller may do it now.',
})
export class OnboardingActionType {
  @Field(() => OnboardingActionKinds, { description: actDescriptions.action }) action!: StaffAction;
  @Field(() => Boolean, { description: actDescriptions.allowed }) allowed!: boolean;
  @Field(() => ActionReasonType, { nullable: true, description: actDescriptions.reason })
  reason!: ActionReasonType | null;
}
