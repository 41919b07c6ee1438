// The graph's view of payments and orders: states and sums, and what hangs on them (document 2 A, Payment; B, Order status object).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Directive, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import type { PaymentFamily } from './operation';
import { PaymentFamilies } from './operation.type';
import { type CaptureType, captureTypes, type PaymentState, paymentStates } from './payment';

const enumOf = <Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as { [Key in Value]: Key };

export const PaymentStates = enumOf(paymentStates);
registerEnumType(PaymentStates, { name: 'PaymentState' });
export const CaptureTypes = enumOf(captureTypes);
registerEnumType(CaptureTypes, { name: 'CaptureType' });

@ObjectType('Payment', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One intent to move money: a payment of the payment service, or an order of hosted checkout.',
})
@Directive('@key(fields: "paymentId")')
export class PaymentType {
  @Field(() => ID) paymentId!: string;
  @Field(() => ID) merchantId!: string;
  @Field(() => ID, { nullable: true }) terminalId!: string | null;
  @Field(() => PaymentFamilies) family!: PaymentFamily;
  @Field(() => String, { nullable: true, description: "The payment service's paymentNumber, too." }) orderId!:
    | string
    | null;
  @Field(() => PaymentStates) state!: PaymentState;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => CaptureTypes) captureType!: CaptureType;
  @Field(() => String, { nullable: true }) contractId!: string | null;
  @Field(() => Date, { nullable: true }) authorizationExpiresAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'A DEFERRED capture is made then.' }) captureDueAt!: Date | null;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType('PaymentEdge', { simpleResolvers: true })
export class PaymentEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => PaymentType) node!: PaymentType;
}

@ObjectType('PaymentConnection', { simpleResolvers: true })
export class PaymentConnectionType {
  @Field(() => [PaymentEdgeType]) edges!: PaymentEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@InputType('PaymentFilter', { description: 'Everything given must hold.' })
export class PaymentFilterInput {
  @Field(() => ID, { nullable: true }) merchantId?: string | null;
  @Field(() => ID, { nullable: true }) terminalId?: string | null;
  @Field(() => PaymentFamilies, { nullable: true }) family?: PaymentFamily | null;
  @Field(() => PaymentStates, { nullable: true }) state?: PaymentState | null;
  @Field(() => String, { nullable: true }) orderId?: string | null;
  @Field(() => String, { nullable: true }) contractId?: string | null;
  @Field(() => String, { nullable: true }) currency?: string | null;
  @Field(() => Date, { nullable: true, description: 'By creation, inclusive.' }) from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'By creation, inclusive.' }) to?: Date | null;
}

@ObjectType('Order', {
  simpleResolvers: true,
  description: 'An order of hosted checkout: its newest payment, as the order status of REST shows it.',
})
export class OrderType {
  @Field(() => String) orderId!: string;
  @Field(() => ID) merchantId!: string;
  @Field(() => String) authorizedAmount!: string;
  @Field(() => String) capturedAmount!: string;
  @Field(() => String) refundedAmount!: string;
  @Field(() => Date, { nullable: true }) lastOperationTime!: Date | null;
  @Field(() => String, { nullable: true }) lastOperationType!: string | null;
  @Field(() => GraphQLJSONObject, { description: 'As the merchant sent it, with amount and currency.' })
  order!: Record<string, unknown>;
  @Field(() => PaymentType) payment!: PaymentType;
}

@ObjectType('OrderEdge', { simpleResolvers: true })
export class OrderEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => OrderType) node!: OrderType;
}

@ObjectType('OrderConnection', { simpleResolvers: true })
export class OrderConnectionType {
  @Field(() => [OrderEdgeType]) edges!: OrderEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}
