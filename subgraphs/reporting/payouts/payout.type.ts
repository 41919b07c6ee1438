// The graph's view of payouts and the actions behind them; amounts are strings of minor units (reporting interface, Payout).
import { GraphQLLocalDate } from 'graphql-scalars';
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { MoneyType } from '../../shared/graph/money.type';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import type { PaymentTypeWord } from '../../shared/vocabulary/payment-type';
import { PaymentTypes } from '../../shared/vocabulary/payment-type.type';
import { type EntryAction, entryActions } from '../journal/journal';

export const EntryActions = graphEnum(entryActions, {
  name: 'EntryAction',
  description: 'What moved the money of a merchant.',
  values: {
    CHARGE: "A payer's money was captured for the merchant.",
    REFUND: 'Money went back to a payer.',
    DEPOSIT: 'The merchant paid money in.',
    CHARGEBACK: "The payer's bank took money back.",
    ADJUSTMENT: 'Staff corrected the balance, up or down.',
    PAYOUT: "Money was paid out to the merchant's bank account.",
  },
});

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class PayoutMerchant {
  @Field(() => ID) merchantId!: string;
}

@ObjectType('Payment', { simpleResolvers: true })
@Directive('@key(fields: "paymentId")')
export class PayoutPayment {
  @Field(() => ID) paymentId!: string;
}

@ObjectType('Operation', { simpleResolvers: true })
@Directive('@key(fields: "operationId")')
export class PayoutOperation {
  @Field(() => ID) operationId!: string;
}

@ObjectType('PayoutSumsMoney', { simpleResolvers: true, description: 'The sums of a payout with their currency.' })
export class PayoutSumsMoneyType {
  @Field(() => MoneyType, { description: 'What payers were charged.' }) charged!: MoneyType;
  @Field(() => MoneyType, { description: 'What was given back to payers.' }) refunded!: MoneyType;
  @Field(() => MoneyType, { description: 'What the merchant paid in.' }) deposited!: MoneyType;
  @Field(() => MoneyType, { description: 'What the platform charged for it all.' }) fees!: MoneyType;
  @Field(() => MoneyType, { description: "What payers' banks took back." }) chargebacks!: MoneyType;
  @Field(() => MoneyType, { description: 'What staff corrected; negative when it was taken away.' })
  adjustments!: MoneyType;
}

@ObjectType('PayoutSums', { simpleResolvers: true, description: 'Over the actions of a payout.' })
export class PayoutSumsType {
  @Field(() => String, { description: 'What payers were charged, in minor units.' }) charged!: string;
  @Field(() => String, { description: 'What was given back to payers, in minor units.' }) refunded!: string;
  @Field(() => String, { description: 'What the merchant paid in, in minor units.' }) deposited!: string;
  @Field(() => String, { description: 'What the platform charged for it all, in minor units.' }) fees!: string;
  @Field(() => String, { description: "What payers' banks took back, in minor units." }) chargebacks!: string;
  @Field(() => String, { description: 'What staff corrected, in minor units; negative when it was taken away.' })
  adjustments!: string;
  @Field(() => PayoutSumsMoneyType, { description: 'The same with their currency, and as people read them.' })
  money!: PayoutSumsMoneyType;
  @Field(() => Int, { description: 'How many charges there were.' }) chargeCount!: number;
  @Field(() => Int, { description: 'How many refunds there were.' }) refundCount!: number;
  @Field(() => Int, { description: 'How many deposits there were.' }) depositCount!: number;
  @Field(() => Int, { description: 'How many actions there were in all.' }) actionCount!: number;
}

@ObjectType('PaymentActionMoney', {
  simpleResolvers: true,
  description: 'The amounts of an action with their currency.',
})
export class PaymentActionMoneyType {
  @Field(() => MoneyType, { description: 'How much it was; negative only for an adjustment.' }) amount!: MoneyType;
  @Field(() => MoneyType, { description: 'What the platform charged for it, both fees together.' }) fee!: MoneyType;
  @Field(() => MoneyType, { description: 'The part of the fee that is a share of the amount.' })
  flexibleFee!: MoneyType;
  @Field(() => MoneyType, { description: 'The part of the fee that each action costs.' }) fixedFee!: MoneyType;
}

@ObjectType('PaymentAction', { simpleResolvers: true, description: 'One action that a payout consists of.' })
export class PaymentActionType {
  @Field(() => ID, { description: 'Of a charge or refund: its operationId.' }) actionId!: string;
  @Field(() => EntryActions, { description: "What moved the merchant's money." }) action!: EntryAction;
  @Field(() => ID, { nullable: true, description: 'Id of the payment; null for what is booked by hand.' })
  paymentId!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The way it was paid, for example VISA; null for what is booked by hand.',
  })
  paymentMethod!: string | null;
  @Field(() => PaymentTypes, { nullable: true, description: 'What kind of payment it was; null for what is none.' })
  paymentType!: PaymentTypeWord | null;
  @Field(() => Date, { description: 'When it happened, UTC.' }) occurredAt!: Date;
  @Field(() => String, { nullable: true, description: "Usually the order's number." }) reference!: string | null;
  @Field(() => String, { nullable: true, description: "The payment service's reconciliationReference." })
  myReference?: string;
  @Field(() => String, { nullable: true, description: "The order's invoiceid." }) invoiceNumber?: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
}

@ObjectType('PaymentActionEdge', {
  simpleResolvers: true,
  description: 'One action of a payout in a list, with its cursor.',
})
export class PaymentActionEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => PaymentActionType, { description: 'The item itself, at this place of the list.' })
  node!: PaymentActionType;
}

@ObjectType('PaymentActionConnection', { simpleResolvers: true, description: "One page of a payout's actions." })
export class PaymentActionConnectionType extends ConnectionFields {
  @Field(() => [PaymentActionEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: PaymentActionEdgeType[];
}

@ObjectType('Payout', {
  implements: NodeType,
  simpleResolvers: true,
  description:
    'What a merchant was paid for its actions of a day; closed when it is made, and never changed afterwards.',
})
@Directive('@key(fields: "payoutId")')
export class PayoutType {
  @Field(() => ID, { description: 'Id of the payout, given by the platform when the day is closed.' })
  payoutId!: string;
  @Field(() => Int, { description: '1, 2, 3 ... per merchant and currency.' }) number!: number;
  @Field(() => GraphQLLocalDate, { description: 'The UTC day that was closed.' }) date!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, { description: 'On bank statements.' }) reference!: string;
  @Field(() => String, { nullable: true, description: 'The account that it was paid to; null when none was set.' })
  iban!: string | null;
  @Field(() => String, { nullable: true, description: 'The bank that it was paid to; null when none was set.' })
  bic!: string | null;
  @Field(() => Date, { description: 'When it was closed, UTC.' }) closedAt!: Date;
}

@ObjectType('PayoutEdge', { simpleResolvers: true, description: 'One payout in a list, with its cursor.' })
export class PayoutEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => PayoutType, { description: 'The item itself, at this place of the list.' }) node!: PayoutType;
}

@ObjectType('PayoutConnection', { simpleResolvers: true, description: 'One page of payouts.' })
export class PayoutConnectionType extends ConnectionFields {
  @Field(() => [PayoutEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: PayoutEdgeType[];
}

@ObjectType('Settlement', { simpleResolvers: true, description: 'What closing a day paid out.' })
export class SettlementType {
  @Field(() => [PayoutType], { description: 'The payouts that were made.' }) payouts!: PayoutType[];
}
