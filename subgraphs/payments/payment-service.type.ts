// The graph's view of the payment service: what its calls take and what its read shows (document 2 A).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { OperationResult, OperationType as OperationTypeName } from './operation';
import { OperationResults, OperationType, OperationTypes } from './operation.type';
import type { PaymentState } from './payment';
import { PaymentStates, PaymentType } from './payment.type';

@InputType('CreatePaymentInput', { description: 'As document 2 A writes it; amounts are strings of minor units.' })
export class CreatePaymentInput {
  @Field(() => String, { nullable: true, description: 'MerchantHostedEcom, or that of the provider.' }) type?: string;
  @Field(() => String, { nullable: true, description: 'Delegated, LowValue or Force3ds.' }) scaExemption?: string;
  @Field(() => GraphQLJSONObject, { nullable: true, description: '`returnUrl`' }) redirectUrls?: object;
  @Field(() => String, { nullable: true, description: 'Letters and digits.' }) paymentNumber?: string;
  @Field(() => String, { nullable: true }) checkoutText?: string;
  @Field(() => String, { nullable: true }) reconciliationReference?: string;
  @Field(() => String, { nullable: true, description: 'Minor units.' }) amount?: string;
  @Field(() => String, { nullable: true, description: "The merchant's own when absent." }) currencyCode?: string;
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'One of eight variants, by `type`.' })
  paymentMethodDetails?: object;
  @Field(() => String, { nullable: true, description: 'None (also when absent), Verify, Authorize or Sale.' })
  processing?: string;
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Individual or Company, by `type`.' })
  customer?: object;
  @Field(() => [GraphQLJSONObject], { nullable: true }) basket?: object[];
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Rules about methods, language, layout.' })
  payPageConfiguration?: object;
  @Field(() => String, { nullable: true }) description?: string;
}

@InputType('AuthorizePaymentInput')
export class AuthorizePaymentInput {
  @Field(() => String, { nullable: true, description: "Minor units; the payment's own when absent." }) amount?: string;
  @Field(() => String, { nullable: true }) description?: string;
  @Field(() => String, { nullable: true, description: 'A physical terminal.' }) terminalId?: string;
  @Field(() => String, { nullable: true }) posReferenceNumber?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@InputType('CapturePaymentInput')
export class CapturePaymentInput {
  @Field(() => String, { nullable: true, description: 'Minor units; all that is left when absent.' }) amount?: string;
  @Field(() => String, { nullable: true }) description?: string;
  @Field(() => [GraphQLJSONObject], { nullable: true, description: 'An invoice payment needs one.' }) basket?: object[];
  @Field(() => String, { nullable: true, description: 'A physical terminal.' }) terminalId?: string;
  @Field(() => String, { nullable: true }) posReferenceNumber?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@InputType('CancelPaymentInput')
export class CancelPaymentInput {
  @Field(() => String, { nullable: true }) description?: string;
  @Field(() => String, { nullable: true, description: 'A physical terminal.' }) terminalId?: string;
  @Field(() => String, { nullable: true }) posReferenceNumber?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@InputType('RefundPaymentInput')
export class RefundPaymentInput {
  @Field(() => String, { nullable: true, description: 'Minor units; all that is left when absent.' }) amount?: string;
  @Field(() => String, { nullable: true }) description?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@ObjectType('CreatePaymentResult', { simpleResolvers: true })
export class CreatePaymentResultType {
  @Field(() => PaymentType) payment!: PaymentType;
  @Field(() => String, { description: 'Where the payer pays.' }) hostedPageUrl!: string;
}

@ObjectType('PaymentOperationResult', { simpleResolvers: true, description: 'A payment after a call on it.' })
export class PaymentOperationResultType {
  @Field(() => PaymentType) payment!: PaymentType;
  @Field(() => OperationType) operation!: OperationType;
}

@ObjectType('PaymentMethodToken', { simpleResolvers: true, description: 'A stored consent; to be kept secret.' })
export class PaymentMethodTokenType {
  @Field(() => String) token!: string;
  @Field(() => String) tokenSecret!: string;
}

@ObjectType('PaymentTransaction', { simpleResolvers: true })
export class PaymentTransactionType {
  @Field(() => ID) operationId!: string;
  @Field(() => OperationTypes) type!: OperationTypeName;
  @Field(() => OperationResults) result!: OperationResult;
  @Field(() => String, { description: 'Minor units.' }) amount!: string;
  @Field(() => Date) time!: Date;
}

@ObjectType('PaymentServiceDetails', {
  simpleResolvers: true,
  description: "A payment of the payment service as its merchant's server reads it.",
})
export class PaymentServiceDetailsType {
  @Field(() => ID) paymentId!: string;
  @Field(() => PaymentStates) state!: PaymentState;
  @Field(() => String, { nullable: true, description: 'Minor units.' }) amount!: string | null;
  @Field(() => String) currency!: string;
  @Field(() => String) authorizedAmount!: string;
  @Field(() => String) capturedAmount!: string;
  @Field(() => String) refundedAmount!: string;
  @Field(() => String, { nullable: true }) paymentNumber!: string | null;
  @Field(() => String, { nullable: true }) reconciliationReference!: string | null;
  @Field(() => String) processing!: string;
  @Field(() => String, { nullable: true }) hostedPageUrl!: string | null;
  @Field(() => String, { nullable: true, description: 'VISA, MC ... once a method was given.' }) circuit!:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'Masked.' }) instrumentInfo!: string | null;
  @Field(() => PaymentMethodTokenType, { nullable: true }) token!: PaymentMethodTokenType | null;
  @Field(() => [PaymentTransactionType], { description: 'In the order of their making.' })
  transactions!: PaymentTransactionType[];
  @Field(() => Date) createdAt!: Date;
}
