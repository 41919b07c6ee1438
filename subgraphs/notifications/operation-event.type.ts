// The graph's view of the events of payments.
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import { OperationStub } from './callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('Payment', { simpleResolvers: true })
@Directive('@key(fields: "paymentId")')
export class PaymentStub {
  @Field(() => ID) paymentId!: string;
}

@ObjectType('OperationEvent', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One fact in the life of a payment: what happened to which operation.',
})
@Directive('@key(fields: "eventId")')
export class OperationEventType extends EventFields {
  @Field(() => String, { nullable: true }) operationType!: string | null;
  @Field(() => String, { nullable: true, description: 'At that moment; `operation` shows the present one.' })
  operationResult!: string | null;
  @Field(() => OperationStub, { nullable: true }) operation!: OperationStub | null;
  @Field(() => PaymentStub, { nullable: true }) payment!: PaymentStub | null;
}

@ObjectType('OperationEventEdge', { simpleResolvers: true })
export class OperationEventEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => OperationEventType) node!: OperationEventType;
}

@ObjectType('OperationEventConnection', { simpleResolvers: true })
export class OperationEventConnectionType {
  @Field(() => [OperationEventEdgeType]) edges!: OperationEventEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}
