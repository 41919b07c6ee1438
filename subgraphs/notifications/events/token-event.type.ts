// The graph's view of the events of virtual accounts.
import { Directive, Field, ObjectType } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { VirtualAccountStub } from '../callbacks/callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('TokenEvent', {
  implements: [NodeType, EventFields],
  simpleResolvers: true,
  description: 'One fact in the life of a virtual account.',
})
@Directive('@key(fields: "eventId")')
export class TokenEventType extends EventFields {
  @Allow('tokens:read')
  @Field(() => VirtualAccountStub, {
    nullable: true,
    description: 'The tokenized card that it is about; null when there is none or the caller may not see it.',
  })
  virtualAccount!: VirtualAccountStub | null;
}

@ObjectType('TokenEventEdge', {
  simpleResolvers: true,
  description: 'One event of a tokenized card in a list, with its cursor.',
})
export class TokenEventEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => TokenEventType, { description: 'The item itself, at this place of the list.' }) node!: TokenEventType;
}

@ObjectType('TokenEventConnection', { simpleResolvers: true, description: 'One page of events of tokenized cards.' })
export class TokenEventConnectionType extends ConnectionFields {
  @Field(() => [TokenEventEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: TokenEventEdgeType[];
}
