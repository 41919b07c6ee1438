// The graph's view of a checkout session for the shop's server: field set, state, result (document 2 B, Field set).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { FieldFrame, FlowState } from './checkout-session';
import { flowStates, sessionKinds } from './checkout-session';
import type { Operation } from './operation';
import { OperationType } from './operation.type';
import { WarningType } from './warning.type';

export const FlowStates = Object.fromEntries(flowStates.map((value) => [value, value]));
registerEnumType(FlowStates, { name: 'FlowState' });

export const SessionKinds = Object.fromEntries(sessionKinds.map((value) => [value, value]));
registerEnumType(SessionKinds, { name: 'CheckoutKind' });

@ObjectType('FieldFrame', { simpleResolvers: true })
export class FieldFrameType implements FieldFrame {
  @Field(() => String) class!: string;
  @Field(() => String) id!: string;
  @Field(() => String, { description: 'Address of the frame.' }) src!: string;
  @Field(() => String, { description: 'TEXT, ACTION or GDI.' }) type!: string;
}

@ObjectType('CheckoutFieldSet', { simpleResolvers: true, description: 'What the shop renders in the present state.' })
export class FieldSetType {
  @Field(() => ID) sessionId!: string;
  @Field(() => String, { nullable: true, description: 'Comes back in every notification.' })
  securityToken!: string | null;
  @Field(() => String, { description: 'Subresource integrity of the field script.' }) sriHash!: string;
  @Field(() => FlowStates) state!: FlowState;
  @Field(() => [FieldFrameType]) fields!: FieldFrame[];
  @Field(() => String, { nullable: true, description: 'Where the payer must be redirected to.' }) url!: string | null;
  @Field(() => [WarningType]) warnings!: WarningType[];
}

@ObjectType('CheckoutResult', { simpleResolvers: true })
export class CheckoutResultType {
  @Field(() => FieldSetType) fieldSet!: FieldSetType;
  @Field(() => FlowStates) state!: FlowState;
  @Field(() => OperationType, { nullable: true, description: 'What ended the session.' }) operation!: Operation | null;
  @Field(() => String, { nullable: true, description: 'Where the payer must be redirected to.' }) url!: string | null;
}

@ObjectType('HostedOrder', { simpleResolvers: true })
export class HostedOrderType {
  @Field(() => ID) sessionId!: string;
  @Field(() => String, { description: 'Address of the hosted payment page.' }) hostedPage!: string;
  @Field(() => String, { description: 'Comes back in every notification.' }) securityToken!: string;
  @Field(() => [WarningType]) warnings!: WarningType[];
}

@ObjectType('CheckoutCardData', { simpleResolvers: true, description: 'What may be shown of a card.' })
export class CheckoutCardDataType {
  @Field(() => String, { description: 'The first six digits.' }) bin!: string;
  @Field(() => String) circuit!: string;
  @Field(() => String, { description: 'MM/YY' }) expiringDate!: string;
  @Field(() => String) lastFourDigits!: string;
}

@InputType('BuildCheckoutInput')
export class BuildCheckoutInput {
  @Field(() => String, { nullable: true, description: 'Origin of the shop; the first registered one when absent.' })
  merchantUrl?: string | null;
  @Field(() => String, { nullable: true, description: 'Flow version "1" (the default) or "3".' })
  version?: string | null;
  @Field(() => GraphQLJSONObject, { nullable: true }) order?: Record<string, unknown> | null;
  @Field(() => GraphQLJSONObject, { nullable: true }) paymentSession?: Record<string, unknown> | null;
  @Field(() => String, { nullable: true }) pluginName?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'The path without version knows fewer words.' })
  isOlderPath?: boolean | null;
}

@InputType('CreateHostedOrderInput')
export class CreateHostedOrderInput {
  @Field(() => GraphQLJSONObject) order!: Record<string, unknown>;
  @Field(() => GraphQLJSONObject) paymentSession!: Record<string, unknown>;
  @Field(() => String, { nullable: true }) pluginName?: string | null;
}
