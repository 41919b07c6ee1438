// The graph's view of operations, and what they can be asked by (document 2 B, Operation object and GET operations).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import {
  type Channel,
  channels,
  operationResults,
  operationTypes,
  type PaymentFamily,
  paymentFamilies,
  paymentMethods,
} from './operation';
import { orderings, sortDirections } from './operation-query';
import { WarningType } from './warning.type';

const enumOf = <Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as { [Key in Value]: Key };

export const OperationTypes = enumOf(operationTypes);
registerEnumType(OperationTypes, { name: 'OperationType' });
export const OperationResults = enumOf(operationResults);
registerEnumType(OperationResults, { name: 'OperationResult' });
export const Channels = enumOf(channels);
registerEnumType(Channels, {
  name: 'Channel',
  description: 'BACKOFFICE: by the merchant, post-operations and merchant-initiated payments.',
});
export const PaymentMethods = enumOf(paymentMethods);
registerEnumType(PaymentMethods, { name: 'PaymentMethod', description: 'APM: any alternative method.' });
export const PaymentFamilies = enumOf(paymentFamilies);
registerEnumType(PaymentFamilies, {
  name: 'PaymentFamily',
  description: 'paymentService: document 2 A. checkout: document 2 B.',
});
export const Orderings = enumOf(orderings);
registerEnumType(Orderings, { name: 'OperationOrdering' });
export const SortDirections = enumOf(sortDirections);
registerEnumType(SortDirections, { name: 'SortDirection' });

@ObjectType('Operation', {
  implements: NodeType,
  simpleResolvers: true,
  description:
    'One authorization, capture, refund, cancel ... with its result. `transactionRef` of the payment service is its id.',
})
@Directive('@key(fields: "operationId")')
export class OperationType {
  @Field(() => ID) operationId!: string;
  @Field(() => ID) merchantId!: string;
  @Field(() => ID, { nullable: true }) terminalId!: string | null;
  @Field(() => PaymentFamilies) family!: PaymentFamily;
  @Field(() => ID) paymentId!: string;
  @Field(() => ID, { nullable: true }) sessionId!: string | null;
  @Field(() => String, { nullable: true, description: "The payment service's paymentNumber, too." }) orderId!:
    | string
    | null;
  @Field(() => Channels) channel!: Channel;
  @Field(() => String, { nullable: true, description: 'Finer than channel.' }) channelDetail!: string | null;
  @Field(() => ID, { nullable: true }) parentOperationId!: string | null;
  @Field(() => ID, { nullable: true, description: 'The operation that this one undoes.' }) cancelledOperationId!:
    | string
    | null;
  @Field(() => String, { nullable: true }) omnichannelId!: string | null;
  @Field(() => String, { nullable: true }) paymentLinkId!: string | null;
  @Field(() => String, { nullable: true }) customField!: string | null;
  @Field(() => String, { nullable: true }) description!: string | null;
  @Field(() => String, { nullable: true, description: 'Why, for operations of the back office.' }) reason!:
    | string
    | null;
  @Field(() => String, { nullable: true }) contractId!: string | null;
  @Field(() => String, { nullable: true }) contractType!: string | null;
  @Field(() => Int, { nullable: true }) installmentQty!: number | null;
  @Field(() => GraphQLJSONObject, { nullable: true, description: 'As the merchant sent it.' }) customerInfo!: Record<
    string,
    unknown
  > | null;
  @Field(() => [WarningType]) warnings!: WarningType[];
  @Field(() => GraphQLJSONObject) additionalData!: Record<string, unknown>;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType('OperationEdge', { simpleResolvers: true })
export class OperationEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => OperationType) node!: OperationType;
}

@ObjectType('OperationConnection', { simpleResolvers: true })
export class OperationConnectionType {
  @Field(() => [OperationEdgeType]) edges!: OperationEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('OperationPage', { simpleResolvers: true, description: 'A numbered page, as REST pages.' })
export class OperationPageType {
  @Field(() => [OperationType]) operations!: OperationType[];
  @Field(() => Int) pageNumber!: number;
  @Field(() => Int) pageSize!: number;
  @Field(() => Int, { description: 'How many match; counted no further than to the bound that isTotalExact tells of.' })
  totalCount!: number;
  @Field(() => Boolean) isTotalExact!: boolean;
  @Field(() => Boolean) hasNextPage!: boolean;
}

@InputType('OperationFilter', { description: 'Everything given must hold.' })
export class OperationFilterInput {
  @Field(() => ID, { nullable: true }) merchantId?: string | null;
  @Field(() => ID, { nullable: true }) operationId?: string | null;
  @Field(() => ID, { nullable: true }) paymentId?: string | null;
  @Field(() => ID, { nullable: true }) sessionId?: string | null;
  @Field(() => String, { nullable: true }) orderId?: string | null;
  @Field(() => ID, { nullable: true }) terminalId?: string | null;
  @Field(() => PaymentFamilies, { nullable: true }) family?: PaymentFamily | null;
  @Field(() => Channels, { nullable: true }) channel?: Channel | null;
  @Field(() => String, { nullable: true }) channelDetail?: string | null;
  @Field(() => OperationTypes, { nullable: true }) operationType?: keyof typeof OperationTypes | null;
  @Field(() => OperationResults, { nullable: true }) operationResult?: keyof typeof OperationResults | null;
  @Field(() => PaymentMethods, { nullable: true }) paymentMethod?: keyof typeof PaymentMethods | null;
  @Field(() => String, { nullable: true }) paymentCircuit?: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 4217, alphabetic.' }) currency?: string | null;
  @Field(() => String, { nullable: true }) customField?: string | null;
  @Field(() => String, { nullable: true }) contractId?: string | null;
  @Field(() => String, { nullable: true }) contractType?: string | null;
  @Field(() => Int, { nullable: true }) installmentQty?: number | null;
  @Field(() => Date, { nullable: true, description: 'Inclusive.' }) fromTime?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Inclusive.' }) toTime?: Date | null;
  @Field(() => String, { nullable: true, description: 'Minor units, inclusive.' }) minAmount?: string | null;
  @Field(() => String, { nullable: true, description: 'Minor units, inclusive.' }) maxAmount?: string | null;
}

@ObjectType('OperationActionResult', {
  simpleResolvers: true,
  description: 'What came of a capture, refund, cancel or void.',
})
export class OperationActionResultType {
  @Field(() => ID) operationId!: string;
  @Field(() => ID) paymentId!: string;
  @Field(() => Date) operationTime!: Date;
}

@InputType('PostOperationInput', { description: 'A capture, refund, cancel or void.' })
export class PostOperationInput {
  @Field(() => String, { nullable: true, description: 'Minor units; all that is left when absent.' }) amount?:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'Must be that of the payment.' }) currency?: string | null;
  @Field(() => String, { nullable: true }) description?: string | null;
  @Field(() => String, { nullable: true, description: 'Required of staff; kept with the audit record.' }) reason?:
    | string
    | null;
}
