// The graph's view of operations, and what they can be asked by (hosted checkout, Operation object and GET operations).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { type OperationResult, type OperationType, type PaymentMethod } from '../../shared/vocabulary/operation';
import { OperationResults, OperationTypes, PaymentMethods } from '../../shared/vocabulary/operation.type';
import { WarningType } from '../checkout/warning.type';
import { type Channel, channels, type PaymentFamily, paymentFamilies } from './operation';
import { orderings, sortDirections } from './operation-query';

export const Channels = graphEnum(channels, {
  name: 'Channel',
  description: 'BACKOFFICE: by the merchant, post-operations and merchant-initiated payments.',
  values: {
    ECOMMERCE: 'The payer paid in a web shop or app.',
    POS: 'The payer paid at a physical terminal.',
    BACKOFFICE: 'The merchant acted without the payer.',
  },
});
export const PaymentFamilies = graphEnum(paymentFamilies, {
  name: 'PaymentFamily',
  description: 'The two interfaces that payments are made through.',
  values: {
    paymentService: "The payment service: the merchant's server creates a payment and moves it on.",
    checkout: "Hosted checkout and card fields: the payer's visit makes the payment.",
  },
});
export const Orderings = graphEnum(orderings, {
  name: 'OperationOrdering',
  description: 'What a list of operations may be ordered by.',
  values: {
    operationTime: 'When the result last changed.',
    operationAmount: 'How much was moved, in minor units.',
    operationType: 'By kind, in the order of the alphabet.',
    operationResult: 'By result, in the order of the alphabet.',
    orderId: "By the merchant's order number, those without one first.",
    paymentCircuit: 'By network, those without one first.',
  },
});
export const SortDirections = graphEnum(sortDirections, {
  name: 'SortDirection',
  description: 'Whether a list rises or falls.',
  values: {
    ASC: 'The smallest or oldest first.',
    DESC: 'The largest or newest first.',
  },
});

@ObjectType('Operation', {
  implements: NodeType,
  simpleResolvers: true,
  description:
    'One authorization, capture, refund, cancel ... with its result. `transactionRef` of the payment service is its id.',
})
@Directive('@key(fields: "operationId")')
export class OperationObjectType {
  @Field(() => ID, { description: 'Id of the operation, a UUID given by the platform.' }) operationId!: string;
  @Field(() => ID, { description: 'Id of the merchant, as its account chose it.' }) merchantId!: string;
  @Field(() => ID, { nullable: true, description: 'Id of the terminal that it came through; null when none is known.' })
  terminalId!: string | null;
  @Field(() => PaymentFamilies, { description: 'Which of the two payment interfaces it was made through.' })
  family!: PaymentFamily;
  @Field(() => ID, { description: 'Id of the payment, a UUID given by the platform.' }) paymentId!: string;
  @Field(() => ID, {
    nullable: true,
    description: "Id of the payer's visit that it came from; null when there was none.",
  })
  sessionId!: string | null;
  @Field(() => String, { nullable: true, description: "The payment service's paymentNumber, too." })
  orderId!: string | null;
  @Field(() => Channels, { description: 'Where it was asked for: web shop, physical terminal or back office.' })
  channel!: Channel;
  @Field(() => String, { nullable: true, description: 'Finer than channel.' }) channelDetail!: string | null;
  @Field(() => ID, { nullable: true, description: 'Id of the operation that it acts on; null for a first one.' })
  parentOperationId!: string | null;
  @Field(() => ID, { nullable: true, description: 'The operation that this one undoes.' })
  cancelledOperationId!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The merchant's id for one sale over several channels; null when there is none.",
  })
  omnichannelId!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the payment link that the payer followed; null when there was none.',
  })
  paymentLinkId!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "A text of the merchant's own, found again in results and lists; null when none.",
  })
  customField!: string | null;
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description!: string | null;
  @Field(() => String, { nullable: true, description: 'Why, for operations of the back office.' })
  reason!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the stored consent that it was made with or for; null when there is none.',
  })
  contractId!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What the stored consent is for, for example recurring; null when there is none.',
  })
  contractType!: string | null;
  @Field(() => Int, { nullable: true, description: 'How many instalments were agreed; null when it is paid at once.' })
  installmentQty!: number | null;
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'As the merchant sent it.' })
  customerInfo!: Record<string, unknown> | null;
  @Field(() => [WarningType], {
    description: 'What was noticed about the request and did not stop it; empty as a rule.',
  })
  warnings!: WarningType[];
  @Field(() => GraphQLJSONObject, {
    description: 'Further facts that the network or method gave, by name; empty when there are none.',
  })
  additionalData!: Record<string, unknown>;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
}

@ObjectType('DeclineReason', { simpleResolvers: true, description: 'Why an operation was refused.' })
export class DeclineReasonType {
  @Field(() => String, {
    description:
      'A word of the acquirer, such as insufficient_funds, and where it gave no reason our result, such as declined. The list is open; `metrics` counts declines by the same words.',
  })
  code!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'What the acquirer answered, as it is in `additionalData.responseReason`; null when it gave no reason.',
  })
  text!: string | null;
}

@ObjectType('OperationEdge', { simpleResolvers: true, description: 'One operation in a list, with its cursor.' })
export class OperationEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => OperationObjectType, { description: 'The item itself, at this place of the list.' })
  node!: OperationObjectType;
}

@ObjectType('OperationConnection', { simpleResolvers: true, description: 'One page of operations.' })
export class OperationConnectionType extends ConnectionFields {
  @Field(() => [OperationEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: OperationEdgeType[];
}

@ObjectType('OperationPage', { simpleResolvers: true, description: 'A numbered page, as REST pages.' })
export class OperationPageType {
  @Field(() => [OperationObjectType], { description: 'The operations of this page, in the order asked for.' })
  operations!: OperationObjectType[];
  @Field(() => Int, { description: 'The number of this page, counted from 0.' }) pageNumber!: number;
  @Field(() => Int, { description: 'How many operations a full page has.' }) pageSize!: number;
  @Field(() => Int, { description: 'How many match; counted no further than to the bound that isTotalExact tells of.' })
  totalCount!: number;
  @Field(() => Boolean, { description: 'Whether totalCount is exact, and not the bound where counting stops.' })
  isTotalExact!: boolean;
  @Field(() => Boolean, { description: 'Whether a page follows this one.' }) hasNextPage!: boolean;
}

@InputType('OperationFilter', { description: 'Everything given must hold.' })
export class OperationFilterInput {
  @Field(() => ID, { nullable: true, description: 'Operations for this merchant only.' }) merchantId?: string | null;
  @Field(() => ID, { nullable: true, description: 'This one operation only.' }) operationId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Operations on this payment only.' }) paymentId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Operations from this visit of a payer only.' })
  sessionId?: string | null;
  @Field(() => String, { nullable: true, description: 'Operations for this order number of the merchant only.' })
  orderId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Operations through this terminal only.' })
  terminalId?: string | null;
  @Field(() => PaymentFamilies, { nullable: true, description: 'Operations of this payment interface only.' })
  family?: PaymentFamily | null;
  @Field(() => Channels, { nullable: true, description: 'Operations asked for over this channel only.' })
  channel?: Channel | null;
  @Field(() => String, { nullable: true, description: 'Operations with this finer channel only.' })
  channelDetail?: string | null;
  @Field(() => OperationTypes, { nullable: true, description: 'Operations of this kind only.' })
  operationType?: keyof typeof OperationTypes | null;
  @Field(() => OperationResults, { nullable: true, description: 'Operations with this result only.' })
  operationResult?: keyof typeof OperationResults | null;
  @Field(() => PaymentMethods, {
    nullable: true,
    description: 'Operations with a card, or with an alternative method, only.',
  })
  paymentMethod?: keyof typeof PaymentMethods | null;
  @Field(() => String, { nullable: true, description: 'Operations over this network only, for example VISA.' })
  paymentCircuit?: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 4217, alphabetic.' }) currency?: string | null;
  @Field(() => String, { nullable: true, description: "Operations with this text of the merchant's own only." })
  customField?: string | null;
  @Field(() => String, { nullable: true, description: 'Operations with this stored consent only.' })
  contractId?: string | null;
  @Field(() => String, { nullable: true, description: 'Operations with a stored consent of this type only.' })
  contractType?: string | null;
  @Field(() => Int, { nullable: true, description: 'Operations paid in this many instalments only.' })
  installmentQty?: number | null;
  @Field(() => [ID], { nullable: true, description: 'Operations for any of these merchants, 20 at most.' })
  merchantIds?: string[] | null;
  @Field(() => [OperationTypes], { nullable: true, description: 'Operations of any of these kinds.' })
  operationTypes?: OperationType[] | null;
  @Field(() => [OperationResults], { nullable: true, description: 'Operations with any of these results.' })
  operationResults?: OperationResult[] | null;
  @Field(() => [PaymentMethods], { nullable: true, description: 'Operations with any of these methods.' })
  paymentMethods?: PaymentMethod[] | null;
  @Field(() => [String], { nullable: true, description: 'Operations over any of these networks, 20 at most.' })
  paymentCircuits?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'Operations in any of these currencies, 20 at most.' })
  currencies?: string[] | null;
  @Field(() => Date, { nullable: true, description: 'The result last changed then or later, UTC.' })
  fromTime?: Date | null;
  @Field(() => Date, { nullable: true, description: 'The result last changed then or earlier, UTC.' })
  toTime?: Date | null;
  @Field(() => String, { nullable: true, description: 'Minor units, inclusive.' }) minAmount?: string | null;
  @Field(() => String, { nullable: true, description: 'Minor units, inclusive.' }) maxAmount?: string | null;
}

@ObjectType('OperationActionResult', {
  simpleResolvers: true,
  description: 'What came of a capture, refund, cancel or void.',
})
export class OperationActionResultType {
  @Field(() => ID, { description: 'Id of the operation, a UUID given by the platform.' }) operationId!: string;
  @Field(() => ID, { description: 'Id of the payment, a UUID given by the platform.' }) paymentId!: string;
  @Field(() => Date, { description: 'When its result last changed, UTC.' }) operationTime!: Date;
}

@InputType('PostOperationInput', { description: 'A capture, refund, cancel or void.' })
export class PostOperationInput {
  @Field(() => String, { nullable: true, description: 'Minor units; all that is left when absent.' })
  amount?: string | null;
  @Field(() => String, { nullable: true, description: 'Must be that of the payment.' }) currency?: string | null;
  @Field(() => String, { nullable: true, description: 'Free text of the merchant about it; null when none was given.' })
  description?: string | null;
  @Field(() => String, { nullable: true, description: 'Required of staff; kept with the audit record.' })
  reason?: string | null;
}
