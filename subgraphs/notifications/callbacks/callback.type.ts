// The graph's view of callbacks, their attempts and endpoints, and of the event log (docs/sandbox.md, sections 7 and 9).
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { constantName, graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { type CallbackKind, callbackDefinitions, callbackKinds } from '../kinds/callback-kinds';
import { type AttemptState, attemptStates, type CallbackStatus, callbackStatuses } from './callback';
import { endpointStates } from './callback-endpoint';

export const CallbackKinds = graphEnum(callbackKinds, {
  name: 'CallbackKind',
  description: 'The families of callbacks, each with a body of its own.',
  values: Object.fromEntries(callbackKinds.map((kind) => [kind, callbackDefinitions[kind].description])) as Record<
    CallbackKind,
    string
  >,
  nameOf: constantName,
});

export const CallbackStatuses = graphEnum(callbackStatuses, {
  name: 'CallbackStatus',
  description: 'How far the delivery of a callback has come.',
  values: {
    PENDING: 'Waiting for its first or next attempt.',
    SENDING: 'An attempt is on its way right now.',
    DELIVERED: 'The receiver took it.',
    EXHAUSTED: 'Every attempt of the schedule failed.',
    REJECTED: 'The receiver refused it in a way that no repetition mends.',
    ENDED: 'It was given up before its schedule was used up, for example because its endpoint was disabled.',
  },
});

export const CallbackAttemptResults = graphEnum(attemptStates, {
  name: 'CallbackAttemptResult',
  description: 'How one attempt to deliver a callback came out.',
  values: {
    delivered: 'The receiver took it.',
    httpError: 'The receiver answered with a status that is no success.',
    redirect: 'The receiver answered with a redirect, which is not followed.',
    timeout: 'The receiver did not answer in time.',
    connectTimeout: 'No connection was made in time.',
    connectFailed: 'The receiver refused the connection.',
    nameNotResolved: 'The name of the receiver has no address.',
    tlsFailed: 'TLS could not be agreed on, or the certificate is not trusted.',
    connectionLost: 'The connection broke before the whole answer was there.',
    invalidReply: 'What came back is no HTTP, or more than is read.',
    blockedTarget: 'The address is one that callbacks are not sent to.',
    interrupted: 'The process that made it died; what the receiver saw is not known.',
    notOpened: 'Nothing was sent: what it is authorized with could not be opened at that moment.',
    inFlight: 'It is on its way right now.',
  },
});

export const EndpointStates = graphEnum(endpointStates, {
  name: 'CallbackEndpointState',
  description: 'Whether an endpoint receives callbacks as usual.',
  values: {
    HEALTHY: 'Callbacks are delivered as they arise.',
    DEGRADED: 'Deliveries fail again and again; attempts go on.',
    DISABLED: 'Too many events failed in a row: nothing is sent until it is enabled again.',
  },
});

@ObjectType('VirtualAccount', { simpleResolvers: true })
@Directive('@key(fields: "virtualAccountId")')
export class VirtualAccountStub {
  @Field(() => ID) virtualAccountId!: string;
}

@ObjectType('Account', { simpleResolvers: true })
@Directive('@key(fields: "accountId", resolvable: false)')
export class CallbackAccount {
  @Field(() => ID) accountId!: string;
}

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class CallbackMerchant {
  @Field(() => ID) merchantId!: string;
}

@ObjectType('Operation', { simpleResolvers: true })
@Directive('@key(fields: "operationId")')
export class CallbackOperation {
  @Field(() => ID) operationId!: string;
}

@ObjectType('OnboardingApplication', { simpleResolvers: true })
@Directive('@key(fields: "id")')
export class OnboardingApplicationStub {
  @Field(() => ID) id!: string;
}

@ObjectType('CallbackAttempt', { simpleResolvers: true, description: 'One attempt to deliver a callback.' })
export class CallbackAttemptType {
  @Field(() => Int, { description: '1 for the first attempt, then 2, 3 and so on.' }) number!: number;
  @Field(() => Date, { description: 'When it was begun, UTC.' }) at!: Date;
  @Field(() => Int, { nullable: true, description: 'HTTP status, when one came.' }) status!: number | null;
  @Field(() => CallbackAttemptResults, { description: 'How it came out.' })
  result!: AttemptState;
  @Field(() => Int, { nullable: true, description: 'How long the receiver took, in milliseconds; null while it runs.' })
  durationMs!: number | null;
  @Field(() => String, { nullable: true, description: 'A short, escaped part of a failed reply.' })
  excerpt!: string | null;
  @Field(() => Date, { nullable: true, description: 'When the next attempt was planned for, UTC; null when none was.' })
  nextAt!: Date | null;
  @Field(() => Boolean, { description: 'Whether a person asked for it, rather than the schedule.' })
  isManual!: boolean;
}

@ObjectType('CallbackSigningSecret', { simpleResolvers: true, description: 'That a secret signs, and until when.' })
export class CallbackSigningSecretType {
  @Field(() => ID, { description: 'Id of the secret; the secret itself is shown once, when it is made.' })
  secretId!: string;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it stops signing, UTC; null for the newest.' })
  expiresAt!: Date | null;
}

@ObjectType('CallbackEndpointHealth', {
  simpleResolvers: true,
  description: 'How well an endpoint has been answering.',
})
export class CallbackEndpointHealthType {
  @Field(() => EndpointStates, { description: 'Whether callbacks are sent to it as usual.' }) state!: string;
  @Field(() => Int, { description: 'Events in a row whose schedule was used up.' }) exhaustedInARow!: number;
  @Field(() => Int, { description: 'Highest warning given on the way to being disabled.' }) warnedPercent!: number;
  @Field(() => Date, {
    nullable: true,
    description: 'Since when nothing was delivered, UTC; null while it answers well.',
  })
  failingSince!: Date | null;
  @Field(() => String, { nullable: true, description: 'Why it is not HEALTHY, in words; null while it is.' })
  reason!: string | null;
  @Field(() => Date, { description: 'When its state last changed, UTC.' }) changedAt!: Date;
}

@ObjectType('CallbackOutcomes', {
  simpleResolvers: true,
  description: 'How the newest callbacks to an endpoint that are over came out.',
})
export class CallbackOutcomesType {
  @Field(() => Int, { description: 'How many are counted, 20 at most.' }) count!: number;
  @Field(() => Int, { description: 'Of them, those that the receiver took.' }) delivered!: number;
  @Field(() => Int, { description: 'Of them, those that the receiver refused for good.' }) rejected!: number;
  @Field(() => Int, { description: 'Of them, those whose every attempt failed.' }) exhausted!: number;
  @Field(() => Int, { description: 'Of them, those that were given up before that.' }) ended!: number;
  @Field(() => Int, { description: 'Besides, of its last 100, those that were tried in vain and are tried again.' })
  retried!: number;
}

@ObjectType('CallbackEndpoint', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'An address that callbacks of one kind are sent to, with its health.',
})
@Directive('@key(fields: "endpointId")')
export class CallbackEndpointType {
  @Field(() => ID, { description: 'Id of the endpoint that callbacks are sent to.' }) endpointId!: string;
  @Field(() => ID, { description: 'Id of the account, the tenant that everything of it belongs to.' })
  accountId!: string;
  @Field(() => CallbackKinds, { description: 'Which family of callbacks it receives.' }) kind!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'The URL that callbacks are posted to; null when none is set. {id} stands where each order has another value, /* for all of an origin that has too many.',
  })
  address!: string | null;
  @Field(() => CallbackEndpointHealthType, { description: 'How well it has been answering.' })
  health!: CallbackEndpointHealthType;
  @Field(() => [CallbackSigningSecretType], {
    description:
      "Newest first, two at most; none for an address that came with an order or application: the account's secrets of the kind sign.",
  })
  secrets!: CallbackSigningSecretType[];
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
}

@ObjectType('CallbackEndpointWithSecret', { simpleResolvers: true, description: 'The secret is shown this once.' })
export class CallbackEndpointWithSecretType {
  @Field(() => CallbackEndpointType, { description: 'The endpoint that the secret signs for.' })
  endpoint!: CallbackEndpointType;
  @Field(() => String, { description: 'The new signing secret; it cannot be read again.' }) secret!: string;
}

@ObjectType('CallbackEndpointEdge', {
  simpleResolvers: true,
  description: 'One callback endpoint in a list, with its cursor.',
})
export class CallbackEndpointEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => CallbackEndpointType, { description: 'The item itself, at this place of the list.' })
  node!: CallbackEndpointType;
}

@ObjectType('CallbackEndpointConnection', { simpleResolvers: true, description: 'One page of callback endpoints.' })
export class CallbackEndpointConnectionType extends ConnectionFields {
  @Field(() => [CallbackEndpointEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: CallbackEndpointEdgeType[];
}

@ObjectType('Callback', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One event on its way to one endpoint.',
})
@Directive('@key(fields: "callbackId")')
export class CallbackType {
  @Field(() => ID, { description: 'Id of the callback: one event on its way to one endpoint.' }) callbackId!: string;
  @Field(() => ID, { description: 'Id of the event that it tells.' }) eventId!: string;
  @Field(() => CallbackKinds, { description: 'Which family of callbacks it belongs to.' }) kind!: string;
  @Field(() => CallbackStatuses, { description: 'How far the delivery has come.' }) status!: string;
  @Field(() => String, { nullable: true, description: 'Why it ended without success.' }) reason!: string | null;
  @Field(() => String, {
    description: 'The very bytes of every attempt; {securityToken} stands where a security token is sent.',
  })
  body!: string;
  @Field(() => String, {
    nullable: true,
    description:
      "The whole URL that it is posted to, where the endpoint's has placeholders; null: the endpoint's address.",
  })
  address!: string | null;
  @Field(() => String, { description: "Appended to the endpoint's address." }) path!: string;
  @Field(() => Date, { description: 'When it was made from its event, UTC.' }) createdAt!: Date;
  @Field(() => Date, {
    nullable: true,
    description: 'When nothing more was to be done, UTC; null while attempts go on.',
  })
  endedAt!: Date | null;
}

@ObjectType('CallbackEdge', { simpleResolvers: true, description: 'One callback in a list, with its cursor.' })
export class CallbackEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => CallbackType, { description: 'The item itself, at this place of the list.' }) node!: CallbackType;
}

@ObjectType('CallbackConnection', { simpleResolvers: true, description: 'One page of callbacks.' })
export class CallbackConnectionType extends ConnectionFields {
  @Field(() => [CallbackEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: CallbackEdgeType[];
}

@ObjectType('BulkRedelivery', { simpleResolvers: true, description: 'What came of asking for many callbacks again.' })
export class BulkRedeliveryType {
  @Field(() => Int, { description: 'How many callbacks are sent again.' }) count!: number;
  @Field(() => Boolean, { description: 'There are more: call again.' }) hasMore!: boolean;
}

@InputType('CallbackFilter', { description: 'Which callbacks are wanted; everything given must hold.' })
export class CallbackFilterInput {
  @Field(() => CallbackStatuses, { nullable: true, description: 'How far the delivery has come.' })
  status?: 'PENDING';
  @Field(() => CallbackKinds, { nullable: true, description: 'Which family of callbacks it belongs to.' })
  kind?: CallbackKind;
  @Field(() => [CallbackStatuses], { nullable: true, description: 'Callbacks of any of these statuses; 20 at most.' })
  statuses?: CallbackStatus[] | null;
  @Field(() => [CallbackKinds], { nullable: true, description: 'Callbacks of any of these families; 20 at most.' })
  kinds?: CallbackKind[] | null;
  @Field(() => [ID], { nullable: true, description: 'Callbacks about any of these merchants; 20 at most.' })
  merchantIds?: string[] | null;
  @Field(() => [ID], { nullable: true, description: 'Callbacks to any of these endpoints; 20 at most.' })
  endpointIds?: string[] | null;
  @Field(() => ID, { nullable: true, description: 'Callbacks about this merchant only.' }) merchantId?: string;
  @Field(() => ID, { nullable: true, description: 'Callbacks to this endpoint only.' }) endpointId?: string;
  @Field(() => ID, { nullable: true, description: 'Callbacks that tell this event only.' }) eventId?: string;
  @Field(() => ID, { nullable: true, description: 'Callbacks about this tokenized card only.' })
  virtualAccountId?: string;
  @Field(() => ID, { nullable: true, description: 'Callbacks about this operation only.' }) operationId?: string;
  @Field(() => ID, { nullable: true, description: 'Callbacks about this onboarding application only.' })
  applicationId?: string;
  @Field(() => Date, { nullable: true, description: 'Made then or later, UTC.' }) since?: Date;
  @Field(() => Date, { nullable: true, description: 'Made before then, UTC.' }) until?: Date;
}

@InputType('RedeliverCallbacksInput', { description: 'Which callbacks are to be sent again.' })
export class RedeliverCallbacksInput {
  @Field(() => Date, { description: 'Made then or later, UTC.' }) since!: Date;
  @Field(() => Date, { nullable: true, description: 'Made before then, UTC; absent: until now.' }) until?: Date;
  @Field(() => ID, { nullable: true, description: 'Callbacks to this endpoint only; absent: to all.' })
  endpointId?: string;
  @Field(() => ID, { nullable: true, description: 'Callbacks about this merchant only; absent: about all.' })
  merchantId?: string;
  @Field(() => Boolean, { defaultValue: false, description: 'Whether delivered ones are sent again, too.' })
  includeDelivered!: boolean;
}
