// What may be done with a payment or one of its operations, as the graph shows it.
import { Field, ObjectType } from 'type-graphql';
import { ActionReasonType, actDescriptions } from '../../shared/graph/action.type';
import { graphEnum } from '../../shared/graph/graph-enum';
import { type PostAction, postActions } from '../money/actions';

export const PostActionKinds = graphEnum(postActions, {
  name: 'PostActionKind',
  description: 'What is done with an authorization afterwards.',
  nameOf: (action) => action.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
  values: {
    capture: 'Reserved money is taken: `captureOperation`.',
    refund: 'Taken money is given back: `refundOperation`.',
    void: 'A reservation is released: `voidPayment`.',
    cancelCapture: 'A capture of the same day is taken back: `cancelOperation`.',
  },
});

@ObjectType('PostAction', { simpleResolvers: true, description: 'One act, and whether this caller may do it now.' })
export class PostActionType {
  @Field(() => PostActionKinds, { description: actDescriptions.action }) action!: PostAction;
  @Field(() => Boolean, { description: actDescriptions.allowed }) allowed!: boolean;
  @Field(() => ActionReasonType, { nullable: true, description: actDescriptions.reason })
  reason!: ActionReasonType | null;
}
