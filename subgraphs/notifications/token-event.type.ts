// The graph's view of the events of virtual accounts.
import { Directive, Field, ObjectType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import { VirtualAccountStub } from './callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('TokenEvent', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One fact in the life of a virtual account.',
})
@Directive('@key(fields: "eventId")')
export class TokenEventType extends EventFields {
  @Field(() => VirtualAccountStub, { nullable: true }) virtualAccount!: VirtualAccountStub | null;
}

@ObjectType('TokenEventEdge', { simpleResolvers: true })
export class TokenEventEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => TokenEventType) node!: TokenEventType;
}

@ObjectType('TokenEventConnection', { simpleResolvers: true })
export class TokenEventConnectionType {
  @Field(() => [TokenEventEdgeType]) edges!: TokenEventEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}
