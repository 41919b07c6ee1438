// What every event shows in the graph; each kind of event adds what it is about (docs/sandbox.md, section 7).
import { Field, ID, Int, InterfaceType } from 'type-graphql';
import { CallbackMerchant } from '../callbacks/callback.type';

@InterfaceType('Event', {
  autoRegisterImplementations: false,
  description: 'A fact of the log, whatever it is about.',
})
export abstract class EventFields {
  @Field(() => ID, {
    description: 'Id of the event in the log.',
  })
  eventId!: string;
  @Field(() => Int, { description: 'Without gaps per virtual account, payment or application; 0 for a gap item.' })
  sequence!: number;
  @Field(() => String, {
    nullable: true,
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string | null;
  @Field(() => Date, { description: 'When it happened, UTC.' }) occurredAt!: Date;
  @Field(() => String, {
    description:
      'For example virtualAccount.suspended, operation.recorded or onboarding.approved; GAP where events are no longer kept.',
  })
  type!: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The X-Request-ID of the call that caused it; null when no call did.',
  })
  requestId!: string | null;
  @Field(() => CallbackMerchant, {
    nullable: true,
    description:
      'The merchant that it belongs to; null of an application before its approval, and of callbacks about applications.',
  })
  merchant!: CallbackMerchant | null;
}
