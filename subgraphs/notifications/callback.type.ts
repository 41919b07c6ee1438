// The graph's view of callbacks, their attempts and endpoints, and of the event log (docs/sandbox.md, sections 7 and 9).
import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import type { CallbackKind } from './callback';

export const CallbackKinds = {
  NOTIFY_UPDATE: 'notify-update',
  MERCHANT_NOTIFICATION: 'merchant-notification',
  ONBOARDING_WEBHOOK: 'onboarding-webhook',
} as const;
registerEnumType(CallbackKinds, { name: 'CallbackKind' });

export const CallbackStatuses = {
  PENDING: 'PENDING',
  SENDING: 'SENDING',
  DELIVERED: 'DELIVERED',
  EXHAUSTED: 'EXHAUSTED',
  REJECTED: 'REJECTED',
  ENDED: 'ENDED',
} as const;
registerEnumType(CallbackStatuses, { name: 'CallbackStatus' });

export const EndpointStates = { HEALTHY: 'HEALTHY', DEGRADED: 'DEGRADED', DISABLED: 'DISABLED' } as const;
registerEnumType(EndpointStates, { name: 'CallbackEndpointState' });

@ObjectType('VirtualAccount', { simpleResolvers: true })
@Directive('@key(fields: "virtualAccountId")')
export class VirtualAccountStub {
  @Field(() => ID) virtualAccountId!: string;
}

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class MerchantStub {
  @Field(() => ID) merchantId!: string;
}

@ObjectType('Operation', { simpleResolvers: true })
@Directive('@key(fields: "operationId")')
export class OperationStub {
  @Field(() => ID) operationId!: string;
}

@ObjectType('OnboardingApplication', { simpleResolvers: true })
@Directive('@key(fields: "id")')
export class OnboardingApplicationStub {
  @Field(() => ID) id!: string;
}

@ObjectType('CallbackAttempt', { simpleResolvers: true })
export class CallbackAttemptType {
  @Field(() => Int) number!: number;
  @Field(() => Date, { description: 'On the one clock.' }) at!: Date;
  @Field(() => Int, { nullable: true, description: 'HTTP status, when one came.' }) status!: number | null;
  @Field(() => String, { description: 'delivered, httpError, timeout, ...; inFlight while it runs.' }) result!: string;
  @Field(() => Int, { nullable: true }) durationMs!: number | null;
  @Field(() => String, { nullable: true, description: 'A short, escaped part of a failed reply.' })
  excerpt!: string | null;
  @Field(() => Date, { nullable: true }) nextAt!: Date | null;
  @Field(() => Boolean) isManual!: boolean;
}

@ObjectType('CallbackSigningSecret', { simpleResolvers: true, description: 'That a secret signs, and until when.' })
export class CallbackSigningSecretType {
  @Field(() => ID) secretId!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true }) expiresAt!: Date | null;
}

@ObjectType('CallbackEndpointHealth', { simpleResolvers: true })
export class CallbackEndpointHealthType {
  @Field(() => EndpointStates) state!: string;
  @Field(() => Int, { description: 'Events in a row whose schedule was used up.' }) exhaustedInARow!: number;
  @Field(() => Int, { description: 'Highest warning given on the way to being disabled.' }) warnedPercent!: number;
  @Field(() => Date, { nullable: true }) failingSince!: Date | null;
  @Field(() => String, { nullable: true }) reason!: string | null;
  @Field(() => Date) changedAt!: Date;
}

@ObjectType('CallbackEndpoint', { implements: NodeType, simpleResolvers: true })
@Directive('@key(fields: "endpointId")')
export class CallbackEndpointType {
  @Field(() => ID) endpointId!: string;
  @Field(() => ID) accountId!: string;
  @Field(() => CallbackKinds) kind!: string;
  @Field(() => String, { nullable: true }) address!: string | null;
  @Field(() => CallbackEndpointHealthType) health!: CallbackEndpointHealthType;
  @Field(() => [CallbackSigningSecretType], {
    description:
      "Newest first, two at most; none for an address that came with an order or application: the account's secrets of the kind sign.",
  })
  secrets!: CallbackSigningSecretType[];
  @Field(() => Date) createdAt!: Date;
}

@ObjectType('CallbackEndpointWithSecret', { simpleResolvers: true, description: 'The secret is shown this once.' })
export class CallbackEndpointWithSecretType {
  @Field(() => CallbackEndpointType) endpoint!: CallbackEndpointType;
  @Field(() => String) secret!: string;
}

@ObjectType('CallbackEndpointEdge', { simpleResolvers: true })
export class CallbackEndpointEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => CallbackEndpointType) node!: CallbackEndpointType;
}

@ObjectType('CallbackEndpointConnection', { simpleResolvers: true })
export class CallbackEndpointConnectionType {
  @Field(() => [CallbackEndpointEdgeType]) edges!: CallbackEndpointEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('Callback', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One event on its way to one endpoint.',
})
@Directive('@key(fields: "callbackId")')
export class CallbackType {
  @Field(() => ID) callbackId!: string;
  @Field(() => ID) eventId!: string;
  @Field(() => CallbackKinds) kind!: string;
  @Field(() => CallbackStatuses) status!: string;
  @Field(() => String, { nullable: true, description: 'Why it ended without success.' }) reason!: string | null;
  @Field(() => String, {
    description: 'The very bytes of every attempt; {securityToken} stands where a security token is sent.',
  })
  body!: string;
  @Field(() => String, { description: "Appended to the endpoint's address." }) path!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true }) endedAt!: Date | null;
}

@ObjectType('CallbackEdge', { simpleResolvers: true })
export class CallbackEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => CallbackType) node!: CallbackType;
}

@ObjectType('CallbackConnection', { simpleResolvers: true })
export class CallbackConnectionType {
  @Field(() => [CallbackEdgeType]) edges!: CallbackEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('BulkRedelivery', { simpleResolvers: true })
export class BulkRedeliveryType {
  @Field(() => Int) count!: number;
  @Field(() => Boolean, { description: 'There are more: call again.' }) hasMore!: boolean;
}

@InputType('CallbackFilter')
export class CallbackFilterInput {
  @Field(() => CallbackStatuses, { nullable: true }) status?: 'PENDING';
  @Field(() => CallbackKinds, { nullable: true }) kind?: CallbackKind;
  @Field(() => ID, { nullable: true }) merchantId?: string;
  @Field(() => ID, { nullable: true }) endpointId?: string;
  @Field(() => ID, { nullable: true }) eventId?: string;
  @Field(() => ID, { nullable: true }) virtualAccountId?: string;
  @Field(() => ID, { nullable: true }) operationId?: string;
  @Field(() => ID, { nullable: true }) applicationId?: string;
  @Field(() => Date, { nullable: true, description: 'Inclusive.' }) since?: Date;
  @Field(() => Date, { nullable: true, description: 'Exclusive.' }) until?: Date;
}

@InputType('RedeliverCallbacksInput')
export class RedeliverCallbacksInput {
  @Field(() => Date, { description: 'Inclusive.' }) since!: Date;
  @Field(() => Date, { nullable: true, description: 'Exclusive.' }) until?: Date;
  @Field(() => ID, { nullable: true }) endpointId?: string;
  @Field(() => ID, { nullable: true }) merchantId?: string;
  @Field(() => Boolean, { defaultValue: false, description: 'Delivered ones too.' }) includeDelivered!: boolean;
}
