// What may be done with a callback, as the graph shows it.
import { Field, ObjectType } from 'type-graphql';
import { ActionReasonType, actDescriptions } from '../../shared/graph/action.type';
import { graphEnum } from '../../shared/graph/graph-enum';

export const CallbackActionKinds = graphEnum(['REDELIVER'] as const, {
  name: 'CallbackActionKind',
  description: 'What is done with a callback.',
  values: { REDELIVER: 'It is sent again: `redeliverCallback`.' },
});

@ObjectType('CallbackAction', { simpleResolvers: true, description: 'One act, and whether this caller may do it now.' })
export class CallbackActionType {
  @Field(() => CallbackActionKinds, { description: actDescriptions.action }) action!: 'REDELIVER';
  @Field(() => Boolean, { description: actDescriptions.allowed }) allowed!: boolean;
  @Field(() => ActionReasonType, { nullable: true, description: actDescriptions.reason })
  reason!: ActionReasonType | null;
}
