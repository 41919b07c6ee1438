// The graph's view of the origins that callbacks go to, with the endpoints at each added up.
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { ConnectionFields, TotalCountType } from '../../shared/graph/page.type';
import { EndpointStates } from '../callbacks/callback.type';
import type { EndpointState } from '../callbacks/callback-endpoint';

@ObjectType('Terminal', { simpleResolvers: true })
@Directive('@key(fields: "terminalId", resolvable: false)')
export class OriginTerminal {
  @Field(() => ID) terminalId!: string;
}

@ObjectType('CallbackEndpointStateCount', {
  simpleResolvers: true,
  description: 'How many endpoints have one health.',
})
export class EndpointStateCountType {
  @Field(() => EndpointStates, { description: 'Whether callbacks are sent to them as usual.' }) state!: EndpointState;
  @Field(() => TotalCountType, { description: 'How many they are.' }) total!: TotalCountType;
}

@ObjectType('UndeliveredCallbacks', {
  simpleResolvers: true,
  description: 'Callbacks that wait for their first or next attempt.',
})
export class UndeliveredType {
  @Field(() => TotalCountType, { description: 'How many they are.' }) total!: TotalCountType;
  @Field(() => Date, {
    nullable: true,
    description: 'When the oldest of those that are counted was made, UTC; null when none waits.',
  })
  oldestAt!: Date | null;
}

@ObjectType('CallbackOrigin', {
  simpleResolvers: true,
  description: 'Where callbacks go: all endpoints of one origin that the caller may see.',
})
export class CallbackOriginType {
  @Field(() => String, { description: 'Scheme, host and port, for example https://shop.example.' }) origin!: string;
}

@ObjectType('CallbackOriginEdge', { simpleResolvers: true, description: 'One origin in a list, with its cursor.' })
export class CallbackOriginEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => CallbackOriginType, { description: 'The item itself, at this place of the list.' })
  node!: CallbackOriginType;
}

@ObjectType('CallbackOriginConnection', { simpleResolvers: true, description: 'One page of origins.' })
export class CallbackOriginConnectionType extends ConnectionFields {
  @Field(() => [CallbackOriginEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: CallbackOriginEdgeType[];
}
