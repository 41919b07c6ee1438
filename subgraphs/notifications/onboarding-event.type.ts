// The graph's view of the events of onboarding applications.
import { Directive, Field, ObjectType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import { OnboardingApplicationStub } from './callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('OnboardingEvent', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One fact in the life of an onboarding application: the status that it reached.',
})
@Directive('@key(fields: "eventId")')
export class OnboardingEventType extends EventFields {
  @Field(() => String, { nullable: true, description: 'At that moment; `application` shows the present one.' })
  status!: string | null;
  @Field(() => String, { nullable: true }) previousStatus!: string | null;
  @Field(() => String, { nullable: true, description: 'Why it was refused or abandoned, or why a signature failed.' })
  reason!: string | null;
  @Field(() => OnboardingApplicationStub, { nullable: true }) application!: OnboardingApplicationStub | null;
}

@ObjectType('OnboardingEventEdge', { simpleResolvers: true })
export class OnboardingEventEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => OnboardingEventType) node!: OnboardingEventType;
}

@ObjectType('OnboardingEventConnection', { simpleResolvers: true })
export class OnboardingEventConnectionType {
  @Field(() => [OnboardingEventEdgeType]) edges!: OnboardingEventEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}
