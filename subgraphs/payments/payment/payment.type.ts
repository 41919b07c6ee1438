// The graph's view of payments and orders: states and sums, and what hangs on them (payment service, Payment; B, Order status object).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import type { OperationType } from '../../shared/vocabulary/operation';
import { OperationTypes } from '../../shared/vocabulary/operation.type';
import type { PaymentFamily } from '../operations/operation';
import { PaymentFamilies } from '../operations/operation.type';
import { type CaptureType, captureTypes, type PaymentState, paymentStates } from './payment';
import { paymentOrders } from './payment-query';

export const PaymentStates = graphEnum(paymentStates, {
  name: 'PaymentState',
  description: 'What became of a payment.',
  values: {
    Created: 'It was made, and nothing was tried yet.',
    PendingCustomer: 'The payer is on the page.',
    PendingAuthentication: 'The payer is proving to be the cardholder.',
    Verified: 'The card was checked, and nothing was charged.',
    Authorized: 'The amount is reserved.',
    PartiallyCaptured: 'A part of the amount was taken.',
    Captured: 'The whole amount was taken.',
    PartiallyRefunded: 'A part of what was taken was given back.',
    Refunded: 'All that was taken was given back.',
    Cancelled: 'It was broken off, or the reservation released.',
    Declined: 'The issuer, the method or the check for fraud said no.',
    Failed: 'It failed for a technical reason.',
    Expired: 'The reservation or the visit ended without a result.',
    Unknown: "The acquirer's answer is open; the platform asks for it.",
  },
});
export const CaptureTypes = graphEnum(captureTypes, {
  name: 'CaptureType',
  description: 'When the money of an authorized payment is taken.',
  values: {
    IMPLICIT: 'At once, together with the authorization.',
    EXPLICIT: 'When the merchant asks for it.',
    DEFERRED: 'By itself, after the delay that the terminal is set to.',
    FILE: 'When the capture batch runs over all that wait for it.',
  },
});

export const PaymentOrders = graphEnum(paymentOrders, {
  name: 'PaymentOrder',
  description: 'What comes first in a list of payments.',
  values: {
    NEWEST: 'What was made last.',
    OLDEST: 'What was made first.',
    EXPIRING_SOONEST: 'The reservation that ends next. Only what is `Authorized` is in this list.',
  },
});

@ObjectType('Payment', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One intent to move money: a payment of the payment service, or an order of hosted checkout.',
})
@Directive('@key(fields: "paymentId")')
export class PaymentType {
  @Field(() => ID, { description: 'Id of the payment, a UUID given by the platform.' }) paymentId!: string;
  @Field(() => ID, { description: 'Id of the merchant, as its account chose it.' }) merchantId!: string;
  @Field(() => ID, { nullable: true, description: 'Id of the terminal that it came through; null when none is known.' })
  terminalId!: string | null;
  @Field(() => PaymentFamilies, { description: 'Which of the two payment interfaces it was made through.' })
  family!: PaymentFamily;
  @Field(() => String, { nullable: true, description: "The payment service's paymentNumber, too." })
  orderId!: string | null;
  @Field(() => PaymentStates, { description: 'What became of the payment so far.' }) state!: PaymentState;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => CaptureTypes, { description: 'When its money is taken.' }) captureType!: CaptureType;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the stored consent that it was made with or for; null when there is none.',
  })
  contractId!: string | null;
  @Field(() => Date, { nullable: true, description: 'When the reservation ends, UTC; null when there is none.' })
  authorizationExpiresAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'A DEFERRED capture is made then.' }) captureDueAt!: Date | null;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { description: 'When it was last changed, UTC.' }) updatedAt!: Date;
}

@ObjectType('PaymentEdge', { simpleResolvers: true, description: 'One payment in a list, with its cursor.' })
export class PaymentEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => PaymentType, { description: 'The item itself, at this place of the list.' }) node!: PaymentType;
}

@ObjectType('PaymentConnection', { simpleResolvers: true, description: 'One page of payments.' })
export class PaymentConnectionType extends ConnectionFields {
  @Field(() => [PaymentEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: PaymentEdgeType[];
}

@InputType('PaymentFilter', { description: 'Everything given must hold.' })
export class PaymentFilterInput {
  @Field(() => ID, { nullable: true, description: 'Payments for this merchant only.' }) merchantId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Payments through this terminal only.' })
  terminalId?: string | null;
  @Field(() => PaymentFamilies, { nullable: true, description: 'Payments of this interface only.' })
  family?: PaymentFamily | null;
  @Field(() => PaymentStates, { nullable: true, description: 'Payments in this state only.' })
  state?: PaymentState | null;
  @Field(() => String, { nullable: true, description: 'Payments with this order number of the merchant only.' })
  orderId?: string | null;
  @Field(() => String, { nullable: true, description: 'Payments with this stored consent only.' })
  contractId?: string | null;
  @Field(() => String, { nullable: true, description: 'Payments in this currency only, three letters of ISO 4217.' })
  currency?: string | null;
  @Field(() => [ID], { nullable: true, description: 'Payments of any of these accounts, 20 at most.' })
  accountIds?: string[] | null;
  @Field(() => [ID], { nullable: true, description: 'Payments for any of these merchants, 20 at most.' })
  merchantIds?: string[] | null;
  @Field(() => [PaymentStates], { nullable: true, description: 'Payments in any of these states.' })
  states?: PaymentState[] | null;
  @Field(() => [String], { nullable: true, description: 'Payments in any of these currencies, 20 at most.' })
  currencies?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Over this amount or more, in minor units.' })
  minAmount?: string | null;
  @Field(() => String, { nullable: true, description: 'Over this amount or less, in minor units.' })
  maxAmount?: string | null;
  @Field(() => Date, { nullable: true, description: 'Made then or later, UTC.' }) from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Made then or earlier, UTC.' }) to?: Date | null;
  @Field(() => Date, {
    nullable: true,
    description: 'With a reservation that is held (`Authorized`) and ends then or later, UTC.',
  })
  authorizationExpiresFrom?: Date | null;
  @Field(() => Date, {
    nullable: true,
    description: 'With a reservation that is held (`Authorized`) and ends then or earlier, UTC.',
  })
  authorizationExpiresTo?: Date | null;
}

@ObjectType('Order', {
  simpleResolvers: true,
  description: 'An order of hosted checkout: its newest payment, as the order status of REST shows it.',
})
export class OrderType {
  @Field(() => String, { description: "The merchant's own number of the order." }) orderId!: string;
  @Field(() => ID, { description: 'Id of the merchant, as its account chose it.' }) merchantId!: string;
  @Field(() => String, { description: 'What is reserved in all, in minor units.' }) authorizedAmount!: string;
  @Field(() => String, { description: 'What was taken in all, in minor units.' }) capturedAmount!: string;
  @Field(() => String, { description: 'What was given back in all, in minor units.' }) refundedAmount!: string;
  @Field(() => Date, {
    nullable: true,
    description: 'When its last operation got its result, UTC; null when there is none.',
  })
  lastOperationTime!: Date | null;
  @Field(() => OperationTypes, { nullable: true, description: 'What its last operation did; null when there is none.' })
  lastOperationType!: OperationType | null;
  @Field(() => GraphQLJSONObject, { description: 'As the merchant sent it, with amount and currency.' })
  order!: Record<string, unknown>;
  @Field(() => PaymentType, { description: 'The newest payment of the order.' }) payment!: PaymentType;
}

@ObjectType('OrderEdge', { simpleResolvers: true, description: 'One order in a list, with its cursor.' })
export class OrderEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => OrderType, { description: 'The item itself, at this place of the list.' }) node!: OrderType;
}

@ObjectType('OrderConnection', { simpleResolvers: true, description: 'One page of orders.' })
export class OrderConnectionType extends ConnectionFields {
  @Field(() => [OrderEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: OrderEdgeType[];
}
