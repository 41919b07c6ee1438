// The graph's view of checkout sessions for people: what a visit was about and what became of it, and nothing secret (document 2 B, build and hpp).
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { PageInfoType } from '../shared/page.type';
import type { FlowState, SessionKind } from './checkout-session';
import { FlowStates, SessionKinds } from './checkout-session.type';
import type { PaymentFamily } from './operation';
import { PaymentFamilies } from './operation.type';
import type { SessionFacts } from './session-query.repository';
import { WarningType } from './warning.type';

@ObjectType('CheckoutSession', { simpleResolvers: true, description: 'One visit of a payer, as its merchant sees it.' })
export class CheckoutSessionType {
  @Field(() => ID) sessionId!: string;
  @Field(() => ID) merchantId!: string;
  @Field(() => ID, { nullable: true }) terminalId!: string | null;
  @Field(() => ID) paymentId!: string;
  @Field(() => PaymentFamilies) family!: PaymentFamily;
  @Field(() => SessionKinds) kind!: SessionKind;
  @Field(() => FlowStates, { description: 'As last recorded.' }) state!: FlowState;
  @Field(() => String, { description: '"1" or "3"' }) flowVersion!: string;
  @Field(() => String, { nullable: true, description: 'CARDS, an alternative method, or nothing chosen yet.' })
  method!: string | null;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => String, { nullable: true }) orderId!: string | null;
  @Field(() => String, { nullable: true, description: 'As the merchant sent it.' }) language!: string | null;
  @Field(() => String, { nullable: true, description: 'The origin whose page the card fields stand in.' })
  merchantOrigin!: string | null;
  @Field(() => String, { nullable: true }) pluginName!: string | null;
  @Field(() => [WarningType]) warnings!: WarningType[];
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { description: 'When the payer or the shop last did something.' }) touchedAt!: Date;
}

@ObjectType('CheckoutSessionEdge', { simpleResolvers: true })
export class CheckoutSessionEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => CheckoutSessionType) node!: SessionFacts;
}

@ObjectType('CheckoutSessionConnection', { simpleResolvers: true })
export class CheckoutSessionConnectionType {
  @Field(() => [CheckoutSessionEdgeType]) edges!: CheckoutSessionEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@InputType('CheckoutSessionFilter', { description: 'Everything given must hold.' })
export class CheckoutSessionFilterInput {
  @Field(() => ID, { nullable: true }) merchantId?: string | null;
  @Field(() => ID, { nullable: true }) terminalId?: string | null;
  @Field(() => ID, { nullable: true }) paymentId?: string | null;
  @Field(() => String, { nullable: true }) orderId?: string | null;
  @Field(() => PaymentFamilies, { nullable: true }) family?: PaymentFamily | null;
  @Field(() => SessionKinds, { nullable: true }) kind?: SessionKind | null;
  @Field(() => FlowStates, { nullable: true }) state?: FlowState | null;
  @Field(() => String, { nullable: true, description: 'CARDS or an alternative method.' }) method?: string | null;
  @Field(() => String, { nullable: true }) currency?: string | null;
  @Field(() => String, { nullable: true }) pluginName?: string | null;
  @Field(() => Date, { nullable: true, description: 'By creation, inclusive.' }) from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'By creation, inclusive.' }) to?: Date | null;
}
