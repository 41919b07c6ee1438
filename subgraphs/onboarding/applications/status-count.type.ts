// How many applications stand where, as the graph shows it.
import { Field, ObjectType } from 'type-graphql';
import { TotalCountType } from '../../shared/graph/page.type';
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import { OnboardingStatuses } from '../../shared/vocabulary/onboarding-status.type';

@ObjectType('OnboardingStatusCount', { simpleResolvers: true, description: 'How many applications are at one point.' })
export class OnboardingStatusCountType {
  @Field(() => OnboardingStatuses, { description: 'The point that they are at.' }) status!: OnboardingStatus;
  @Field(() => TotalCountType, { description: 'How many they are.' }) total!: TotalCountType;
}
