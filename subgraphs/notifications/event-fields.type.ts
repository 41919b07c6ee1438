// What every event shows in the graph; each kind of event adds what it is about (docs/sandbox.md, section 7).
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { MerchantStub } from './callback.type';

@ObjectType({ simpleResolvers: true })
export abstract class EventFields {
  @Field(() => ID, {
    description: 'Equal to webhook-id of the callback about it, and to the id that its body or headers carry.',
  })
  eventId!: string;
  @Field(() => Int, { description: 'Without gaps per virtual account, payment or application; 0 for a gap item.' })
  sequence!: number;
  @Field(() => String, { nullable: true, description: 'Place in the log, to resume after; null until it has one.' })
  cursor!: string | null;
  @Field(() => Date) occurredAt!: Date;
  @Field(() => String, {
    description:
      'For example virtualAccount.suspended, operation.recorded or onboarding.approved; GAP where events are no longer kept.',
  })
  type!: string;
  @Field(() => ID, { nullable: true }) requestId!: string | null;
  @Field(() => MerchantStub, { nullable: true }) merchant!: MerchantStub | null;
}
