// The graph's view of a checkout session for the shop's server: field set, state, result (hosted checkout, Field set).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { WarningType } from '../checkout/warning.type';
import type { Operation } from '../operations/operation';
import { OperationObjectType } from '../operations/operation.type';
import type { FieldFrame, FlowState } from './checkout-session';
import { flowStates, sessionKinds } from './checkout-session';

export const FlowStates = graphEnum(flowStates, {
  name: 'FlowState',
  description: "The steps of a payer's visit.",
  values: {
    PAYMENT_INITIALIZATION: 'Opened; the payer has not come yet.',
    PAYMENT_METHOD_SELECTION: 'The payer is choosing how to pay.',
    CARD_DATA_COLLECTION: 'The card fields are being filled in.',
    GDI_VERIFICATION: "The payer's device is being checked by the issuer.",
    READY_FOR_PAYMENT: 'Everything is there; the payment may be made.',
    REDIRECTED_TO_EXTERNAL_DOMAIN: 'The payer is at the issuer or at an alternative method.',
    PAYMENT_COMPLETE: 'The visit has ended, well or not.',
  },
});

export const SessionKinds = graphEnum(sessionKinds, {
  name: 'CheckoutKind',
  description: 'Whose page the payer fills the card in.',
  values: {
    BUILD: "The shop's own page, with our fields in frames.",
    HOSTED: 'Our payment page, which the shop sends the payer to.',
  },
});

@ObjectType('FieldFrame', {
  simpleResolvers: true,
  description: 'One frame of the page that a card field is typed into.',
})
export class FieldFrameType implements FieldFrame {
  @Field(() => String, { description: 'What the field takes, for example CARD_NUMBER.' }) class!: string;
  @Field(() => String, { description: 'The id of the frame, unique in the visit.' }) id!: string;
  @Field(() => String, { description: 'Address of the frame.' }) src!: string;
  @Field(() => String, { description: 'TEXT, ACTION or GDI.' }) type!: string;
}

@ObjectType('CheckoutFieldSet', { simpleResolvers: true, description: 'What the shop renders in the present state.' })
export class FieldSetType {
  @Field(() => ID, { description: 'Id of the checkout session, the one visit of a payer.' }) sessionId!: string;
  @Field(() => String, { nullable: true, description: 'Comes back in every notification.' })
  securityToken!: string | null;
  @Field(() => String, { description: 'Subresource integrity of the field script.' }) sriHash!: string;
  @Field(() => FlowStates, { description: 'Where the visit stands.' }) state!: FlowState;
  @Field(() => [FieldFrameType], { description: 'The frames that the card is typed into.' }) fields!: FieldFrame[];
  @Field(() => String, { nullable: true, description: 'Where the payer must be redirected to.' }) url!: string | null;
  @Field(() => [WarningType], {
    description: 'What was noticed about the request and did not stop it; empty as a rule.',
  })
  warnings!: WarningType[];
}

@ObjectType('CheckoutResult', {
  simpleResolvers: true,
  description: "Where a visit stands after the shop's server asked something of it.",
})
export class CheckoutResultType {
  @Field(() => FieldSetType, {
    description: "The card fields for the shop's page, with what the shop must know of them.",
  })
  fieldSet!: FieldSetType;
  @Field(() => FlowStates, { description: 'Where the visit stands.' }) state!: FlowState;
  @Field(() => OperationObjectType, { nullable: true, description: 'What ended the session.' })
  operation!: Operation | null;
  @Field(() => String, { nullable: true, description: 'Where the payer must be redirected to.' }) url!: string | null;
}

@ObjectType('HostedOrder', {
  simpleResolvers: true,
  description: "A visit on our payment page, opened by a shop's server.",
})
export class HostedOrderType {
  @Field(() => ID, { description: 'Id of the checkout session, the one visit of a payer.' }) sessionId!: string;
  @Field(() => String, { description: 'Address of the hosted payment page.' }) hostedPage!: string;
  @Field(() => String, { description: 'Comes back in every notification.' }) securityToken!: string;
  @Field(() => [WarningType], {
    description: 'What was noticed about the request and did not stop it; empty as a rule.',
  })
  warnings!: WarningType[];
}

@ObjectType('CheckoutCardData', { simpleResolvers: true, description: 'What may be shown of a card.' })
export class CheckoutCardDataType {
  @Field(() => String, { description: 'The first six digits.' }) bin!: string;
  @Field(() => String, { description: 'The network of the card, for example VISA or MC.' }) circuit!: string;
  @Field(() => String, { description: 'Month and year in which the card expires, as MM/YY.' }) expiringDate!: string;
  @Field(() => String, { description: 'The last four digits of the card number.' }) lastFourDigits!: string;
}

@InputType('BuildCheckoutInput', {
  description: "What a shop's server sends to open a visit whose card fields stand in the shop's own page.",
})
export class BuildCheckoutInput {
  @Field(() => String, { nullable: true, description: 'Origin of the shop; the first registered one when absent.' })
  merchantUrl?: string | null;
  @Field(() => String, { nullable: true, description: 'Flow version "1" (the default) or "3".' })
  version?: string | null;
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The order as the checkout interface documents it: amount, currency, orderId and more.',
  })
  order?: Record<string, unknown> | null;
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'How the payer is to pay, as the checkout interface documents it.',
  })
  paymentSession?: Record<string, unknown> | null;
  @Field(() => String, {
    nullable: true,
    description: 'The shop plug-in that the call came from; null when it did not say.',
  })
  pluginName?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'The path without version knows fewer words.' })
  isOlderPath?: boolean | null;
}

@InputType('CreateHostedOrderInput', { description: "What a shop's server sends for a visit on our payment page." })
export class CreateHostedOrderInput {
  @Field(() => GraphQLJSONObject, {
    description: 'The order as the checkout interface documents it: amount, currency, orderId and more.',
  })
  order!: Record<string, unknown>;
  @Field(() => GraphQLJSONObject, {
    description: 'How the payer is to pay and where to return, as the checkout interface documents it.',
  })
  paymentSession!: Record<string, unknown>;
  @Field(() => String, {
    nullable: true,
    description: 'The shop plug-in that the call came from; null when it did not say.',
  })
  pluginName?: string | null;
}
