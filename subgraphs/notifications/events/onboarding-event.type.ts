// The graph's view of the events of onboarding applications.
import { Directive, Field, ObjectType } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import { OnboardingStatuses } from '../../shared/vocabulary/onboarding-status.type';
import { OnboardingApplicationStub } from '../callbacks/callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('OnboardingEvent', {
  implements: [NodeType, EventFields],
  simpleResolvers: true,
  description: 'One fact in the life of an onboarding application: the status that it reached.',
})
@Directive('@key(fields: "eventId")')
export class OnboardingEventType extends EventFields {
  @Field(() => OnboardingStatuses, {
    nullable: true,
    description: 'At that moment; `application` shows the present one.',
  })
  status!: OnboardingStatus | null;
  @Field(() => OnboardingStatuses, {
    nullable: true,
    description: 'The status of the application before; null at its first event.',
  })
  previousStatus!: OnboardingStatus | null;
  @Field(() => String, { nullable: true, description: 'Why it was refused or abandoned, or why a signature failed.' })
  reason!: string | null;
  @Allow('onboarding:read')
  @Field(() => OnboardingApplicationStub, {
    nullable: true,
    description: 'The onboarding application that it is about; null when there is none or the caller may not see it.',
  })
  application!: OnboardingApplicationStub | null;
}

@ObjectType('OnboardingEventEdge', {
  simpleResolvers: true,
  description: 'One event of an onboarding application in a list, with its cursor.',
})
export class OnboardingEventEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => OnboardingEventType, { description: 'The item itself, at this place of the list.' })
  node!: OnboardingEventType;
}

@ObjectType('OnboardingEventConnection', {
  simpleResolvers: true,
  description: 'One page of events of onboarding applications.',
})
export class OnboardingEventConnectionType extends ConnectionFields {
  @Field(() => [OnboardingEventEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: OnboardingEventEdgeType[];
}
