// The graph's view of the payment service: what its calls take and what its read shows (payment service).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { OperationResult, OperationType as OperationTypeName } from '../../shared/vocabulary/operation';
import { OperationResults, OperationTypes } from '../../shared/vocabulary/operation.type';
import { OperationObjectType } from '../operations/operation.type';
import type { PaymentState } from '../payment/payment';
import { PaymentStates, PaymentType } from '../payment/payment.type';

@InputType('CreatePaymentInput', {
  description: 'As the payment service writes it; amounts are strings of minor units.',
})
export class CreatePaymentInput {
  @Field(() => String, { nullable: true, description: 'MerchantHostedEcom, or that of the provider.' }) type?: string;
  @Field(() => String, { nullable: true, description: 'Delegated, LowValue or Force3ds.' }) scaExemption?: string;
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Where the payer goes afterwards: an object with `returnUrl`.',
  })
  redirectUrls?: object;
  @Field(() => String, { nullable: true, description: 'Letters and digits.' }) paymentNumber?: string;
  @Field(() => String, { nullable: true, description: 'What the payment page says above the form; absent: nothing.' })
  checkoutText?: string;
  @Field(() => String, {
    nullable: true,
    description: 'What the merchant finds again in its settlement; absent: none.',
  })
  reconciliationReference?: string;
  @Field(() => String, {
    nullable: true,
    description: 'What is to be paid, in minor units; absent: the merchant says it when it authorizes.',
  })
  amount?: string;
  @Field(() => String, { nullable: true, description: "The merchant's own when absent." }) currencyCode?: string;
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'One of eight variants, by `type`.' })
  paymentMethodDetails?: object;
  @Field(() => String, { nullable: true, description: 'None (also when absent), Verify, Authorize or Sale.' })
  processing?: string;
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Individual or Company, by `type`.' })
  customer?: object;
  @Field(() => [GraphQLJSONObject], {
    nullable: true,
    description: 'What is paid for, line by line; an invoice payment needs it.',
  })
  basket?: object[];
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Rules about methods, language, layout.' })
  payPageConfiguration?: object;
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description?: string;
}

@InputType('AuthorizePaymentInput', { description: 'How a created payment is authorized.' })
export class AuthorizePaymentInput {
  @Field(() => String, { nullable: true, description: "Minor units; the payment's own when absent." })
  amount?: string;
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description?: string;
  @Field(() => String, { nullable: true, description: 'A physical terminal.' }) terminalId?: string;
  @Field(() => String, {
    nullable: true,
    description: 'The reference that the physical terminal printed; null when there is none.',
  })
  posReferenceNumber?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@InputType('CapturePaymentInput', { description: 'How an authorized payment is captured, in whole or in part.' })
export class CapturePaymentInput {
  @Field(() => String, { nullable: true, description: 'Minor units; all that is left when absent.' }) amount?: string;
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description?: string;
  @Field(() => [GraphQLJSONObject], { nullable: true, description: 'An invoice payment needs one.' })
  basket?: object[];
  @Field(() => String, { nullable: true, description: 'A physical terminal.' }) terminalId?: string;
  @Field(() => String, {
    nullable: true,
    description: 'The reference that the physical terminal printed; null when there is none.',
  })
  posReferenceNumber?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@InputType('CancelPaymentInput', { description: 'How an authorized payment is cancelled.' })
export class CancelPaymentInput {
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description?: string;
  @Field(() => String, { nullable: true, description: 'A physical terminal.' }) terminalId?: string;
  @Field(() => String, {
    nullable: true,
    description: 'The reference that the physical terminal printed; null when there is none.',
  })
  posReferenceNumber?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@InputType('RefundPaymentInput', { description: 'How a captured payment is refunded, in whole or in part.' })
export class RefundPaymentInput {
  @Field(() => String, { nullable: true, description: 'Minor units; all that is left when absent.' }) amount?: string;
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description?: string;
  @Field(() => String, { nullable: true, description: 'Why staff do it; audited.' }) reason?: string;
}

@ObjectType('CreatePaymentResult', { simpleResolvers: true, description: 'What came of creating a payment.' })
export class CreatePaymentResultType {
  @Field(() => PaymentType, { description: 'The payment that was made.' }) payment!: PaymentType;
  @Field(() => String, { description: 'Where the payer pays.' }) hostedPageUrl!: string;
}

@ObjectType('PaymentOperationResult', { simpleResolvers: true, description: 'What came of moving a payment on.' })
export class PaymentOperationResultType {
  @Field(() => PaymentType, { description: 'The payment as it stands afterwards.' }) payment!: PaymentType;
  @Field(() => OperationObjectType, { description: 'The operation that was made.' }) operation!: OperationObjectType;
}

@ObjectType('PaymentMethodToken', { simpleResolvers: true, description: 'A stored consent; to be kept secret.' })
export class PaymentMethodTokenType {
  @Field(() => String, { description: 'The token by which the consent is named.' }) token!: string;
  @Field(() => String, { description: 'The secret that must go with the token.' }) tokenSecret!: string;
}

@ObjectType('PaymentTransaction', {
  simpleResolvers: true,
  description: 'One operation on a payment of the payment service.',
})
export class PaymentTransactionType {
  @Field(() => ID, { description: 'Id of the operation, a UUID given by the platform.' }) operationId!: string;
  @Field(() => OperationTypes, { description: 'What was done to the payment.' }) type!: OperationTypeName;
  @Field(() => OperationResults, { description: 'What came of it.' }) result!: OperationResult;
  @Field(() => String, { description: 'What it moved or tried to move, in minor units.' }) amount!: string;
  @Field(() => Date, { description: 'When its result last changed, UTC.' }) time!: Date;
}

@ObjectType('PaymentServiceDetails', {
  simpleResolvers: true,
  description: "A payment of the payment service as its merchant's server reads it.",
})
export class PaymentServiceDetailsType {
  @Field(() => ID, { description: 'Id of the payment, a UUID given by the platform.' }) paymentId!: string;
  @Field(() => PaymentStates, { description: 'What became of the payment so far.' }) state!: PaymentState;
  @Field(() => String, {
    nullable: true,
    description: 'What is to be paid, in minor units; null until the merchant said it.',
  })
  amount!: string | null;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, { description: 'What is reserved in all, in minor units.' }) authorizedAmount!: string;
  @Field(() => String, { description: 'What was taken in all, in minor units.' }) capturedAmount!: string;
  @Field(() => String, { description: 'What was given back in all, in minor units.' }) refundedAmount!: string;
  @Field(() => String, {
    nullable: true,
    description: "The merchant's own number of the payment; null when it gave none.",
  })
  paymentNumber!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What the merchant finds again in its settlement; null when it gave none.',
  })
  reconciliationReference!: string | null;
  @Field(() => String, { description: 'How the payment is handled, as it was created.' }) processing!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Where the payer pays; null when no page is needed or it has closed.',
  })
  hostedPageUrl!: string | null;
  @Field(() => String, { nullable: true, description: 'VISA, MC ... once a method was given.' })
  circuit!: string | null;
  @Field(() => String, { nullable: true, description: 'The card or account, masked; null until it is known.' })
  instrumentInfo!: string | null;
  @Field(() => PaymentMethodTokenType, {
    nullable: true,
    description: 'The stored consent, if one was asked for and made; else null.',
  })
  token!: PaymentMethodTokenType | null;
  @Field(() => [PaymentTransactionType], { description: 'In the order of their making.' })
  transactions!: PaymentTransactionType[];
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
}
