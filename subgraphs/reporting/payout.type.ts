// The graph's view of payouts and the actions behind them; amounts are strings of minor units (document 3 C, Payout).
import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import { type EntryAction, entryActions } from './journal';

export const EntryActions = Object.fromEntries(entryActions.map((value) => [value, value])) as {
  [Key in EntryAction]: Key;
};
registerEnumType(EntryActions, { name: 'EntryAction', description: 'What moved the money of a merchant.' });

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class MerchantStub {
  @Field(() => ID) merchantId!: string;
}

@ObjectType('Payment', { simpleResolvers: true })
@Directive('@key(fields: "paymentId")')
export class PaymentStub {
  @Field(() => ID) paymentId!: string;
}

@ObjectType('Operation', { simpleResolvers: true })
@Directive('@key(fields: "operationId")')
export class OperationStub {
  @Field(() => ID) operationId!: string;
}

@ObjectType('PayoutSums', { simpleResolvers: true, description: 'Over the actions of a payout.' })
export class PayoutSumsType {
  @Field(() => String) charged!: string;
  @Field(() => String) refunded!: string;
  @Field(() => String) deposited!: string;
  @Field(() => String) fees!: string;
  @Field(() => String) chargebacks!: string;
  @Field(() => String, { description: 'Signed.' }) adjustments!: string;
  @Field(() => Int) chargeCount!: number;
  @Field(() => Int) refundCount!: number;
  @Field(() => Int) depositCount!: number;
  @Field(() => Int) actionCount!: number;
}

@ObjectType('PaymentAction', { simpleResolvers: true, description: 'One action that a payout consists of.' })
export class PaymentActionType {
  @Field(() => ID, { description: 'Of a charge or refund: its operationId.' }) actionId!: string;
  @Field(() => EntryActions) action!: EntryAction;
  @Field(() => ID, { nullable: true }) paymentId!: string | null;
  @Field(() => String, { nullable: true }) paymentMethod!: string | null;
  @Field(() => String, { nullable: true, description: 'CARD, INVOICE, INSTALLMENT, A2A or WALLET.' }) paymentType!:
    | string
    | null;
  @Field(() => Date) occurredAt!: Date;
  @Field(() => String, { nullable: true, description: "Usually the order's number." }) reference!: string | null;
  @Field(() => String, { nullable: true, description: "The payment service's reconciliationReference." })
  myReference?: string;
  @Field(() => String, { nullable: true, description: "The order's invoiceid." }) invoiceNumber?: string;
  @Field(() => String) currency!: string;
}

@ObjectType('PaymentActionEdge', { simpleResolvers: true })
export class PaymentActionEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => PaymentActionType) node!: PaymentActionType;
}

@ObjectType('PaymentActionConnection', { simpleResolvers: true })
export class PaymentActionConnectionType {
  @Field(() => [PaymentActionEdgeType]) edges!: PaymentActionEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('Payout', {
  implements: NodeType,
  simpleResolvers: true,
  description:
    'What a merchant was paid for its actions of a day; closed when it is made, and never changed afterwards.',
})
@Directive('@key(fields: "payoutId")')
export class PayoutType {
  @Field(() => ID) payoutId!: string;
  @Field(() => Int, { description: '1, 2, 3 ... per merchant and currency.' }) number!: number;
  @Field(() => String, { description: 'The UTC day that was closed.' }) date!: string;
  @Field(() => String) currency!: string;
  @Field(() => String, { description: 'On bank statements.' }) reference!: string;
  @Field(() => String, { nullable: true }) iban!: string | null;
  @Field(() => String, { nullable: true }) bic!: string | null;
  @Field(() => Date) closedAt!: Date;
}

@ObjectType('PayoutEdge', { simpleResolvers: true })
export class PayoutEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => PayoutType) node!: PayoutType;
}

@ObjectType('PayoutConnection', { simpleResolvers: true })
export class PayoutConnectionType {
  @Field(() => [PayoutEdgeType]) edges!: PayoutEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('Settlement', { simpleResolvers: true, description: 'What closing a day paid out.' })
export class SettlementType {
  @Field(() => [PayoutType]) payouts!: PayoutType[];
}
