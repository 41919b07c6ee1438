// The graph's view of the events of payments.
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import type { OperationResult, OperationType } from '../../shared/vocabulary/operation';
import { OperationResults, OperationTypes } from '../../shared/vocabulary/operation.type';
import { CallbackOperation } from '../callbacks/callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('Payment', { simpleResolvers: true })
@Directive('@key(fields: "paymentId")')
export class EventPayment {
  @Field(() => ID) paymentId!: string;
}

@ObjectType('OperationEvent', {
  implements: [NodeType, EventFields],
  simpleResolvers: true,
  description: 'One fact in the life of a payment: what happened to which operation.',
})
@Directive('@key(fields: "eventId")')
export class OperationEventType extends EventFields {
  @Field(() => OperationTypes, { nullable: true, description: 'What was done; null for a gap item.' })
  operationType!: OperationType | null;
  @Field(() => OperationResults, { nullable: true, description: 'At that moment; `operation` shows the present one.' })
  operationResult!: OperationResult | null;
  @Allow('payments:read')
  @Field(() => CallbackOperation, {
    nullable: true,
    description: 'The operation that it is about; null when there is none or the caller may not see it.',
  })
  operation!: CallbackOperation | null;
  @Allow('payments:read')
  @Field(() => EventPayment, {
    nullable: true,
    description: 'The payment that it belongs to; null when the caller may not see it or there is none.',
  })
  payment!: EventPayment | null;
}

@ObjectType('OperationEventEdge', {
  simpleResolvers: true,
  description: 'One event of an operation in a list, with its cursor.',
})
export class OperationEventEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => OperationEventType, { description: 'The item itself, at this place of the list.' })
  node!: OperationEventType;
}

@ObjectType('OperationEventConnection', { simpleResolvers: true, description: 'One page of events of operations.' })
export class OperationEventConnectionType extends ConnectionFields {
  @Field(() => [OperationEventEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: OperationEventEdgeType[];
}
